import { createHash, randomBytes } from 'node:crypto';
import { randomToken } from '@mediagate/contracts';

const TOKEN_BYTES = 32;

/** Makes the token of a cookie or link; rows keep its hash alone. It is random enough that a fast hash protects it. */
export function newSecretToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Looking a hash up takes the same time whatever a guessed token begins with. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const CODES = 10;
const CHARACTERS = 16;
const CODE = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** 80 random bits each, in groups that can be read aloud; shown once. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const texts = Array.from({ length: CODES }, () => randomToken(CHARACTERS));
  return { codes: texts.map((text) => text.replace(/(.{4})(?=.)/g, '$1-')), hashes: texts.map(hashToken) };
}

/** Undefined: what was typed is none. */
export function recoveryCodeHash(typed: string): Buffer | undefined {
  const text = typed.toLowerCase().replace(/[-\s]/g, '');
  return CODE.test(text) ? hashToken(text) : undefined;
}
