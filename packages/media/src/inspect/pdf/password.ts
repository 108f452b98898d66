import { createCipheriv, createHash } from 'node:crypto';
import { isName, type PdfDictionary, type PdfValue } from './pdf-value';

/** Stands behind a password up to its 32 bytes; the empty one is nothing else. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** The standard handler's entries, by the names of the format: ISO 32000-2, 7.6.4. */
export interface Lock {
  revision: number;
  keyBytes: number;
  permissions: number;
  coversMetadata: boolean;
  owner: Buffer;
  user: Buffer;
  /** Holds the key of the file from revision 5 on. */
  userKey: Buffer;
  fileId: Buffer;
}

/** Reads the `Encrypt` dictionary; `ids` are the two of the file. */
export function readLock(encrypt: PdfDictionary, ids: PdfValue): Lock {
  const number = (key: string) => Number(encrypt.get(key));
  return {
    revision: number('R'),
    keyBytes: keyBytesOf(number('V'), number('Length') || 40),
    permissions: number('P') || 0,
    coversMetadata: encrypt.get('EncryptMetadata') !== false,
    owner: bytesOfString(encrypt.get('O')),
    user: bytesOfString(encrypt.get('U')),
    userKey: bytesOfString(encrypt.get('UE')),
    fileId: bytesOfString(Array.isArray(ids) ? ids[0] : undefined),
  };
}

/**
 * Whether a file of this `Encrypt` dictionary opens for nobody who has no password, or certificate. One with a password for its owner
 * alone opens with the empty one. A lock of a kind that is not known counts as open.
 */
export function needsPassword(encrypt: PdfDictionary, lock: Lock): boolean {
  const filter = encrypt.get('Filter');
  if (!isName(filter)) return false;
  if (filter.name !== 'Standard') return true;
  const expected = proofOfEmptyPassword(lock);
  return expected !== undefined && !lock.user.subarray(0, expected.length).equals(expected);
}

/** `Length` counts for versions 2 and 3 alone: keys of version 1 have 40 bits, those of version 4 have 128. */
function keyBytesOf(version: number, bits: number): number {
  if (version === 1) return 5;
  return version === 4 ? 16 : Math.min(Math.max(bits / 8, 5), 16);
}

/** How `U` begins where the password is empty; undefined: no known revision. */
function proofOfEmptyPassword(lock: Lock): Buffer | undefined {
  const { revision, user, fileId } = lock;
  if (revision >= 5) return saltedHash(lock, user.subarray(32, 40));
  if (revision === 2) return rc4(fileKey(lock), PADDING);
  if (revision !== 3 && revision !== 4) return undefined;
  const key = fileKey(lock);
  let proof = hash('md5', PADDING, fileId);
  for (let round = 0; round < 20; round += 1) proof = rc4(Buffer.from(key.map((byte) => byte ^ round)), proof);
  return proof;
}

/** The empty password under a salt; undefined: no known revision. */
export function saltedHash({ revision }: Lock, salt: Buffer): Buffer | undefined {
  if (revision === 6) return hardenedHash(salt);
  return revision === 5 ? hash('sha256', salt) : undefined;
}

/** The key of a file of revision 2 to 4 whose password is empty. */
export function fileKey({ revision, keyBytes, permissions, coversMetadata, owner, fileId }: Lock): Buffer {
  const rights = Buffer.alloc(4);
  rights.writeInt32LE(permissions | 0);
  const open = revision >= 4 && !coversMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0);
  const length = revision === 2 ? 5 : keyBytes;
  let key = hash('md5', PADDING, owner.subarray(0, 32), rights, fileId, open).subarray(0, length);
  for (let round = 0; revision > 2 && round < 50; round += 1) key = hash('md5', key).subarray(0, length);
  return key;
}

/** Algorithm 2.B, of the empty password. */
function hardenedHash(salt: Buffer): Buffer {
  let key = hash('sha256', salt);
  for (let round = 0; ; round += 1) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const mixed = cipher.update(Buffer.concat(new Array<Buffer>(64).fill(key)));
    const third = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hash(third === 0 ? 'sha256' : third === 1 ? 'sha384' : 'sha512', mixed);
    if (round >= 63 && (mixed.at(-1) ?? 0) <= round + 1 - 32) return key.subarray(0, 32);
  }
}

export function hash(algorithm: string, ...parts: readonly Buffer[]): Buffer {
  return createHash(algorithm).update(Buffer.concat(parts)).digest();
}

/** The engine's own is switched off in most builds. */
export function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index] ?? 0;
  const swap = (one: number, other: number) => ([state[one], state[other]] = [at(other), at(one)]);
  for (let index = 0, other = 0; index < 256; index += 1) {
    other = (other + at(index) + (key[index % key.length] ?? 0)) & 255;
    swap(index, other);
  }
  let other = 0;
  return Buffer.from(
    data.map((byte, place) => {
      const index = (place + 1) & 255;
      other = (other + at(index)) & 255;
      swap(index, other);
      return byte ^ at((at(index) + at(other)) & 255);
    }),
  );
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A text as bytes; no bytes where there is no text. */
function bytesOfString(value: PdfValue | undefined): Buffer {
  if (typeof value !== 'object' || value === null || !('raw' in value)) return Buffer.alloc(0);
  const text = value.raw.toString('latin1').slice(1, -1);
  if (value.raw[0] !== 0x28) return Buffer.from(text.replace(/\s/g, '').replace(/^(?:..)*.$/, '$&0'), 'hex');
  const plain = text.replace(/\\(?:([0-7]{1,3})|(\r\n?|\n)|([\s\S]))|\r\n?/g, (_, octal, line, letter) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    if (letter !== undefined) return ESCAPED[letter] ?? letter;
    return line === undefined ? '\n' : '';
  });
  return Buffer.from(plain, 'latin1');
}
