import { randomToken } from '@mediagate/contracts';
import { hashToken } from './secret-token';

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
