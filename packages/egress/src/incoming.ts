import { type Compression, compressionsOf, MAX_COMPRESSIONS, message } from '@mediagate/contracts';
import { EgressError } from './egress-error';
import { type Answer, singleHeader } from './exchange';
import { inflated } from './inflated';

/** A part of a file, in bytes from its beginning; both ends included, as in HTTP. */
export interface FilePart {
  start: number;
  end: number;
}

/** A file, or the part of it that was asked for, as it comes in. */
export interface Incoming {
  /** Fails with EgressError beyond the bytes allowed, and when a part is not as long as announced. */
  body: AsyncIterable<Buffer>;
  /** The server's claim, lower case, without parameters. The bytes decide what it is. */
  contentType: string | undefined;
  /** The part that the body holds; undefined: the whole file, because no part was asked for or the server knows none. */
  part: FilePart | undefined;
  /** Bytes of the whole file, if the server says it: a claim, until the body has ended. */
  totalBytes: number | undefined;
  /** Names this version of the file, byte by byte; undefined: the server names none. */
  etag: string | undefined;
}

/** The answer to a GET: the file, or a pointer to elsewhere. */
export type Received = { incoming: Incoming } | { location: string };

export interface Wanted {
  /** The most bytes of the whole file. */
  maxBytes: number;
  /** Reaching beyond the file's end is allowed. */
  part?: FilePart;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Judges one answer by its status and headers. Throws EgressError for any status but that of the file, the part wanted or
 * a redirect, for a part of a compressed file, for a file that is announced as too large, and for another part than the one wanted.
 */
export function receive({ status, headers, body }: Answer, { maxBytes, part }: Wanted): Received {
  if (REDIRECTS.has(status)) return { location: readLocation(headers) };
  const partial = status === 206 && part !== undefined;
  if (status !== 200 && !partial) {
    throw new EgressError('http_status', message('server_status', { status }), { status });
  }
  const compressions = compressionsOf(headers['content-encoding']);
  if (partial && compressions.length > 0) throw new EgressError('encoding', message('server_compressed'));
  const found = partial ? readPart(headers, part) : { part: undefined, totalBytes: announcedBytes(headers) };
  if ((found.totalBytes ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const contentType = singleHeader(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  if (compressions.length > 0) {
    // Length and version are those of the compressed bytes.
    return {
      incoming: {
        body: withoutCompressions(body, compressions, maxBytes),
        contentType,
        part: undefined,
        totalBytes: undefined,
        etag: undefined,
      },
    };
  }
  const bounded = found.part === undefined ? atMost(body, maxBytes) : exactly(body, found.part);
  return { incoming: { body: bounded, contentType, ...found, etag: strongEtag(headers) } };
}

/** Bounded before and after each compression: a body of 400 bytes may inflate to gigabytes in between, and to nothing in the end. */
function withoutCompressions(
  body: AsyncIterable<Buffer>,
  compressions: readonly Compression[],
  maxBytes: number,
): AsyncIterable<Buffer> {
  if (compressions.length > MAX_COMPRESSIONS) throw new EgressError('encoding', message('server_compressed'));
  const inflateOnce = (bytes: AsyncIterable<Buffer>, compression: Compression) =>
    atMost(inflated(bytes, compression), maxBytes);
  return compressions.reduceRight(inflateOnce, atMost(body, maxBytes));
}

/** The whole body in memory. */
export async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/;

/** All of what was wanted, as far as the file reaches: a server that gives less would be asked for ever. */
function readPart(headers: Answer['headers'], wanted: FilePart): { part: FilePart; totalBytes: number | undefined } {
  const [, start, end, total] = CONTENT_RANGE.exec(singleHeader(headers, 'content-range') ?? '') ?? [];
  const totalBytes = total === '*' ? undefined : Number(total);
  const part = { start: Number(start), end: Number(end) };
  const fits = part.start === wanted.start && part.end >= part.start && part.end <= wanted.end;
  const full = totalBytes === undefined || part.end === Math.min(wanted.end, totalBytes - 1);
  if (!fits || !full) throw otherPart();
  return { part, totalBytes };
}

function announcedBytes(headers: Answer['headers']): number | undefined {
  const announced = singleHeader(headers, 'content-length');
  return announced === undefined ? undefined : Number(announced);
}

function strongEtag(headers: Answer['headers']): string | undefined {
  const etag = singleHeader(headers, 'etag');
  return etag !== undefined && /^"[\x21\x23-\x7e]{1,200}"$/.test(etag) ? etag : undefined;
}

function readLocation(headers: Answer['headers']): string {
  const location = singleHeader(headers, 'location');
  if (location === undefined) throw new EgressError('redirect', message('redirect_without_target'));
  return location;
}

async function* atMost(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const chunk of body) {
    count += chunk.length;
    if (count > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

async function* exactly(body: AsyncIterable<Buffer>, { start, end }: FilePart): AsyncGenerator<Buffer> {
  const bytes = end - start + 1;
  let count = 0;
  for await (const chunk of body) {
    count += chunk.length;
    if (count > bytes) throw otherPart();
    yield chunk;
  }
  if (count < bytes) throw otherPart();
}

function tooLarge(maxBytes: number): EgressError {
  return new EgressError('too_large', message('download_too_large', { limit: maxBytes }));
}

function otherPart(): EgressError {
  return new EgressError('range', message('other_range'));
}
