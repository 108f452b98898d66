import { createDecipheriv } from 'node:crypto';
import { fileKey, hash, type Lock, rc4, saltedHash } from './password';
import { asDictionary, isName, type Lookup, type PdfDictionary, PdfSyntaxError, type PdfValue } from './pdf-value';

/** The bytes of a stream as they were before they were encrypted; `object` is its number. */
export type Decrypt = (object: number, bytes: Buffer) => Promise<Buffer>;

/** Each object of AES has its key by these bytes, too. */
const SALT = Buffer.from('sAlT');
const BLOCK_BYTES = 16;

/** Reads the streams of a file that opens with the empty password: ISO 32000-2, 7.6.3. Throws PdfSyntaxError once a stream is read. */
export function createDecrypt(encrypt: PdfDictionary, lock: Lock, lookup: Lookup): Decrypt {
  let cipher: Promise<string> | undefined;

  return async (object, bytes) => {
    cipher ??= cipherOfStreams(encrypt, lookup);
    switch (await cipher) {
      case 'None':
        return bytes;
      case 'V2':
        return rc4(objectKey(fileKey(lock), object), bytes);
      case 'AESV2':
        return fromAes(objectKey(fileKey(lock), object, SALT), bytes);
      case 'AESV3':
        return fromAes(unwrappedKey(lock), bytes);
      default:
        throw new PdfSyntaxError('a stream is encrypted in an unknown way');
    }
  };
}

/** Files before version 4 have one cipher; later ones name it for streams and for texts. */
async function cipherOfStreams(encrypt: PdfDictionary, lookup: Lookup): Promise<string> {
  if ([1, 2].includes(Number(encrypt.get('V')))) return 'V2';
  const name = nameOf(encrypt.get('StmF')) ?? 'Identity';
  if (name === 'Identity') return 'None';
  const ciphers = asDictionary(await lookup(encrypt.get('CF')));
  return nameOf(asDictionary(await lookup(ciphers.get(name))).get('CFM')) ?? 'None';
}

function nameOf(value: PdfValue | undefined): string | undefined {
  return isName(value) ? value.name : undefined;
}

function objectKey(key: Buffer, object: number, ...more: readonly Buffer[]): Buffer {
  // Streams of objects are of generation 0.
  const number = Buffer.alloc(5);
  number.writeUIntLE(object & 0xff_ff_ff, 0, 3);
  return hash('md5', key, number, ...more).subarray(0, Math.min(key.length + number.length, 16));
}

/** The key of the whole file, which stands in it under the password. */
function unwrappedKey(lock: Lock): Buffer {
  const key = saltedHash(lock, lock.user.subarray(40, 48));
  if (key === undefined || lock.userKey.length < 32) throw new PdfSyntaxError('the key of the file is missing');
  return decipher(key, Buffer.alloc(BLOCK_BYTES), lock.userKey.subarray(0, 32));
}

function fromAes(key: Buffer, bytes: Buffer): Buffer {
  const blocks = bytes.subarray(BLOCK_BYTES, bytes.length - (bytes.length % BLOCK_BYTES));
  if (blocks.length === 0) throw new PdfSyntaxError('an encrypted stream is too short');
  const plain = decipher(key, bytes.subarray(0, BLOCK_BYTES), blocks);
  return plain.subarray(0, plain.length - Math.min(plain.at(-1) ?? 0, BLOCK_BYTES));
}

function decipher(key: Buffer, iv: Buffer, bytes: Buffer): Buffer {
  if (key.length !== 16 && key.length !== 32) throw new PdfSyntaxError('a key has the wrong length for its cipher');
  return createDecipheriv(`aes-${key.length * 8}-cbc`, key, iv)
    .setAutoPadding(false)
    .update(bytes);
}
