import { ApiError, ConnectionError, createClient } from '../src/index.ts';
import { json, lost, type Step, scriptedFetch } from './scripted-fetch.ts';

const ACCEPTED = { code: 200, data: [{ status: 'submitted', task_id: 'task_1' }] };
const IMAGE = { model: 'imageseed-4.0', prompt: 'a lighthouse' } as const;
const unavailable = () => json(503, { error: { reason: 'service_unavailable' } });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function clientOf(...steps: Step[]) {
  const { fetch, requests } = scriptedFetch(...steps);
  return { client: createClient({ baseUrl: 'https://gateway.example/', apiKey: 'mg_key', fetch }), requests };
}

/** The outcome, with all waits of it passed over. */
async function outcome<T>(work: Promise<T>): Promise<T | Error> {
  const settled = work.catch((error: Error) => error);
  await jest.advanceTimersByTimeAsync(120_000);
  return settled;
}

it('a submission is sent again after a lost connection, 5xx and 429, under one idempotency key', async () => {
  const turnedAway = json(429, {}, { 'retry-after': '7' });
  const { client, requests } = clientOf(lost(), unavailable(), turnedAway, json(200, ACCEPTED));
  expect(await outcome(client.submit('/v1/images/generations', IMAGE))).toEqual({
    taskId: 'task_1',
    warnings: [],
    replayed: false,
  });
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(requests[0]?.url).toBe('https://gateway.example/v1/images/generations');
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer mg_key');
});

it('two submissions never share an idempotency key, and a caller may give one', async () => {
  const { client, requests } = clientOf(json(200, ACCEPTED), json(200, ACCEPTED), json(200, ACCEPTED));
  await client.submit('/v1/images/generations', IMAGE);
  await client.submit('/v1/images/generations', IMAGE);
  await client.submit('/v1/images/generations', IMAGE, { idempotencyKey: 'order-7', strict: true, language: 'de' });
  const [first, second, third] = requests.map(({ headers }) => headers);
  expect(first?.get('idempotency-key')).not.toBe(second?.get('idempotency-key'));
  expect([third?.get('idempotency-key'), third?.get('strict'), third?.get('accept-language')]).toEqual([
    'order-7',
    'true',
    'de',
  ]);
});

it('a key that is made or changed, and a callback that is sent again, is made once however often it is sent', async () => {
  const record = { code: 200, data: { id: 'one' } };
  const { client, requests } = clientOf(...Array.from({ length: 3 }, () => [lost(), json(200, record)]).flat());
  await outcome(client.createKey({ name: 'website' }));
  await outcome(client.updateKey('one', { name: 'site' }));
  await outcome(client.redeliver('task_1', { idempotencyKey: 'mine' }));
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(
    ['POST /v1/keys', 'PATCH /v1/keys/one', 'POST /v1/tasks/task_1/redeliver'].flatMap((each) => [each, each]),
  );
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  for (const first of [0, 2, 4]) expect(keys[first]).toBe(keys[first + 1]);
  expect(new Set(keys).size).toBe(3);
  expect(keys[4]).toBe('mine');
});

it('a request is given up after three retries, with the last error', async () => {
  const { client, requests } = clientOf(lost(), lost(), lost(), unavailable());
  expect(await outcome(client.getTask('task_1'))).toMatchObject({ status: 503, reason: 'service_unavailable' });
  expect(requests).toHaveLength(4);
});

it('a longer wait than a minute is the caller’s to decide', async () => {
  const { client, requests } = clientOf(json(429, {}, { 'retry-after': '3600' }));
  expect(await outcome(client.getTask('task_1'))).toMatchObject({ status: 429, retryAfterSeconds: 3600 });
  expect(requests).toHaveLength(1);
});

it('what would have its effect twice is not sent again unless it was turned away', async () => {
  const secret = { code: 200, data: { secret: 'whsec_', previous_valid_until: null } };
  const turnedAway = clientOf(json(429, {}, { 'retry-after': '1' }), json(200, secret));
  expect(await outcome(turnedAway.client.rotateWebhookSecret({ overlapSeconds: 60 }))).toEqual(secret.data);
  expect(await turnedAway.requests[1]?.json()).toEqual({ overlap_seconds: 60 });
  for (const step of [lost(), unavailable()]) {
    const { client, requests } = clientOf(step);
    expect(await outcome(client.rotateWebhookSecret())).toBeInstanceOf(Error);
    expect(requests).toHaveLength(1);
  }
});

it('an error says what the gateway says', async () => {
  const errors = [
    { param: 'prompt', reason: 'missing_parameter', message: 'prompt is required' },
    { param: 'n', reason: 'invalid_parameter', message: 'n must be from 1 to 15' },
  ];
  const body = {
    error: { code: 400, message: 'prompt is required', reason: 'missing_parameter', param: 'prompt', errors },
  };
  const { client, requests } = clientOf(json(400, body, { 'x-request-id': 'req-1' }));
  const error = await outcome(client.submit('/v1/images/generations', IMAGE));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    message: 'prompt is required',
    status: 400,
    reason: 'missing_parameter',
    param: 'prompt',
    errors,
    requestId: 'req-1',
  });
  expect(requests).toHaveLength(1);
});

it.each([
  ['that is no JSON', () => new Response('<h1>Bad gateway</h1>', { status: 403 })],
  ['of another shape', () => json(403, ['no'])],
  ['without an object', () => json(403, { error: 'forbidden' })],
])('an error of something between, %s, is an error by its status', async (_what, answer) => {
  const { client } = clientOf(answer());
  const error = await outcome(client.getTask('task_1'));
  expect(error).toMatchObject({ status: 403, reason: undefined, errors: [], requestId: undefined });
});

it('an answer of 200 that is no JSON is no answer of the gateway', async () => {
  const { client } = clientOf(new Response('<h1>Log in</h1>'));
  expect(await outcome(client.getTask('task_1'))).toBeInstanceOf(ApiError);
});

it('a caller who aborts gets the reason, and nothing is sent again', async () => {
  const abort = new AbortController();
  const reason = new Error('enough');
  const { client, requests } = clientOf(() => {
    abort.abort(reason);
    throw lost();
  });
  expect(await outcome(client.getTask('task_1', { signal: abort.signal }))).toBe(reason);
  expect(requests).toHaveLength(1);
});

it('a caller who aborts between two requests does not wait for the second', async () => {
  const abort = new AbortController();
  const { client } = clientOf(json(429, {}, { 'retry-after': '50' }));
  const work = client.getTask('task_1', { signal: abort.signal }).catch((error: Error) => error);
  await jest.advanceTimersByTimeAsync(1_000);
  abort.abort(new Error('enough'));
  expect(await work).toEqual(new Error('enough'));
});

it('a connection that fails names what it was for', async () => {
  const { client } = clientOf(lost(), lost(), lost(), lost());
  const error = await outcome(client.getBalance());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: expect.stringContaining('GET /v1/balance'), cause: expect.any(TypeError) });
});

it('a submission that waited brings the ended task, with its warnings apart', async () => {
  const record = { id: 'task_1', status: 'completed', warnings: ['colour was ignored'] };
  const replayed = { 'idempotency-replayed': 'true' };
  const { client, requests } = clientOf(json(200, { code: 200, data: record }, replayed));
  expect(await client.submit('/v1/images/generations', IMAGE, { waitSeconds: 30 })).toEqual({
    taskId: 'task_1',
    warnings: ['colour was ignored'],
    replayed: true,
    task: { id: 'task_1', status: 'completed' },
  });
  expect(requests[0]?.headers.get('prefer')).toBe('wait=30');
});

it('a list asks for its pages as they are needed, by the same filters', async () => {
  const page = (ids: string[], next_cursor: string | null) =>
    json(200, { data: ids.map((id) => ({ id })), next_cursor });
  const { client, requests } = clientOf(page(['c', 'b'], 'next'), page([], 'last'), page(['a'], null));
  const ids = [];
  for await (const { id } of client.listTasks({ status: 'failed', metadata: { 'order id': '7&8' } })) {
    ids.push(id);
    expect(requests).toHaveLength(id === 'a' ? 3 : 1);
  }
  expect(ids).toEqual(['c', 'b', 'a']);
  const queries = requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  const filters = { status: 'failed', 'metadata.order id': '7&8' };
  expect(queries).toEqual([filters, { ...filters, cursor: 'next' }, { ...filters, cursor: 'last' }]);
});
