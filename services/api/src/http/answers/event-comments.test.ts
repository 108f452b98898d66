import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError, message } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import type { Response } from 'express';
import { RequestScope } from '../request-scope';
import { answerError } from './answer-error';
import { beginStream, breakSilence, hasBegun } from './event-comments';

const SILENCE_MS = 10;
const COMMENT = ':\n\n';

/** One answer of events, and a reader of what has come of it. */
async function openAnswer() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = once(server, 'request');
  const call = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const response = (await asked)[1] as ServerResponse as Response;
  const exchange = { response, scope: new RequestScope('request'), wording: {}, requestId: 'r' };
  const end = breakSilence(exchange, SILENCE_MS);
  return {
    exchange,
    end,
    answer: () => call,
    async close() {
      exchange.scope.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads until the text ends in that. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, end: string, before = ''): Promise<string> {
  const text = before + Buffer.from((await reader.read()).value ?? []).toString();
  return text.endsWith(end) ? text : readUntil(reader, end, text);
}

const logger = createLogger({ service: 'api', level: 'silent' });
const failure = () =>
  new GatewayError('upstream_unreachable', message('model_broke_off'), { reason: 'upstream_error' });

it('a silent answer sends its head with a comment, and comments in its pauses; its events stay whole', async () => {
  const { exchange, answer, close } = await openAnswer();
  const { response } = exchange;
  const { status, headers, body } = await answer();
  expect([status, headers.get('content-type'), hasBegun(exchange)]).toEqual([200, 'text/event-stream', false]);
  const reader = (body as NonNullable<typeof body>).getReader();
  await readUntil(reader, COMMENT);
  beginStream(response);
  response.write('data: one\n\n');
  expect(hasBegun(exchange)).toBe(true);
  expect((await readUntil(reader, `data: one\n\n${COMMENT}`)).replaceAll(COMMENT, '')).toBe('data: one\n\n');
  expect(hasBegun(exchange)).toBe(true);
  await close();
});

it('what fails after comments alone is told by an event', async () => {
  const { exchange, answer, close } = await openAnswer();
  const { body } = await answer();
  expect(answerError(exchange, failure(), 'openai', logger)).toBe('upstream_error');
  const text = await new globalThis.Response(body).text();
  expect(text.replaceAll(COMMENT, '')).toMatch(/^event: error\ndata: {"type":"error","error":{/);
  await close();
});

it('what fails before the first comment has its status, and after the first event a broken connection', async () => {
  const quick = await openAnswer();
  quick.end();
  answerError(quick.exchange, failure(), 'openai', logger);
  expect((await quick.answer()).status).toBe(502);
  await quick.close();
  const late = await openAnswer();
  late.exchange.response.write('data: one\n\n');
  answerError(late.exchange, failure(), 'openai', logger);
  await expect(late.answer().then((answer) => answer.text())).rejects.toThrow();
  await late.close();
});

it('a stream that breaks off with a backlog that nobody reads is closed within five seconds', async () => {
  const { exchange, answer, close } = await openAnswer();
  const { response } = exchange;
  const unread = `data: ${'x'.repeat(1024 * 1024)}\n\n`;
  beginStream(response);
  for (let count = 0; count < 64; count += 1) response.write(unread);
  await answer();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  answerError(exchange, failure(), 'openai', logger);
  await jest.advanceTimersByTimeAsync(4_999);
  expect(response.destroyed).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(response.destroyed).toBe(true);
  jest.useRealTimers();
  await close();
});
