import { hash, randomBytes } from 'node:crypto';
import { GatewayError, message } from '@mediagate/contracts';
import {
  createSecretJudge,
  hashesMatch,
  type KeyRecord,
  type KeyUses,
  type Peppers,
  parseApiKey,
  type SecretVerdict,
} from '@mediagate/identity';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../use-cases/caller';

export interface AuthenticatorDeps {
  /** Must be cheap for many calls at once: requests of one key do not wait for each other's look-up. */
  findKey(id: string): Promise<KeyRecord | undefined>;
  peppers: Peppers;
  /** Notes that a key was let in, and what its hash shall be. */
  noteUse: KeyUses['note'];
  /** The clock for how long keys are remembered; default: the process's own. */
  clock?: { now(): number };
}

export interface Authenticator {
  /**
   * @param keyHeader another header that may have the key; beside Authorization it must have the same.
   * @returns at once where the key is remembered.
   * @throws GatewayError `authentication`
   */
  authenticate(request: Request, keyHeader?: string): Caller | Promise<Caller>;
  /** The key was found revoked or gone: look again next time. */
  forget(keyId: string): void;
}

/**
 * How long a key is taken as it was: a revoked one may still be let in (the books refuse its submissions at once), one that was
 * changed has its former limits (but its quota), and one that was asked for before it was made is kept out.
 */
const REMEMBERED_MS = 5_000;
const REMEMBERED_KEYS = 10_000;
/** Ids that no key has; kept apart from the keys, so that inventing ids pushes no key out. */
const REMEMBERED_MISSES = 50_000;

/** A key's row, and what its secret hashed to here once it had been compared with the row. */
interface KnownKey {
  key: KeyRecord;
  digest?: Buffer;
  renewal?: Exclude<SecretVerdict, boolean>;
}

/**
 * Lets a request in by `Authorization: Bearer <key>`. The key's row, or that there is none, is remembered for a few seconds;
 * the secret itself is hashed and compared every time, so nothing that opens the door is kept. From the second time on it is
 * compared by a plain digest under a salt of this process, which takes less than the hash of the row.
 */
export function createAuthenticator({
  findKey,
  peppers,
  noteUse,
  clock: perf = performance,
}: AuthenticatorDeps): Authenticator {
  const salt = randomBytes(32).toString('hex');
  const keys = rememberKeys(findKey, perf);
  const judge = createSecretJudge(peppers);

  function opens(known: KnownKey | undefined, secret: string): known is KnownKey {
    const digest = hash('sha256', salt + secret, 'buffer');
    if (known?.digest !== undefined && hashesMatch(digest, known.digest)) return true;
    const verdict = judge(secret, known?.key);
    if (known === undefined || verdict === false) return false;
    known.digest = digest;
    if (verdict !== true) known.renewal = verdict;
    return true;
  }

  function letIn(known: KnownKey | undefined, parts: KeyParts, keyHeader: string | undefined): Caller {
    if (!opens(known, parts.secret) || known.key.isTest !== parts.isTest) throw refused(keyHeader);
    const { key } = known;
    requireInForce(key);
    noteUse(key.id, known.renewal);
    return key;
  }

  return {
    authenticate(request, keyHeader) {
      const parts = parseApiKey(offeredKey(request, keyHeader));
      if (!parts) throw refused(keyHeader);
      const known = keys.find(parts.id);
      if (known instanceof Promise) return known.then((found) => letIn(found, parts, keyHeader));
      return letIn(known, parts, keyHeader);
    },
    forget: keys.forget,
  };
}

/** Finds a key that was looked up a moment ago, or that it was not there, at once. */
function rememberKeys(findKey: AuthenticatorDeps['findKey'], perf: { now(): number }) {
  const keys = new LRUCache<string, KnownKey>({ max: REMEMBERED_KEYS, ttl: REMEMBERED_MS, perf });
  const misses = new LRUCache<string, true>({ max: REMEMBERED_MISSES, ttl: REMEMBERED_MS, perf });

  async function lookUp(id: string): Promise<KnownKey | undefined> {
    const key = await findKey(id);
    const known = key && { key };
    if (known) keys.set(id, known);
    else misses.set(id, true);
    return known;
  }

  return {
    find: (id: string) => keys.get(id) ?? (misses.has(id) ? undefined : lookUp(id)),
    forget: (id: string) => void keys.delete(id),
  };
}

type KeyParts = NonNullable<ReturnType<typeof parseApiKey>>;

/** Only whoever has the secret learns this. */
function requireInForce({ revokedAt, expiresAt }: KeyRecord): void {
  if (revokedAt) throw new GatewayError('authentication', message('key_revoked'), { reason: 'key_revoked' });
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw new GatewayError('authentication', message('key_expired'), { reason: 'key_expired' });
  }
}

/** Some clients write the scheme into the other header, too. */
const BEARER = /^Bearer +/i;

/** @throws GatewayError `authentication`: the two headers have different keys, of which a proxy before us may have judged the other. */
function offeredKey(request: Request, keyHeader: string | undefined): string {
  const key = keyHeader === undefined ? undefined : request.headers[keyHeader];
  if (keyHeader === undefined || key === undefined || key === '') return bearerToken(request);
  const other = typeof key === 'string' && !isRepeated(request, keyHeader) ? key.trim().replace(BEARER, '') : '';
  if (request.headers.authorization === undefined) return other;
  const token = bearerToken(request);
  if (token !== '' && token !== other) throw twoKeys(keyHeader);
  return token;
}

function twoKeys(header: string): GatewayError {
  return new GatewayError('authentication', message('two_keys', { header }));
}

function refused(keyHeader: string | undefined): GatewayError {
  return new GatewayError(
    'authentication',
    keyHeader === undefined ? message('key_missing') : message('key_missing_or_header', { header: keyHeader }),
  );
}

const BEARER_TOKEN = /^Bearer +([\w-]{1,200})$/i;

/** The token of the one Authorization header; empty when there is none, more than one, or another scheme. */
export function bearerToken(request: Request): string {
  const header = request.headers.authorization;
  if (header === undefined || isRepeated(request, 'authorization')) return '';
  return BEARER_TOKEN.exec(header)?.[1] ?? '';
}

/** Node keeps the first of several such headers without a word; a proxy before us may have judged another. */
function isRepeated(request: Request, name: string): boolean {
  let count = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const header = request.rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
