import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { box } from '../src/signing/write-jumbf';

/** Writes stores of manifests as C2PA has them, signed by a certificate of nobody. */

type Value = number | string | null | Buffer | Value[] | Map<number, Value> | { [name: string]: Value };

export interface Assertion {
  label: string;
  fields: Value;
}

interface Signed {
  /** In the store's order. */
  assertions: readonly Assertion[];
  /** Labels that the claim names; each of the assertions, if it is not given. */
  named?: readonly string[];
  /** Manifests that stand before it in the store. */
  before?: readonly Buffer[];
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

export function signedStore({ before = [], ...signed }: Signed): Buffer {
  return superbox('c2pa', ...before, signedManifest('urn:c2pa:forged', signed));
}

export function signedManifest(
  name: string,
  { assertions, named = assertions.map(({ label }) => label) }: Omit<Signed, 'before'>,
): Buffer {
  const boxes = new Map(assertions.map(({ label, fields }) => [label, superbox(label, box('cbor', encode(fields)))]));
  const claim = encode({
    alg: 'sha256',
    claim_generator_info: { name: 'Forger' },
    created_assertions: named.map((label) => ({
      url: `self#jumbf=c2pa.assertions/${label}`,
      hash: sha256(boxes.get(label)?.subarray(8) ?? Buffer.alloc(0)),
    })),
  });
  const header = encode(
    new Map<number, Value>([
      [1, -8],
      [33, certificate()],
    ]),
  );
  const signature = sign(null, encode(['Signature1', header, Buffer.alloc(0), claim], shortest), privateKey);
  return superbox(
    name,
    superbox('c2pa.assertions', ...boxes.values()),
    superbox('c2pa.claim.v2', box('cbor', claim)),
    superbox('c2pa.signature', box('cbor', encode([header, {}, null, signature]))),
  );
}

export function sha256(...parts: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

function superbox(label: string, ...contents: readonly Buffer[]): Buffer {
  return box('jumb', box('jumd', Buffer.alloc(16), Buffer.from(`\x03${label}\0`, 'latin1')), ...contents);
}

type Head = (kind: number, count: number) => Buffer;

/** Always of five bytes, so that a number's size does not depend on the number. */
const steady: Head = (kind, count) => {
  const bytes = Buffer.from([(kind << 5) | 26, 0, 0, 0, 0]);
  bytes.writeUInt32BE(count, 1);
  return bytes;
};

/** The structure that COSE signs has heads of as few bytes as there can be. */
const shortest: Head = (kind, count) => {
  if (count < 24) return Buffer.from([(kind << 5) | count]);
  if (count < 0x100) return Buffer.from([(kind << 5) | 24, count]);
  return count < 0x1_0000 ? Buffer.from([(kind << 5) | 25, count >> 8, count & 0xff]) : steady(kind, count);
};

function encode(value: Value, head: Head = steady): Buffer {
  if (value === null) return Buffer.from([0xf6]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map((item) => encode(item, head))]);
  const entries: [Value, Value][] = value instanceof Map ? [...value] : Object.entries(value);
  return Buffer.concat([head(5, entries.length), ...entries.flat().map((item) => encode(item, head))]);
}

/** X.509 in DER, with the organisation `Nobody`. Its own signature is empty, and nobody looks at it. */
function certificate(): Buffer {
  const algorithm = der(0x30, Buffer.from('06032b6570', 'hex'));
  const name = der(0x30, der(0x31, der(0x30, Buffer.from('060355040a', 'hex'), der(0x0c, Buffer.from('Nobody')))));
  const date = der(0x17, Buffer.from('260101000000Z'));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const version = der(0xa0, Buffer.from('020102', 'hex'));
  const serial = Buffer.from('020101', 'hex');
  const signed = der(0x30, version, serial, algorithm, name, der(0x30, date, date), name, key);
  return der(0x30, signed, algorithm, der(0x03, Buffer.alloc(65)));
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
