import type { JsonObject } from '../../vendor-call/contract';

export const eventHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

/** Divisible by three, so that no delta but the last is padded. */
const DELTA_BYTES = 6_000;
const CHARS_PER_TOKEN = 4;
/** The vendor's own figures come to a token for 50 ms. Tokens are counted in bytes here, which every format has. */
const BYTES_PER_TOKEN = 400;

/** The sound as `speech.audio.delta` events, and `speech.audio.done` with the usage. */
export async function* eventsOf(sound: AsyncIterable<Buffer>, text: string): AsyncGenerator<Buffer> {
  let totalBytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of sound) {
    totalBytes += piece.length;
    // Deltas of one length, however the pieces come, so that the same order gives the same events.
    rest = Buffer.concat([rest, piece]);
    for (; rest.length >= DELTA_BYTES; rest = rest.subarray(DELTA_BYTES)) yield delta(rest.subarray(0, DELTA_BYTES));
  }
  if (rest.length > 0) yield delta(rest);
  const input = Math.ceil(text.length / CHARS_PER_TOKEN);
  const output = Math.ceil(totalBytes / BYTES_PER_TOKEN);
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  yield event({ type: 'speech.audio.done', usage });
}

function delta(bytes: Buffer): Buffer {
  return event({ type: 'speech.audio.delta', audio: bytes.toString('base64') });
}

export const spoilingEvent = Buffer.from('data: {"type":,"audio":[}{\n\n');

function event(data: JsonObject): Buffer {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
}
