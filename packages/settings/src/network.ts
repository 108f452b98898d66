import { isIP } from 'node:net';
import { type Cursor, fault, readFields, readItems } from './cursor';
import { readInteger, readText } from './scalars';
import type { Settings } from './settings';

const RETRY_DELAYS_SECONDS = [10, 30, 60];
const TIMEOUT_SECONDS = 10;
const STANDARD_PORTS = [80, 443];
/** Retries after the first attempt. */
const MAX_RETRIES = 10;
const MAX_RETRY_DELAY_SECONDS = 86_400;
const MAX_TIMEOUT_SECONDS = 60;
const IMAGE_MB = 20;
/** As much as any vendor takes. */
const MAX_IMAGE_MB = 50;
const DOWNLOAD_SECONDS = 60;
const MAX_DOWNLOAD_SECONDS = 600;

/** How callbacks are sent and where they may go. */
export function readWebhooks(cursor: Cursor): Settings['webhooks'] {
  const fields = readFields(cursor, [
    'retry_delays_seconds',
    'timeout_seconds',
    'allow_ports',
    'allow_private_cidrs',
    'allow_origins',
  ]);
  return {
    retryDelaysSeconds: readRetryDelays(fields.retry_delays_seconds),
    timeoutSeconds: readInteger(fields.timeout_seconds, {
      minimum: 1,
      maximum: MAX_TIMEOUT_SECONDS,
      fallback: TIMEOUT_SECONDS,
    }),
    allowPorts: readPorts(fields.allow_ports),
    allowPrivateCidrs: readItems(fields.allow_private_cidrs).map(readCidr),
    allowOrigins: readItems(fields.allow_origins).map(readOrigin),
  };
}

/** Where files named by callers and upstreams may be fetched from, beyond public addresses, and the bounds of callers' files. */
export function readMedia(cursor: Cursor): Settings['media'] {
  const fields = readFields(cursor, ['allow_private_cidrs', 'allow_ports', 'max_image_mb', 'download_timeout_seconds']);
  return {
    allowPrivateCidrs: readItems(fields.allow_private_cidrs).map(readCidr),
    allowPorts: readPorts(fields.allow_ports),
    maxImageMb: readInteger(fields.max_image_mb, { minimum: 1, maximum: MAX_IMAGE_MB, fallback: IMAGE_MB }),
    downloadTimeoutSeconds: readInteger(fields.download_timeout_seconds, {
      minimum: 1,
      maximum: MAX_DOWNLOAD_SECONDS,
      fallback: DOWNLOAD_SECONDS,
    }),
  };
}

function readRetryDelays(cursor: Cursor): number[] {
  if (cursor.node === undefined) return [...RETRY_DELAYS_SECONDS];
  const items = readItems(cursor);
  if (items.length > MAX_RETRIES) fault(cursor, `must have at most ${MAX_RETRIES} delays`);
  return items.map((item) => readInteger(item, { minimum: 1, maximum: MAX_RETRY_DELAY_SECONDS }));
}

function readPorts(cursor: Cursor): number[] {
  if (cursor.node === undefined) return [...STANDARD_PORTS];
  return readItems(cursor).map((item) => readInteger(item, { minimum: 1, maximum: 65_535 }));
}

function readCidr(cursor: Cursor): string {
  const text = readText(cursor);
  if (text !== '' && !isCidr(text)) fault(cursor, 'must be an address range, as 10.0.0.0/8 or fd00::/8');
  return text;
}

function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return false;
  return Number(prefix) <= (version === 4 ? 32 : 128);
}

/** An exact origin: what a browser would call one, so that comparing it with a URL's origin is enough. */
function readOrigin(cursor: Cursor): string {
  const text = readText(cursor);
  if (text === '') return text;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.origin === text) return text;
  fault(cursor, 'must be scheme, host and port only, as http://127.0.0.1:9000, without a path or a trailing slash');
  return text;
}
