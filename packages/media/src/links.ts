import { createHmac, timingSafeEqual } from 'node:crypto';

export interface LinkParts {
  id: string;
  extension: string;
  /** As they stand in the URL, whatever they are: `verify` judges them. */
  expires: string;
  signature: string;
}

export type LinkState = 'valid' | 'expired' | 'forged';

export interface Links {
  /** Absolute URL. Same object, same expiry, same link. */
  sign(object: { id: string; extension: string; expiresAt: Date }): string;
  /** `expires` and `signature` are the query's, unread. Only a genuine link can be `expired`. */
  verify(id: string, expires: string, signature: string): LinkState;
  /** The parts of a URL that has the shape of ours; undefined: somebody else's. */
  parseOwnUrl(url: string): LinkParts | undefined;
}

export interface LinksOptions {
  /** Where the API is reached from outside, `https://media.example` or with a path. */
  publicBaseUrl: string;
  /** Signs; those behind it only verify, so that a new one can take over while links of the former are out. */
  secrets: readonly [string, ...string[]];
  /** Milliseconds since 1970; default the system clock. */
  now?: () => number;
}

/** The id of the stored file in a URL of whatever host, signed or not; undefined: it is no such URL. */
export function mediaIdIn(url: string): string | undefined {
  const [, name = ''] = /\/v1\/files\/([^/?#]+)/.exec(url) ?? [];
  return FILE_NAME.exec(name)?.[1];
}

const MIN_SECRET_CHARACTERS = 16;
const FILE_NAME = /^([0-9a-hjkmnp-tv-z]{26})\.([a-z0-9]{2,7})$/;
const EXPIRES = /^[1-9]\d{0,11}$/;

/** In constant time. */
function isSame(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Links that open one object until its expiry, whoever holds them. Throws TypeError for a base that is no URL. */
export function createLinks({ publicBaseUrl, secrets, now = Date.now }: LinksOptions): Links {
  if (secrets.some((secret) => secret.length < MIN_SECRET_CHARACTERS)) {
    throw new TypeError(`the link secret has fewer than ${MIN_SECRET_CHARACTERS} characters`);
  }
  const base = new URL(`${publicBaseUrl.replace(/\/+$/, '')}/v1/files/`);

  // The suffix is decoration: the content type comes from the object's row.
  const mac = (id: string, expires: string, secret: string) =>
    createHmac('sha256', secret).update(`media-link\n${id}\n${expires}`).digest('base64url');

  function sign({ id, extension, expiresAt }: { id: string; extension: string; expiresAt: Date }): string {
    const expires = String(Math.floor(expiresAt.getTime() / 1000));
    return `${base.href}${id}.${extension}?expires=${expires}&signature=${mac(id, expires, secrets[0])}`;
  }

  function verify(id: string, expires: string, signature: string): LinkState {
    const given = Buffer.from(signature);
    const isBy = (secret: string) => isSame(given, Buffer.from(mac(id, expires, secret)));
    if (!EXPIRES.test(expires) || !secrets.some(isBy)) return 'forged';
    return Number(expires) * 1000 > now() ? 'valid' : 'expired';
  }

  function parseOwnUrl(text: string): LinkParts | undefined {
    const url = URL.parse(text);
    if (url?.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return undefined;
    const [, id, extension] = FILE_NAME.exec(url.pathname.slice(base.pathname.length)) ?? [];
    if (id === undefined || extension === undefined) return undefined;
    const { searchParams } = url;
    return {
      id,
      extension,
      expires: searchParams.get('expires') ?? '',
      signature: searchParams.get('signature') ?? '',
    };
  }

  return { sign, verify, parseOwnUrl };
}
