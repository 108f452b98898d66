import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { readSignature } from '../c2pa/signature';
import { openSigner, signerWith } from './signer';

const pem = (name: string) => readFileSync(path.join(__dirname, `../../test/certificates/${name}.pem`), 'utf8');
const one = makeDevelopmentCertificate();
const other = makeDevelopmentCertificate();
const certificatesIn = ({ certificate }: { certificate: string }) =>
  certificate.split(/(?<=-----END CERTIFICATE-----\n)/);
const keys = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits });

it('signs by a key that lies elsewhere, which is asked with the bytes to be signed, and refuses one that does not fit', async () => {
  const key = createPrivateKey(one.key);
  const asked: Buffer[] = [];
  const remote = {
    publicKey: createPublicKey(key),
    async sign(bytes: Buffer) {
      asked.push(bytes);
      return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
    },
  };
  const signer = signerWith(one.certificate, remote);
  const claim = Buffer.from([0xa0]);
  expect(readSignature((await signer.sign(claim)).subarray(1))?.covers(claim)).toBe(true);
  expect(asked.map((bytes) => bytes.includes(claim))).toEqual([true]);
  expect(() => signerWith(other.certificate, remote)).toThrow('does not fit the certificate');
});

describe('lists of revoked certificates', () => {
  const revoked = { certificate: pem('revoked'), key: pem('revoked-key') };
  const isRevoked = (revocations?: string, pair = revoked) => openSigner({ ...pair, revocations }).isRevoked;

  it('say of a certificate that it was revoked, by its issuer and its number', () => {
    expect(isRevoked()).toBe(false);
    expect(isRevoked(pem('empty-list'))).toBe(false);
    expect(isRevoked(pem('list'))).toBe(true);
    expect(isRevoked(pem('empty-list') + pem('list'))).toBe(true);
    expect(isRevoked(pem('list'), one)).toBe(false);
  });

  it.each([
    ['no list', one.certificate],
    ['half a list', pem('list').replace(/(?<=LIST-----\n|CRL-----\n)([^-]{80})[^-]*/, '$1\n')],
    ['a list, and the beginning of another', pem('list') + pem('empty-list').slice(0, 200)],
    ['bytes that are none', '-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----'],
  ])('are refused by a sentence: %s', (_what, revocations) => {
    const message = 'hold no list of revoked certificates (X509 CRL) in PEM';
    expect(() => isRevoked(revocations)).toThrow(expect.objectContaining({ about: 'revocations', message }));
  });
});

describe('a certificate and a key', () => {
  it('are opened with the name and the times of the certificate', () => {
    const from = new Date('2026-11-29T10:00:00Z');
    const pair = makeDevelopmentCertificate({ from, days: 30 });
    expect(openSigner(pair)).toMatchObject({
      subject: 'mediagate development (untrusted)',
      validFrom: from,
      validTo: new Date('2026-12-29T10:00:00Z'),
    });
  });

  it.each<[string, { certificate?: string; key?: string }, string, string]>([
    ['no certificate', { certificate: 'none' }, 'certificate', 'holds no certificate in PEM'],
    [
      'a damaged certificate',
      { certificate: one.certificate.replace('MII', 'AAA') },
      'certificate',
      'holds a certificate that cannot be read',
    ],
    [
      'the certificate of the authority first',
      { certificate: certificatesIn(one).toReversed().join('') },
      'certificate',
      'begins with the certificate of an authority; its own stands first',
    ],
    [
      'a certificate that signs itself',
      { certificate: pem('self-signed'), key: pem('key') },
      'certificate',
      'is signed by itself, which no reader of manifests accepts',
    ],
    [
      'a certificate for servers',
      { certificate: pem('for-servers'), key: pem('key') },
      'certificate',
      'has none of the extended key usages 1.3.6.1.4.1.62558.2.1, 1.3.6.1.5.5.7.3.4, 1.3.6.1.5.5.7.3.36',
    ],
    [
      'a chain of strangers',
      { certificate: `${certificatesIn(one)[0]}${certificatesIn(other)[1]}` },
      'certificate',
      'has a chain whose certificate 1 the next did not sign',
    ],
    ['no key', { key: one.certificate }, 'key', 'is no private key in PEM without a password'],
    ['the key of another certificate', { key: other.key }, 'key', 'does not fit the certificate'],
    [
      'a short key',
      makeDevelopmentCertificate({ keys: keys(1024) }),
      'key',
      'is none of ECDSA (P-256, P-384, P-521), Ed25519, and RSA of 2048 bits or more',
    ],
  ])('are refused by a sentence: %s', (_what, given, about, message) => {
    expect(() => openSigner({ ...one, ...given })).toThrow(expect.objectContaining({ about, message }));
  });
});
