import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../sealing/sealer';

/**
 * Codes by time (RFC 6238), as apps on telephones make them: SHA-1, six digits, 30 s. Written here because a library (otpauth, otplib) would
 * replace twenty lines over `node:crypto` that RFC 6238's own vectors check, and bring a second implementation of SHA-1.
 */

const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** A code of the step before or after counts too: clocks differ, and people type. */
const SKEW_STEPS = 1n;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ISSUER = 'mediagate';

/** Makes a secret in base32, as apps take it. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The text that apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${ISSUER}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

/** The step whose code it is; undefined: of none around now, or of one that was used. */
export function findTotpStep(
  secret: string,
  code: string,
  { nowMs, lastStep }: { nowMs: number; lastStep: bigint | null },
): bigint | undefined {
  const given = Buffer.from(code.replaceAll(' ', ''));
  const current = BigInt(Math.floor(nowMs / 1000 / STEP_SECONDS));
  const steps = [current, current - SKEW_STEPS, current + SKEW_STEPS];
  return steps.find((step) => {
    const right = Buffer.from(totpCode(secret, step));
    return given.length === right.length && timingSafeEqual(given, right) && step > (lastStep ?? -1n);
  });
}

/** @param step the number of 30 s since 1970. */
export function totpCode(secret: string, step: bigint): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(step);
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

export function sealTotpSecret(sealer: Sealer, userId: string, secret: string): Buffer<ArrayBuffer> {
  return sealer.seal(secret, placeOf(userId));
}

/** @throws Error where another secret sealed it: nobody with a second factor could sign in then, and the operator must know. */
export function openTotpSecret(
  sealer: Sealer,
  { id, totpSecret }: { id: string; totpSecret: Uint8Array | null },
): string | undefined {
  if (totpSecret === null) return undefined;
  const secret = sealer.open(totpSecret, placeOf(id));
  if (secret === undefined) throw new Error(`the second factor of ${id} was sealed under another CONSOLE_SECRET`);
  return secret;
}

function placeOf(userId: string): string {
  return `users/${userId}/totp`;
}
