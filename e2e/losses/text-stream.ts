import { request } from 'node:http';

const PATH = '/v1beta/models/text-2.5-flash:streamGenerateContent?alt=sse';
/** Prices of text-2.5-flash for a token, in nano-units. */
const [INPUT_NANO, OUTPUT_NANO] = [300n, 2500n];
const BYTES_PER_TOKEN = 4;

interface Piece {
  candidates?: { content: { parts?: { text: string }[] } }[];
  usageMetadata: { promptTokenCount: number; candidatesTokenCount?: number; thoughtsTokenCount?: number };
}

export interface TextStream {
  /** The pieces that have come so far. */
  pieces(): Piece[];
  leave(): void;
}

/** Asks for a text as a stream of events, on a connection of its own, and keeps what comes until the connection breaks. */
export function openTextStream(url: string, key: string, prompt: string): TextStream {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
  const call = request(url + PATH, { method: 'POST', agent: false, headers });
  let text = '';
  call
    .on('error', () => undefined)
    .on('response', (response) => {
      response
        .on('error', () => undefined)
        .on('data', (chunk: Buffer) => {
          text += chunk;
        });
    });
  call.end(JSON.stringify({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }));
  const events = () => text.split('\r\n\r\n').slice(0, -1);
  return {
    pieces: () => events().map((event) => JSON.parse(event.replace(/^data: /, '')).data),
    leave: () => void call.destroy(),
  };
}

/** The price of a text that broke off after these pieces: by the last figures, or by the text that came where that is more. */
export function costOf(pieces: Piece[]): bigint {
  const {
    promptTokenCount,
    candidatesTokenCount = 0,
    thoughtsTokenCount = 0,
  } = pieces.at(-1)?.usageMetadata ?? {
    promptTokenCount: 0,
  };
  const came = pieces
    .flatMap(({ candidates = [] }) => candidates.flatMap(({ content }) => content.parts ?? []))
    .reduce((sum, { text }) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN), 0);
  const output = Math.max(candidatesTokenCount + thoughtsTokenCount, came);
  return BigInt(promptTokenCount) * INPUT_NANO + BigInt(output) * OUTPUT_NANO;
}
