import type { ServerResponse } from 'node:http';
import { type JsonObject, message } from '@mediagate/contracts';
import {
  createGeminiText,
  createHttpClient,
  type HttpClient,
  TEXT_METHODS,
  type TextCall,
  type TextUpstream,
} from '../src';
import {
  closedOrigin,
  type Replay,
  type ReplayServer,
  replyWith,
  startReplayServer,
} from '../src/conformance/replay-server';
import { API_KEY, callContext, readAll } from './fixtures';

/*
 * Sources: googleapis/js-genai src/models.ts and src/_api_client.ts for paths, headers and answers; google.rpc.Status,
 * QuotaFailure and RetryInfo as JSON for errors (vercel/ai packages/google fixtures google-429-retry-info.json).
 */

let server: ReplayServer | undefined;
let http: HttpClient | undefined;

afterEach(async () => {
  jest.useRealTimers();
  await http?.close();
  await server?.close();
});

async function listen(replay: Replay): Promise<ReplayServer> {
  server = await startReplayServer(replay);
  return server;
}

function upstream(): TextUpstream {
  http = createHttpClient();
  return createGeminiText(http);
}

const BODY = Buffer.from('{ "contents":[{"parts":[{"text":"Grüße\\u0021"}]}], "newField" : 1.50 }');
const CALL: TextCall = { method: 'generateContent', sse: false, body: BODY, json: {} };
const EVENTS: TextCall = { method: 'streamGenerateContent', sse: true, body: BODY, json: {} };

async function callAgainst(replay: Replay, call = CALL, signal = new AbortController().signal) {
  const { origin } = await listen(replay);
  return upstream().call(call, callContext(`${origin}/v1beta`, {}, { signal }));
}

function answering(contentType: string, body: string): Replay {
  return (response) => replyWith(response, 200, { 'content-type': contentType }, body);
}

describe('a call', () => {
  const wires: [string, TextCall, string, string][] = [
    ['generateContent', CALL, '/v1beta/models/vendor-model:generateContent', 'application/json; charset=UTF-8'],
    ['events', EVENTS, '/v1beta/models/vendor-model:streamGenerateContent?alt=sse', 'text/event-stream'],
    [
      'an array',
      { ...EVENTS, sse: false },
      '/v1beta/models/vendor-model:streamGenerateContent',
      'application/json; charset=UTF-8',
    ],
    ['countTokens', { ...CALL, method: 'countTokens' }, '/v1beta/models/vendor-model:countTokens', 'application/json'],
  ];

  it.each<[where: string, json: JsonObject]>([
    ['the conversation', { contents: [{ parts: [{ text: 'What?' }, { inlineData: { mimeType: 'image/gif' } }] }] }],
    ['the instruction', { systemInstruction: { parts: { inline_data: { mime_type: 'image/gif' } } } }],
  ])('with an image in %s that the vendor does not read is left to another channel', async (_where, json) => {
    const answer = await callAgainst(answering('application/json', '{}'), { ...CALL, json });
    expect(answer).toMatchObject({ fault: { code: 'cannot_carry', message: { params: { type: 'image/gif' } } } });
    expect(server?.received).toEqual([]);
  });

  const contents = [{ parts: [{ text: 'x' }] }];
  const callOf = async (model: string, json: JsonObject) => {
    const { origin } = await listen(answering('application/json', '{}'));
    const body = Buffer.from(JSON.stringify(json));
    const answer = await upstream().call({ ...CALL, body, json }, callContext(`${origin}/v1beta`, {}, { model }));
    return { answer, sent: server?.received.map(({ body: bytes }) => JSON.parse(String(bytes))) };
  };
  const config = (generationConfig: JsonObject): JsonObject => ({ contents, generationConfig });
  const NONE = { topK: 1, thinkingConfig: { thinkingBudget: 0 } };
  const NONE_BY_WIRE_NAMES = { contents, generation_config: { topK: 1, thinking_config: { thinking_budget: 0 } } };
  const level = (thinkingLevel: string) => config({ topK: 1, thinkingConfig: { thinkingLevel } });

  it.each<[why: string, model: string, json: JsonObject, expected: JsonObject]>([
    ['no thoughts of a model that need not think', 'gemini-3.5-flash-lite', config(NONE), level('minimal')],
    ['no thoughts, by the names of the wire', 'google/gemini-3.8-flash', NONE_BY_WIRE_NAMES, level('low')],
    [
      'some thoughts',
      'gemini-4-flash',
      config({ thinkingConfig: { thinkingBudget: 9 } }),
      config({ thinkingConfig: { thinkingBudget: 9 } }),
    ],
    ['no thoughts of a model before the third generation', 'gemini-2.5-flash', config(NONE), config(NONE)],
    [
      'two answers of a model before it',
      'gemini-2.5-flash',
      config({ candidateCount: 2 }),
      config({ candidateCount: 2 }),
    ],
  ])('asks for %s as the model takes it', async (_why, model, json, expected) => {
    expect((await callOf(model, json)).sent).toEqual([expected]);
  });

  it('is left to another channel where several answers are wanted of a model of the third generation', async () => {
    const { answer, sent } = await callOf('gemini-3.8-flash', { contents, generation_config: { candidate_count: 2 } });
    expect(answer).toMatchObject({ fault: { code: 'cannot_carry', message: { params: { name: 'candidateCount' } } } });
    expect(sent).toEqual([]);
  });

  it.each(wires)('of %s goes out to the byte, and comes back to the byte', async (_, call, path, contentType) => {
    const answer = await callAgainst(answering(contentType, '[{"ü": \r\n1}'), call);
    if (answer.kind !== 'answer') throw new Error('no answer');
    expect(answer).toMatchObject({ status: 200, contentType: contentType.replace(/;.*/, '') });
    expect(String(await readAll(answer.body))).toBe('[{"ü": \r\n1}');
    expect(server?.received).toMatchObject([
      {
        method: 'POST',
        path,
        headers: {
          'x-goog-api-key': API_KEY,
          'content-type': 'application/json',
          'content-length': String(BODY.length),
          'accept-encoding': 'identity',
        },
        body: BODY,
      },
    ]);
  });

  it('is of every method that there is', () => {
    expect(new Set(wires.map(([, { method }]) => method))).toEqual(new Set(TEXT_METHODS));
  });

  it('reports what the head of its answer says of the model’s end', async () => {
    const { origin } = await listen((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', deprecation: '@1795651200' });
      response.end('data: {}\r\n\r\n');
    });
    const heed = jest.fn();
    http = createHttpClient({ heed });
    const answer = await createGeminiText(http).call(EVENTS, callContext(`${origin}/v1beta`));
    if (answer.kind !== 'answer') throw new Error('no answer');
    await readAll(answer.body);
    const words = 'Deprecation: @1795651200';
    expect(heed.mock.calls).toMatchObject([[{ model: 'vendor-model', servedUntil: undefined, words }]]);
  });

  it('begins to answer before the answer is whole', async () => {
    let finish = () => {};
    const answer = await callAgainst((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"a":1}\r\n\r\n');
      finish = () => response.end('data: {"b":2}\r\n\r\n');
    }, EVENTS);
    if (answer.kind !== 'answer') throw new Error('no answer');
    const chunks = answer.body[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe('data: {"a":1}\r\n\r\n');
    finish();
    expect(String((await chunks.next()).value)).toBe('data: {"b":2}\r\n\r\n');
  });

  it('an answer that is cut breaks off', async () => {
    const answer = await callAgainst((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"a":1}\r\n\r\n', () => response.destroy());
    }, EVENTS);
    if (answer.kind !== 'answer') throw new Error('no answer');
    await expect(readAll(answer.body)).rejects.toMatchObject({ name: 'BrokenAnswerError', why: 'cut' });
  });

  it('an answer that falls silent for two minutes breaks off, no sooner', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    const answer = await callAgainst((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"a":1}\r\n\r\n');
    }, EVENTS);
    if (answer.kind !== 'answer') throw new Error('no answer');
    const chunks = answer.body[Symbol.asyncIterator]();
    await chunks.next();
    const next = chunks.next();
    const brokeOff = jest.fn();
    next.catch(brokeOff);
    jest.advanceTimersByTime(119_999);
    // The vendor's silence is judged in the turn behind the timer's.
    for (const _ of [1, 2]) await new Promise((resolve) => setImmediate(resolve));
    expect(brokeOff).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    await expect(next).rejects.toMatchObject({ why: 'stalled' });
  });
});

describe('a refusal', () => {
  const status = (code: number, word: string, words: string, details: object[] = []) => ({
    error: { code, status: word, message: words, details },
  });
  const quotaFailure = (quotaId: string) => ({
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId }],
  });
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' };
  const badKey = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
  };

  it.each([
    [
      400,
      status(400, 'INVALID_ARGUMENT', 'Please use a valid role: user, model.'),
      { code: 'bad_request', message: message('foreign', { text: 'Please use a valid role: user, model.' }) },
    ],
    [
      400,
      status(400, 'INVALID_ARGUMENT', 'Request contains a file of project 12345: use another.'),
      { code: 'bad_request' },
    ],
    [
      400,
      status(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [badKey]),
      { code: 'operator' },
    ],
    [400, status(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'), { code: 'operator' }],
    [401, status(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'), { code: 'operator' }],
    [403, status(403, 'PERMISSION_DENIED', 'Consumer projects/1 has been suspended.'), { code: 'operator' }],
    [
      404,
      status(404, 'NOT_FOUND', 'models/vendor-model is not found for API version v1beta.'),
      { code: 'operator', ofModel: true },
    ],
    [
      429,
      status(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
        quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
        retryInfo,
      ]),
      { code: 'rate_limited', retryAfterMs: 34_400 },
    ],
    [
      429,
      status(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
        quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
      ]),
      { code: 'operator' },
    ],
    [500, status(500, 'INTERNAL', 'An internal error has occurred.'), { code: 'upstream_fault' }],
    [503, status(503, 'UNAVAILABLE', 'The model is overloaded.'), { code: 'not_accepted' }],
    [504, status(504, 'DEADLINE_EXCEEDED', 'The request timed out.'), { code: 'upstream_fault' }],
    [502, '<html>bad gateway</html>', { code: 'outcome_unknown' }],
    [504, '<html>gateway timeout</html>', { code: 'outcome_unknown' }],
    [307, '', { code: 'operator' }],
    [200, status(500, 'INTERNAL', 'An internal error has occurred.'), { code: 'upstream_fault' }],
    [200, '<html>sign in</html>', { code: 'outcome_unknown' }],
    [200, '', { code: 'outcome_unknown' }],
  ])('under %i is told apart: %j', async (code, body, fault) => {
    // An error is always JSON, also where events were asked for.
    const headers = typeof body === 'string' ? { 'content-type': 'text/html' } : {};
    const outcome = await callAgainst((response) => replyWith(response, code, headers, body), EVENTS);
    expect(outcome).toEqual({ kind: 'refused', fault: { ...fault, detail: expect.any(String) } });
    if (outcome.kind !== 'refused') throw new Error('an answer');
    expect(outcome.fault.detail).not.toMatch(/role|location|current quota|project|googleapis/i);
    expect(outcome.fault.detail).toContain(code === 200 && typeof body === 'string' ? 'success' : String(code));
  });

  it('keeps out of its detail what may quote the prompt', async () => {
    const words = 'Invalid value at contents: "the secret plan of the day"';
    const outcome = await callAgainst((response) =>
      replyWith(response, 400, {}, status(400, 'INVALID_ARGUMENT', words)),
    );
    expect(outcome).toMatchObject({
      fault: { detail: 'status 400: INVALID_ARGUMENT', message: message('foreign', { text: words }) },
    });
  });

  it.each<[string, (response: ServerResponse) => void, boolean]>([
    ['a reset after the request was read', (response) => response.destroy(), true],
    ['silence until the deadline', () => undefined, false],
  ])('%s has an unknown outcome', async (_, replay, atOnce) => {
    const { origin } = await listen(replay);
    const context = callContext(`${origin}/v1beta`, atOnce ? {} : { timeout_seconds: 1 });
    expect(await upstream().call(CALL, context)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
  });

  it('of a connection was not accepted', async () => {
    const outcome = await upstream().call(CALL, callContext(await closedOrigin()));
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'not_accepted' } });
  });

  it('by a caller who left beforehand was not accepted, and nothing was sent', async () => {
    const outcome = await callAgainst(answering('application/json', '{}'), CALL, AbortSignal.abort());
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'not_accepted' } });
    expect(server?.received).toEqual([]);
  });
});

it.each([
  [undefined, 300_000],
  [20, 20_000],
  [1800, 300_000],
])('waits for an answer, with timeout_seconds %p, for %i ms', async (seconds, expected) => {
  const waits: number[] = [];
  const stream: HttpClient['stream'] = async ({ headersTimeoutMs }) => {
    waits.push(headersTimeoutMs);
    return { kind: 'lost', sent: false, why: 'aborted' };
  };
  const options = seconds === undefined ? {} : { timeout_seconds: seconds };
  const context = callContext('http://127.0.0.1:9/v1beta', {}, { signal: new AbortController().signal });
  const text = createGeminiText({ ...createHttpClient(), stream });
  await text.call(CALL, { ...context, endpoint: { ...context.endpoint, options } });
  expect(waits).toEqual([expected]);
});

it.each(['busy', 'deadline'] as const)(
  'holds nothing against the vendor where no connection was free: %s',
  async (why) => {
    const stream: HttpClient['stream'] = async () => ({ kind: 'lost', sent: false, why });
    const context = callContext('http://127.0.0.1:9/v1beta', {}, { signal: new AbortController().signal });
    const text = createGeminiText({ ...createHttpClient(), stream });
    expect(await text.call(CALL, context)).toMatchObject({ kind: 'refused', fault: { code: 'rate_limited' } });
  },
);
