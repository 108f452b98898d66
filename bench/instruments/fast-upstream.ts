// A vendor of text and speech that answers at once: Gemini's protocol for the product, OpenAI's chat of the same size for the
// program it is set against, and speech in pieces. Its orders ask how many answers it has begun.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce, serveOrders } from '../src/program';

const TEXT = 'The tide comes in, and the tide goes out. '.repeat(20);
const USAGE = { promptTokenCount: 12, candidatesTokenCount: 210, totalTokenCount: 222 };
const GEMINI = JSON.stringify({
  candidates: [{ content: { role: 'model', parts: [{ text: TEXT }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: USAGE,
});
const CHAT = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 210, total_tokens: 222 },
});
const EVENTS = Array.from({ length: 16 }, (_, index) => {
  const candidate = { content: { role: 'model', parts: [{ text: TEXT.slice(0, 80) }] }, index: 0 };
  const last = index === 15 ? { finishReason: 'STOP' } : {};
  return Buffer.from(
    `data: ${JSON.stringify({ candidates: [{ ...candidate, ...last }], usageMetadata: USAGE })}\r\n\r\n`,
  );
});
/** 1 MB in 64 pieces: some 20 s of PCM. */
const PIECES = Array.from({ length: 64 }, () => Buffer.alloc(16 * 1024, 7));
let calls = 0;

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    calls += 1;
    const path = request.url ?? '';
    if (path.endsWith('/audio/speech')) inPieces(response, 'audio/pcm', PIECES);
    else if (path.includes(':streamGenerateContent')) inPieces(response, 'text/event-stream', EVENTS);
    else whole(response, path.endsWith('/chat/completions') ? CHAT : GEMINI);
  });
});

function whole(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Each in a turn of its own, so that none travels with another by construction. */
function inPieces(response: ServerResponse, contentType: string, pieces: readonly Buffer[]): void {
  response.writeHead(200, { 'content-type': contentType });
  const send = (index: number) => {
    const piece = pieces[index];
    if (piece === undefined) return void response.end();
    if (response.write(piece)) setImmediate(send, index + 1);
    else response.once('drain', () => send(index + 1));
  };
  send(0);
}

server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  serveOrders(async () => ({ calls }));
  announce({ port: (server.address() as AddressInfo).port });
});
