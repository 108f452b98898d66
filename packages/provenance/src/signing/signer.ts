import { createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { ALGORITHMS, nameOf, toBeSigned } from '../c2pa/signature';
import { isRevoked } from './revocation-list';
import { encodeCbor, type Writable } from './write-cbor';

/** The operator's private key, wherever it lies: in this process, or in a KMS that is called for each signature. */
export interface SigningKey {
  publicKey: KeyObject;
  /** Signs by the algorithm of the key's kind; ECDSA as two numbers side by side (IEEE P1363). */
  sign(bytes: Buffer): Promise<Buffer>;
}

/** Signs claims with the operator's key. */
export interface Signer {
  /** The organisation or the name in the certificate. */
  subject: string | null;
  /** False: no certificate of an authority stands behind the own one, and readers have to know the authority. */
  hasAuthorities: boolean;
  /** By the lists of revoked certificates that were given. */
  isRevoked: boolean;
  /** When the chain's certificates hold all together. */
  validFrom: Date;
  validTo: Date;
  /** Bytes of each signature, with the chain of certificates. */
  signatureBytes: number;
  /** Returns a signature of COSE. The key works beside the event loop. */
  sign(claim: Buffer): Promise<Buffer>;
}

/** A certificate or a key that cannot sign manifests. The message goes on behind the name of a setting, and repeats no secret. */
export class SignerError extends Error {
  readonly about: 'certificate' | 'key' | 'revocations';

  constructor(about: SignerError['about'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SignerError';
    this.about = about;
  }
}

const signWith = promisify(sign);
/** Algorithms of COSE by curve, and for RSA. */
const BY_CURVE: Readonly<Record<string, number>> = { prime256v1: -7, secp384r1: -35, secp521r1: -36 };
const [EDDSA, PS256, LEAST_RSA_BITS] = [-8, -37, 2048];
const SIGN1_TAG = Buffer.from([0xd2]);
const [ALGORITHM, CHAIN] = [1, 33];
/** Purposes for which a certificate may sign manifests: manifests, e-mail, documents. */
const PURPOSES: readonly string[] = ['1.3.6.1.4.1.62558.2.1', '1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36'];

interface SigningPems {
  certificate: string;
  key: string;
  /** Lists of revoked certificates. */
  revocations?: string | undefined;
}

/** Reads a chain of certificates and a key in PEM, and judges whether they fit. @throws SignerError */
export function openSigner({ certificate, key, revocations }: SigningPems): Signer {
  return signerWith(certificate, keyIn(key), revocations);
}

/** The same with a key that lies elsewhere. @throws SignerError */
export function signerWith(certificate: string, key: SigningKey, revocations?: string): Signer {
  const chain = chainIn(certificate);
  const [own] = chain;
  if (!own.publicKey.equals(key.publicKey)) throw new SignerError('key', 'does not fit the certificate');
  const id = algorithmOf(key.publicKey);
  const certificates = chain.length === 1 ? own.raw : chain.map(({ raw }) => raw);
  const header = encodeCbor(
    new Map<number, Writable>([
      [ALGORITHM, id],
      [CHAIN, certificates],
    ]),
  );
  const coseWith = (signature: Buffer) => Buffer.concat([SIGN1_TAG, encodeCbor([header, {}, null, signature])]);
  return {
    subject: nameOf(own),
    hasAuthorities: chain.length > 1,
    isRevoked: revocations !== undefined && isIn(revocations, chain),
    validFrom: new Date(Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom)))),
    validTo: new Date(Math.min(...chain.map(({ validTo }) => Date.parse(validTo)))),
    signatureBytes: coseWith(Buffer.alloc(signatureBytesOf(key.publicKey))).length,
    async sign(claim) {
      return coseWith(await key.sign(toBeSigned(header, claim)));
    },
  };
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function chainIn(text: string): [X509Certificate, ...X509Certificate[]] {
  const [own, ...issuers] = (text.match(PEM) ?? []).map(readCertificate);
  if (own === undefined) throw new SignerError('certificate', 'holds no certificate in PEM');
  if (own.ca) throw new SignerError('certificate', 'begins with the certificate of an authority; its own stands first');
  if (own.subject === own.issuer) {
    throw new SignerError('certificate', 'is signed by itself, which no reader of manifests accepts');
  }
  if (!(own.keyUsage ?? []).some((purpose) => PURPOSES.includes(purpose))) {
    throw new SignerError('certificate', `has none of the extended key usages ${PURPOSES.join(', ')}`);
  }
  for (const [index, issuer] of issuers.entries()) {
    const issued = issuers[index - 1] ?? own;
    const isIssuer = issued.checkIssued(issuer) && issued.verify(issuer.publicKey);
    if (!isIssuer)
      throw new SignerError('certificate', `has a chain whose certificate ${index + 1} the next did not sign`);
  }
  return [own, ...issuers];
}

function isIn(revocations: string, chain: readonly X509Certificate[]): boolean {
  try {
    return isRevoked(revocations, chain);
  } catch (cause) {
    throw new SignerError('revocations', 'hold no list of revoked certificates (X509 CRL) in PEM', { cause });
  }
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new SignerError('certificate', 'holds a certificate that cannot be read', { cause });
  }
}

function keyIn(text: string): SigningKey {
  const key = privateKeyIn(text);
  const publicKey = createPublicKey(key);
  const { hash, ...options } = ALGORITHMS.get(algorithmOf(publicKey)) ?? {};
  return { publicKey, sign: (bytes) => signWith(hash ?? null, bytes, { key, ...options }) };
}

function privateKeyIn(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw new SignerError('key', 'is no private key in PEM without a password', { cause });
  }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): number {
  if (type === 'ed25519') return EDDSA;
  const ofCurve = type === 'ec' ? BY_CURVE[details.namedCurve ?? ''] : undefined;
  if (ofCurve !== undefined) return ofCurve;
  if (type === 'rsa' && (details.modulusLength ?? 0) >= LEAST_RSA_BITS) return PS256;
  throw new SignerError('key', 'is none of ECDSA (P-256, P-384, P-521), Ed25519, and RSA of 2048 bits or more');
}

const BYTES_BY_CURVE: Readonly<Record<string, number>> = { prime256v1: 64, secp384r1: 96, secp521r1: 132 };
const EDDSA_BYTES = 64;

function signatureBytesOf({ asymmetricKeyDetails: { namedCurve, modulusLength } = {} }: KeyObject): number {
  if (modulusLength !== undefined) return Math.ceil(modulusLength / 8);
  return (namedCurve && BYTES_BY_CURVE[namedCurve]) || EDDSA_BYTES;
}
