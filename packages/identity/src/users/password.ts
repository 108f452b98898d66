import crypto, { randomBytes, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** scrypt's work, as the hash says it, so that a later release can raise it. */
interface Cost {
  log2N: number;
  r: number;
  p: number;
}

/** 32 MiB and some tenths of a second for each guess, as OWASP recommends for scrypt. */
const COST: Cost = { log2N: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;
/** Nobody's hash: a given password is compared with it where there is no stored one. */
const OF_NOBODY = `scrypt$${COST.log2N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export const PASSWORD_MIN_CHARACTERS = 12;
export const PASSWORD_MAX_CHARACTERS = 256;

/** Parameters, salt and hash in one line. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return ['scrypt', COST.log2N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** @param stored null: there is no password; that takes as long to find out as that one is wrong. */
export async function matchesPassword(password: string, stored: string | null): Promise<boolean> {
  const [, log2N, r, p, salt = '', hash = ''] = STORED.exec(stored ?? OF_NOBODY) ?? [];
  if (log2N === undefined) throw new Error('a password hash of an unknown form');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== null;
}

export type PasswordFault = 'password_too_short' | 'password_too_long' | 'password_guessable';

/** Checks a password that somebody chooses; undefined: nothing is wrong with it. */
export function passwordFault(
  password: string,
  { email, name }: { email: string; name: string },
): PasswordFault | undefined {
  const characters = [...password].length;
  if (characters < PASSWORD_MIN_CHARACTERS) return 'password_too_short';
  if (characters > PASSWORD_MAX_CHARACTERS) return 'password_too_long';
  const lower = password.normalize('NFKC').trim().toLowerCase();
  const known = [email, email.split('@')[0] ?? '', name.toLowerCase()].filter((text) => text !== '');
  const isKnown = known.some((text) => lower.replaceAll(text, '').length < PASSWORD_MIN_CHARACTERS / 2);
  return isKnown || new Set(lower).size < MIN_DISTINCT_CHARACTERS ? 'password_guessable' : undefined;
}

const MIN_DISTINCT_CHARACTERS = 5;

/** Keyboards write the same character in different ways: one normal form for all. */
function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  const maxmem = 128 * r * (N + p + 2);
  // Looked up for each hash: tests that sign in hundreds of times put a cheaper function in its place.
  const deriveBytes = promisify<string, Buffer, number, ScryptOptions, Buffer>(crypto.scrypt);
  return deriveBytes(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem });
}
