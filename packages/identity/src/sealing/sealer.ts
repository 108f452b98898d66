import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Sealer {
  /** @param place where it is kept: opens there alone, so that nobody who writes rows can move it to another. */
  seal(secret: string, place: string): Buffer<ArrayBuffer>;
  /** Undefined: sealed under another key, for another place, or damaged. */
  open(sealed: Uint8Array, place: string): string | undefined;
}

/** The characters of enough random bytes in base64 or hex. */
export const SEALING_SECRET_MIN_CHARACTERS = 32;

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;
const CIPHER = 'aes-256-gcm';

/**
 * Seals under the first of the secrets and opens under each, so that a new one can take over while rows under the former are
 * left.
 */
export function createSealer(secrets: readonly [string, ...string[]]): Sealer {
  const [key, ...formerKeys] = secrets.map(keyOf) as [Buffer, ...Buffer[]];
  return {
    seal(secret, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed);
      if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION) return undefined;
      for (const each of [key, ...formerKeys]) {
        const opened = openUnder(each, bytes, place);
        if (opened !== undefined) return opened;
      }
      return undefined;
    },
  };
}

/** The secret's own randomness is what protects: it needs no slow derivation. */
function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'mediagate sealing 1', KEY_BYTES));
}

function openUnder(key: Buffer, sealed: Buffer, place: string): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(HEAD_BYTES, HEAD_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(HEAD_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // The tag does not fit: the only failure that `final` knows.
    return undefined;
  }
}
