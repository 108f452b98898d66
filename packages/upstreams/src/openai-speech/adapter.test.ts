import type { ServerResponse } from 'node:http';
import type { Streaming } from '@mediagate/contracts';
import { describeAdapterConformance } from '../../test/adapter-conformance';
import { callContext, named, plainOutcome, readAll, readFixtures, startRequest } from '../../test/fixtures';
import { type ReplayServer, startReplayServer } from '../conformance/replay-server';
import {
  type Adapter,
  BrokenAnswerError,
  checkChannelOptions,
  createAdapters,
  createHttpClient,
  type HttpClient,
} from '../index';

const PROTOCOL = 'openai-speech';

describeAdapterConformance({
  protocol: PROTOCOL,
  basePath: '/v1',
  vendorWords: /openai|tts-1|gpt/i,
  answers: 'streams',
});

const success = named(readFixtures(PROTOCOL), 'success');
const REQUEST = startRequest(success, success);

const MEBIBYTE = 1024 * 1024;

let server: ReplayServer | undefined;
let http: HttpClient | undefined;

afterEach(async () => {
  jest.useRealTimers();
  await http?.close();
  await server?.close();
});

function adapter(client = createHttpClient()): Adapter {
  http = client;
  const found = createAdapters({ http: client }).get(PROTOCOL);
  if (!found) throw new Error('no adapter');
  return found;
}

async function listen(answer: (response: ServerResponse) => void): Promise<ReplayServer> {
  server = await startReplayServer(answer);
  return server;
}

function begin(response: ServerResponse, headers: Record<string, string | number> = {}): void {
  response.writeHead(200, { 'content-type': 'audio/mpeg', ...headers });
  response.write('first');
}

/** The start of the fixture's text at a vendor that the test scripts; it must begin. */
async function stream(
  answer: (response: ServerResponse) => void,
  signal = new AbortController().signal,
  client?: HttpClient,
) {
  const { origin } = await listen(answer);
  const outcome = await adapter(client).start(REQUEST, callContext(`${origin}/v1`, {}, { signal }));
  if (outcome.kind !== 'streaming') throw new Error(`no audio: ${outcome.kind}`);
  return outcome;
}

function breakOf({ body }: Streaming): Promise<unknown> {
  return readAll(body).then(
    () => 'whole',
    (error: unknown) => (error instanceof BrokenAnswerError ? error.why : error),
  );
}

it('begins with the vendor, before the audio is whole, and tells his request id', async () => {
  let finish = () => {};
  const streaming = await stream((response) => {
    begin(response, { 'x-request-id': 'req_9' });
    finish = () => response.end(' last');
  });
  expect(streaming.requestIds).toEqual(['req_9']);
  const chunks = streaming.body[Symbol.asyncIterator]();
  expect(String((await chunks.next()).value)).toBe('first');
  finish();
  expect(String((await chunks.next()).value)).toBe(' last');
  expect((await chunks.next()).done).toBe(true);
});

it.each([
  ['short of its length', { 'content-length': 100 }],
  ['without its last chunk', {}],
])('audio that ends %s breaks off', async (_, headers) => {
  const streaming = await stream((response) => {
    begin(response, headers);
    setImmediate(() => response.destroy());
  });
  expect(await breakOf(streaming)).toBe('cut');
});

it('audio without a byte is none', async () => {
  const streaming = await stream((response) => response.writeHead(200, { 'content-type': 'audio/wav' }).end());
  expect(await breakOf(streaming)).toBe('empty');
});

it('a vendor who falls silent for 30 seconds is left, and one who only hesitates is not', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
  let hesitating: ServerResponse | undefined;
  const streaming = await stream((response) => {
    begin(response);
    hesitating = response;
  });
  const chunks = streaming.body[Symbol.asyncIterator]();
  await chunks.next();
  jest.advanceTimersByTime(29_999);
  hesitating?.write('next');
  expect(String((await chunks.next()).value)).toBe('next');
  jest.advanceTimersByTime(29_999);
  const last = chunks.next();
  jest.advanceTimersByTime(1);
  await expect(last).rejects.toMatchObject({ why: 'stalled' });
});

it('a vendor who never ends is left at 256 MB, and no watch over his silence goes on', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
  const bounds: (number | undefined)[] = [];
  const client = createHttpClient();
  // The bound that the adapter sets, and a smaller one for the bytes of this test.
  const smaller: HttpClient = {
    ...client,
    stream(request) {
      bounds.push(request.maxBodyBytes);
      return client.stream({ ...request, maxBodyBytes: 4 * MEBIBYTE });
    },
  };
  const endless = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'audio/pcm' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(MEBIBYTE)));
    };
    response.on('drain', more);
    more();
  };
  const streaming = await stream(endless, undefined, smaller);
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of streaming.body) bytes += chunk.length;
  })();
  await expect(reading).rejects.toMatchObject({ why: 'too_large' });
  expect([bounds, bytes <= 4 * MEBIBYTE]).toEqual([[256 * MEBIBYTE], true]);
  await http?.close();
  expect(jest.getTimerCount()).toBe(0);
});

it.each(['leaves', 'aborts'])('a listener who %s ends the call at the vendor', async (way) => {
  let left: Promise<unknown> = Promise.resolve();
  const abort = new AbortController();
  const streaming = await stream((response) => {
    left = new Promise((resolve) => response.once('close', resolve));
    begin(response);
  }, abort.signal);
  const chunks = streaming.body[Symbol.asyncIterator]();
  await chunks.next();
  if (way === 'leaves') await chunks.return?.();
  else abort.abort();
  await left;
});

it('a vendor who does not begin in time has an unknown outcome', async () => {
  const { origin } = await listen(() => undefined);
  const outcome = await adapter().start(REQUEST, callContext(`${origin}/v1`, { timeout_seconds: 1 }));
  expect(await plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'outcome_unknown' } });
});

it('a refusal that does not end is judged by its status after 5 seconds', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
  const { origin, waitFor } = await listen((response) => {
    response.writeHead(429, { 'content-type': 'application/json' });
    response.write('{"error": ');
  });
  const started = adapter().start(REQUEST, callContext(`${origin}/v1`));
  await waitFor(1);
  let outcome: Awaited<typeof started> | undefined;
  void started.then((ended) => {
    outcome = ended;
  });
  for (let turn = 0; outcome === undefined; turn += 1) {
    if (turn > 1_000) throw new Error('still reading');
    jest.advanceTimersByTime(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'rate_limited' } });
});

it('audio that came compressed cannot be given on', async () => {
  const { origin } = await listen((response) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-encoding': 'gzip' });
    response.end('RIFF');
  });
  const outcome = await adapter().start(REQUEST, callContext(`${origin}/v1`));
  expect(await plainOutcome(outcome)).toEqual({ kind: 'refused', fault: { code: 'outcome_unknown' } });
});

it('throws for what is no speech request, as a bug of the catalogue', async () => {
  const request = { ...REQUEST, request: { input: 'x', voice: 'alloy' } };
  await expect(adapter().start(request, callContext('http://127.0.0.1:1'))).rejects.toThrow(TypeError);
});

it('knows the options of a channel', () => {
  expect(checkChannelOptions(PROTOCOL, { organization: 'org-1', project: 'p', timeout_seconds: 120 })).toBeUndefined();
  expect(checkChannelOptions(PROTOCOL, { timeout_seconds: 121 })).toContain('timeout_seconds');
});
