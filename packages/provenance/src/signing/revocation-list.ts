import type { X509Certificate } from 'node:crypto';

const BEGIN = '-----BEGIN X509 CRL-----';
const PEM = new RegExp(`${BEGIN}([^-]+)-----END X509 CRL-----`, 'g');
const [INTEGER, SEQUENCE, VERSION, TIMES] = [0x02, 0x30, 0xa0, [0x17, 0x18]];

interface Element {
  tag: number;
  content: Buffer;
}

/**
 * Says whether authorities have revoked one of the certificates, by their lists (CRL) in PEM. Whoever gives a list also gives the key, so
 * its signature is not judged, nor its age.
 *
 * @throws Error for a text that is no list.
 */
export function isRevoked(lists: string, certificates: readonly X509Certificate[]): boolean {
  const bodies = [...lists.matchAll(PEM)].map(([, body = '']) => Buffer.from(body, 'base64'));
  // A list that is cut off counts for nothing by itself, and what it revokes must not go unseen.
  if (bodies.length === 0 || bodies.length < lists.split(BEGIN).length - 1) throw new Error('a list in PEM is missing');
  const revoked = new Set(bodies.flatMap(namesIn));
  return certificates.some((certificate) => revoked.has(nameOf(certificate)));
}

/** The issuer and the number of a certificate, which name it: of its fields the third behind the version, and the first. */
function nameOf({ raw }: X509Certificate): string {
  const [number, , issuer] = fieldsOf(raw).filter(({ tag }) => tag !== VERSION);
  return toName(issuer, number);
}

/** The names of all certificates that a list has: behind its times, where there are any. */
function namesIn(list: Buffer): string[] {
  const [, issuer, ...rest] = fieldsOf(list).filter(({ tag }) => tag !== INTEGER);
  const entries = rest.find(({ tag }) => !TIMES.includes(tag));
  if (entries?.tag !== SEQUENCE) return [];
  return [...elementsOf(entries.content)].map(({ content }) => toName(issuer, [...elementsOf(content)][0]));
}

function toName(issuer: Element | undefined, number: Element | undefined): string {
  if (issuer?.tag !== SEQUENCE || number?.tag !== INTEGER) throw new Error('it has another form');
  return `${issuer.content.toString('hex')} ${number.content.toString('hex')}`;
}

/** The fields of what is signed, of a certificate or a list. */
function fieldsOf(der: Buffer): Element[] {
  const [all] = elementsOf(der);
  const [signed] = elementsOf(all?.content ?? der);
  return [...elementsOf(signed?.content ?? der)];
}

/** The elements of DER that follow each other. */
function* elementsOf(der: Buffer): Generator<Element> {
  for (let at = 0; at < der.length; ) {
    const [tag, first] = [der.readUInt8(at), der.readUInt8(at + 1)];
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
    const begin = at + 2 + lengthBytes;
    at = begin + length;
    if (at > der.length) throw new RangeError('it ends too early');
    yield { tag, content: der.subarray(begin, at) };
  }
}
