import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign,
} from 'node:crypto';

const YEARS = 10;
/** Object identifiers in DER. */
const OID = {
  ecdsaWithSha256: '06082a8648ce3d040302',
  organization: '060355040a',
  commonName: '0603550403',
  basicConstraints: '0603551d13',
  keyUsage: '0603551d0f',
  extendedKeyUsage: '0603551d25',
  authorityKeyIdentifier: '0603551d23',
  subjectKeyIdentifier: '0603551d0e',
  emailProtection: '06082b06010505070304',
} as const;
const [SEQUENCE, SET, OCTETS, BITS, TEXT, TIME, INTEGER] = [0x30, 0x31, 0x04, 0x03, 0x0c, 0x17, 0x02];
const TRUE = Buffer.from('0101ff', 'hex');

export interface DevelopmentCertificate {
  /** Default: now. */
  from?: Date;
  days?: number;
  /** Default: new ones, of ECDSA. */
  keys?: KeyPairKeyObjectResult;
}

/**
 * Makes a certificate of an authority that nobody trusts, and its key, both in PEM: for development alone. Its name says so. Readers
 * accept no certificate that is signed by itself, so it is a chain of two.
 */
export function makeDevelopmentCertificate({
  from = new Date(),
  days = YEARS * 365,
  keys: own = newKeys(),
}: DevelopmentCertificate = {}): { certificate: string; key: string } {
  const authority = newKeys();
  const issuer = nameOf('mediagate development authority (untrusted)');
  const times = { from, to: new Date(from.getTime() + days * 86_400_000) };
  const by = { issuer, key: authority.privateKey, ...times };
  const chain = [
    certificate({ subject: nameOf('mediagate development (untrusted)'), publicKey: own.publicKey, ...by }, [
      extension(OID.keyUsage, Buffer.from('03020780', 'hex'), true),
      extension(OID.extendedKeyUsage, der(SEQUENCE, hex(OID.emailProtection))),
    ]),
    certificate({ subject: issuer, publicKey: authority.publicKey, ...by }, [
      extension(OID.basicConstraints, der(SEQUENCE, TRUE), true),
      extension(OID.keyUsage, Buffer.from('03020106', 'hex'), true),
    ]),
  ];
  const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate: chain.map(toPem).join(''), key };
}

function newKeys(): KeyPairKeyObjectResult {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

interface Certified {
  subject: Buffer;
  publicKey: KeyObject;
  issuer: Buffer;
  /** The key of the issuer. */
  key: KeyObject;
  from: Date;
  to: Date;
}

function certificate({ subject, publicKey, issuer, key, from, to }: Certified, extensions: readonly Buffer[]): Buffer {
  const algorithm = der(SEQUENCE, hex(OID.ecdsaWithSha256));
  const ids = [
    extension(OID.subjectKeyIdentifier, der(OCTETS, keyIdOf(publicKey))),
    extension(OID.authorityKeyIdentifier, der(SEQUENCE, der(0x80, keyIdOf(createPublicKey(key))))),
  ];
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1]), randomBytes(15)),
    algorithm,
    issuer,
    der(SEQUENCE, timeOf(from), timeOf(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions, ...ids)),
  );
  return der(SEQUENCE, body, algorithm, der(BITS, Buffer.alloc(1), sign('sha256', body, key)));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return der(SEQUENCE, hex(id), ...(isCritical ? [TRUE] : []), der(OCTETS, value));
}

function nameOf(name: string): Buffer {
  const parts = [
    [OID.organization, 'mediagate development (untrusted)'],
    [OID.commonName, name],
  ] as const;
  return der(SEQUENCE, ...parts.map(([id, text]) => der(SET, der(SEQUENCE, hex(id), der(TEXT, Buffer.from(text))))));
}

/** In seconds of UTC, with two digits for the year. */
function timeOf(date: Date): Buffer {
  return der(TIME, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));
}

/** Any value that names the key. */
function keyIdOf(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/(.{64})(?=.)/g, '$1\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
