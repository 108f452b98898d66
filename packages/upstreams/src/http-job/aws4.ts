import { createHash, createHmac } from 'node:crypto';
import type { UnsentCall } from '../contract';
import { wireHeaders } from '../wire-headers';
import type { Aws4Words } from './description';
import { sha256Of } from './hmac';

export interface Aws4Key {
  id: string;
  secret: string;
  /** Credentials that end after a while have one. */
  sessionToken?: string;
}

/** Written `id:secret`, or `id:secret:session-token`; undefined: it is neither. */
export function aws4Key(apiKey: string): Aws4Key | undefined {
  const [id = '', secret = '', sessionToken, ...more] = apiKey.trim().split(':');
  if (id === '' || secret === '' || more.length > 0) return undefined;
  return { id, secret, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/**
 * The headers that sign a call by AWS Signature Version 4. The body counts by its hash, which goes along for every service: S3 wants it,
 * and the others take it.
 */
export async function aws4Headers(
  words: Aws4Words,
  key: Aws4Key,
  { method, url, headers, body }: UnsentCall,
): Promise<Record<string, string>> {
  const { host, pathname, searchParams } = new URL(url);
  const signable = { ...wireHeaders({ method, headers }, {}), host };
  const request = { method, path: pathname, query: queryOf(searchParams), headers: signable };
  const signed = await signAws4(words, key, { ...request, bodySha256: await sha256Of(body()) });
  return Object.fromEntries(Object.entries(signed).filter(([name]) => !Object.hasOwn(signable, name)));
}

interface Signable {
  method: string;
  path: string;
  query: Record<string, string[]>;
  headers: Record<string, string>;
  /** In hexadecimal digits. */
  bodySha256: string;
}

interface SigningRules {
  /** Headers that the signature leaves out. Default: the one that a proxy on the way may write anew. */
  unsigned?: readonly string[];
  /** Default: for S3 alone, whose names of objects may have anything in them. */
  isPathAsItIs?: boolean;
}

/** All headers of a request, with those that sign it. */
export async function signAws4(
  { region, service }: Aws4Words,
  { id, secret, sessionToken }: Aws4Key,
  { bodySha256, headers, ...request }: Signable,
  { unsigned = ['accept-encoding'], isPathAsItIs = service === 's3' }: SigningRules = {},
): Promise<Record<string, string>> {
  // Here, because it takes a tenth of a second, and few channels sign.
  const { SignatureV4 } = await import('@smithy/signature-v4');
  const signer = new SignatureV4({
    region,
    service,
    credentials: { accessKeyId: id, secretAccessKey: secret, ...(sessionToken === undefined ? {} : { sessionToken }) },
    sha256: Sha256,
    uriEscapePath: !isPathAsItIs,
  });
  const signed = await signer.sign(
    { ...request, protocol: '', hostname: '', headers: { ...headers, 'x-amz-content-sha256': bodySha256 } },
    { signingDate: new Date(Date.now()), unsignableHeaders: new Set(unsigned) },
  );
  return Object.fromEntries(Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function queryOf(parameters: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
}

/** SHA-256 as the signing library asks for it: with a secret it is an HMAC. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash | typeof createHmac>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(chunk));
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }

  reset(): void {
    throw new Error('a hash is taken once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}
