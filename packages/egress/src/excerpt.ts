import { untilAborted } from '@mediagate/concurrency';
import { message } from '@mediagate/contracts';
import { startDeadline } from './deadline';
import { EgressError } from './egress-error';

const MAX_EXCERPT_BYTES = 512;
/** An answer is decided by its status line; its body is worth no longer wait than this. */
const BODY_WAIT_MS = 1_000;

/**
 * The beginning of a body as printable text of at most 512 bytes, for an operator's eyes. Reads at most `maxBytes` and one
 * second; a body that breaks off, drips or never ends yields what came until then.
 */
export async function readExcerpt(body: AsyncIterable<Buffer>, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const deadline = startDeadline(BODY_WAIT_MS, () => new EgressError('timeout', message('body_timeout')), signal);
  try {
    await untilAborted(collect(body, maxBytes, chunks), deadline.signal);
  } catch {
    // The status line has come, and it alone is the answer: how the body ended changes nothing.
  } finally {
    deadline.clear();
  }
  return toText(Buffer.concat(chunks));
}

async function collect(body: AsyncIterable<Buffer>, maxBytes: number, chunks: Buffer[]): Promise<void> {
  let count = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, maxBytes - count));
    count += chunk.length;
    if (count >= maxBytes) return;
  }
}

/** Control characters become spaces (a database's text cannot hold NUL); the cut never splits a character. */
function toText(bytes: Buffer): string {
  const text = bytes
    .subarray(0, MAX_EXCERPT_BYTES)
    .toString('utf8')
    .replace(/\p{Cc}/gu, ' ');
  const encoded = Buffer.from(text, 'utf8').subarray(0, MAX_EXCERPT_BYTES);
  return new TextDecoder().decode(encoded, { stream: true });
}
