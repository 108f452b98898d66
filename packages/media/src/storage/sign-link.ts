import { createHash, createHmac } from 'node:crypto';

export interface SignLinkOptions {
  method: 'GET' | 'PUT';
  /** The object's whole address. */
  url: URL;
  /** Signed with the link: whoever sends another value is refused. In lower case, without `host`. */
  headers: Readonly<Record<string, string>>;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Only credentials that lapse have one. */
  sessionToken: string | undefined;
  lifetimeSeconds: number;
  now: Date;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** The signature holds whatever the bytes are. */
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** The address with a signature in its query (AWS Signature Version 4), by which anybody may read or write the object until it lapses. */
export function signLink(options: SignLinkOptions): string {
  const { method, url, headers, region, accessKeyId, secretAccessKey, sessionToken, lifetimeSeconds, now } = options;
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const signed = Object.entries({ ...headers, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const query = [
    ['X-Amz-Algorithm', ALGORITHM],
    ['X-Amz-Content-Sha256', UNSIGNED],
    ['X-Amz-Credential', `${accessKeyId}/${scope}`],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', String(lifetimeSeconds)],
    ...(sessionToken === undefined ? [] : [['X-Amz-Security-Token', sessionToken]]),
    ['X-Amz-SignedHeaders', names],
  ]
    .map(([name = '', value = '']) => `${name}=${encoded(value)}`)
    .join('&');
  const headerLines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const request = [method, url.pathname, query, headerLines, names, UNSIGNED].join('\n');
  const hash = createHash('sha256').update(request).digest('hex');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(mac, `AWS4${secretAccessKey}`);
  const signature = mac(key, [ALGORITHM, time, scope, hash].join('\n')).toString('hex');
  return `${url.origin}${url.pathname}?${query}&X-Amz-Signature=${signature}`;
}

function mac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Stricter than `encodeURIComponent`, as the signature asks for. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
