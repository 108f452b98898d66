import { EgressError } from './egress-error';
import { type Answer, singleHeader } from './exchange';

/** What an answer to a GET is: the file, or a pointer to elsewhere. */
export type Fetched = { bytes: Buffer; contentType: string | undefined } | { location: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Reads one answer. Throws EgressError for any status but 200 or a redirect, for an encoded body and for a large one. */
export async function readFile({ status, headers, body }: Answer, maxBytes: number): Promise<Fetched> {
  if (REDIRECTS.has(status)) return { location: readLocation(headers) };
  if (status !== 200) throw new EgressError('http_status', `The server answered ${status}.`, { status });
  if (isEncoded(headers))
    throw new EgressError('encoding', 'The server sent a compressed file, which was not asked for.');
  if (Number(singleHeader(headers, 'content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readBytes(body, maxBytes);
  return { bytes, contentType: singleHeader(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() };
}

function isEncoded(headers: Answer['headers']): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return String(encoding).toLowerCase() !== 'identity';
}

function readLocation(headers: Answer['headers']): string {
  const location = singleHeader(headers, 'location');
  if (location === undefined) throw new EgressError('redirect', 'The server redirected without saying where to.');
  return location;
}

async function readBytes(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let count = 0;
  for await (const chunk of body) {
    count += chunk.length;
    if (count > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, count);
}

function tooLarge(maxBytes: number): EgressError {
  return new EgressError('too_large', `The file is larger than ${maxBytes} bytes.`);
}
