import { constants, type VerifyKeyObjectInput, verify, X509Certificate } from 'node:crypto';
import { asBytes, asList, asMap, type Cbor, type CborMap, decodeCbor } from './cbor';

/** Names of the header in COSE: the algorithm, and the chain of certificates, as a number and as earlier writers spelt it. */
const [ALGORITHM, CHAIN, CHAIN_NAME] = [1, 33, 'x5chain'];

type Verify = Pick<VerifyKeyObjectInput, 'dsaEncoding' | 'padding' | 'saltLength'> & { hash: string | undefined };

const ECDSA = { dsaEncoding: 'ieee-p1363' } as const;
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

/** The algorithms that C2PA allows, by their numbers in COSE. */
export const ALGORITHMS: ReadonlyMap<unknown, Verify> = new Map<unknown, Verify>([
  [-7, { hash: 'sha256', ...ECDSA }],
  [-35, { hash: 'sha384', ...ECDSA }],
  [-36, { hash: 'sha512', ...ECDSA }],
  [-37, { hash: 'sha256', ...PSS }],
  [-38, { hash: 'sha384', ...PSS }],
  [-39, { hash: 'sha512', ...PSS }],
  [-8, { hash: undefined }],
]);

export interface Signature {
  /** The organisation that the certificate names, or else its common name. */
  issuer: string | null;
  /** Whether the certificate's key has signed the claim. */
  covers(claim: Buffer): boolean;
}

/** Reads a COSE signature with its certificate. Returns undefined where it is none that C2PA allows. */
export function readSignature(bytes: Buffer): Signature | undefined {
  const [first, unprotectedHeader, , last] = asList(decodeCbor(bytes));
  const [protectedBytes, signature] = [asBytes(first), asBytes(last)];
  if (protectedBytes === undefined || signature === undefined) return undefined;
  const header: CborMap = asMap(decodeCbor(protectedBytes)) ?? new Map();
  const certificate = certificateIn([header, asMap(unprotectedHeader) ?? new Map()]);
  if (certificate === undefined) return undefined;
  return {
    issuer: nameOf(certificate),
    covers: (claim) => isSignedBy(certificate, { header, signature, signed: toBeSigned(protectedBytes, claim) }),
  };
}

function certificateIn(headers: readonly CborMap[]): X509Certificate | undefined {
  const chain = headers.map((header) => header.get(CHAIN) ?? header.get(CHAIN_NAME)).find((value) => value != null);
  const first = asBytes(Array.isArray(chain) ? chain[0] : (chain as Cbor));
  if (first === undefined) return undefined;
  try {
    return new X509Certificate(first);
  } catch {
    return undefined;
  }
}

/** The organisation that a certificate names, or else its common name. */
export function nameOf({ subject }: X509Certificate): string | null {
  const names = new Map(
    subject.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  return names.get('O') ?? names.get('CN') ?? null;
}

interface Signed {
  header: CborMap;
  signature: Buffer;
  signed: Buffer;
}

function isSignedBy(certificate: X509Certificate, { header, signature, signed }: Signed): boolean {
  const algorithm = ALGORITHMS.get(header.get(ALGORITHM));
  if (algorithm === undefined) return false;
  const { hash, ...options } = algorithm;
  try {
    return verify(hash, signed, { key: certificate.publicKey, ...options }, signature);
  } catch {
    // The key is of another kind than the algorithm.
    return false;
  }
}

/** The structure that COSE signs: a word, the protected header, nothing, and the claim. */
export function toBeSigned(protectedBytes: Buffer, claim: Buffer): Buffer {
  const word = Buffer.from('Signature1', 'latin1');
  return Buffer.concat([
    Buffer.from([0x84, 0x60 + word.length]),
    word,
    lengthOf(protectedBytes),
    protectedBytes,
    Buffer.from([0x40]),
    lengthOf(claim),
    claim,
  ]);
}

/** The head of a byte string in CBOR. */
function lengthOf({ length }: Buffer): Buffer {
  if (length < 24) return Buffer.from([0x40 + length]);
  if (length < 0x100) return Buffer.from([0x58, length]);
  const head = Buffer.alloc(length < 0x1_0000 ? 3 : 5);
  head[0] = length < 0x1_0000 ? 0x59 : 0x5a;
  head.writeUIntBE(length, 1, head.length - 1);
  return head;
}
