import type { ProvenAddress, Sealer } from '@mediagate/identity';
import type { Request, Response } from 'express';
import type { Cookie } from '../session/cookie';

/** Keeps the address that the provider has proven, until the user says which account is meant, or signs in with the password. */
export interface ProvenCookie {
  /** Undefined: nothing is proven, or it was too long ago. */
  read(request: Request): ProvenAddress | undefined;
  write(response: Response, proven: ProvenAddress): void;
  clear(response: Response): void;
}

/** The place that the cookie is sealed for: one of another place opens nothing. */
const PLACE = 'console/oidc-proven';
export const PROVEN_LIFE_MS = 15 * 60_000;

export function createProvenCookie(cookie: Cookie, sealer: Sealer, now: () => number = Date.now): ProvenCookie {
  return {
    read(request) {
      const sealed = cookie.read(request);
      const text = sealed === undefined ? undefined : sealer.open(Buffer.from(sealed, 'base64url'), PLACE);
      if (text === undefined) return undefined;
      const { endsAt, ...proven } = JSON.parse(text) as ProvenAddress & { endsAt: number };
      return now() < endsAt ? proven : undefined;
    },
    write(response, { identity, email }) {
      const text = JSON.stringify({ identity, email, endsAt: now() + PROVEN_LIFE_MS });
      cookie.write(response, sealer.seal(text, PLACE).toString('base64url'));
    },
    clear: (response) => cookie.clear(response),
  };
}
