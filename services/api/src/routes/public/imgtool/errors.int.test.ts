import { newTaskId, type Reason } from '@mediagate/contracts';
import { runSql } from '@mediagate/testkit';
import { type Answer, type Caller, type CallerOptions, startTestApi, type TestApi } from '../../../../test/test-api';

let api: TestApi;
/** Fails at whatever it is asked. */
let broken: TestApi;
let caller: Caller;

beforeAll(async () => {
  api = await startTestApi();
  broken = await startTestApi();
  await runSql(broken.database, 'alter table tasks rename to tasks_of_another_release');
  caller = await api.createCaller();
});
afterAll(async () => {
  await api.stop();
  await broken.stop();
});

const BODY = { prompt: 'a fox' };

/** The figures in an error for an account without money. */
const FIGURES = { required: expect.any(Number), available: 0, held: 0 };

const REQUEST = { request_id: expect.any(String) };

/** A submission for each family, and the family's shape of an error. */
const FAMILIES = [
  {
    name: 'music',
    path: '/v1/music/generations/lyrics',
    read: '/v1/music/tasks',
    body: BODY,
    say: (status: number, type: string, message: unknown, blame: object) => ({
      error: { code: status, message, type, ...blame, ...REQUEST },
    }),
    internal: 'server_error',
  },
  {
    name: 'the image tool',
    path: '/v1/imgtool/generations/imagine',
    read: '/v1/imgtool',
    body: BODY,
    say: (_status: number, type: string, message: unknown, blame: object) => ({
      error: { message, type, ...blame, ...REQUEST },
    }),
    internal: 'internal_error',
  },
] as const;

describe.each(FAMILIES)('errors of $name', ({ path, read, body, say, internal }) => {
  const send = (sent: unknown, key = caller.key, init: RequestInit = {}) => api.post(path, sent, { key, ...init });
  const keyOf = async (options: CallerOptions) => (await api.createCaller(options)).key;
  const saying = ({ status, body: answer }: Answer) => [status, answer];

  it.each<[why: string, status: number, type: string, reason: Reason, ask: () => Promise<Answer>]>([
    ['no JSON', 400, 'invalid_request_error', 'invalid_request', () => send('{')],
    ['another content type', 415, 'invalid_request_error', 'unsupported_media_type', () => send('a', caller.key, text)],
    ['no key', 401, 'authentication_error', 'unauthenticated', () => send(body, '')],
    ['an unknown key', 401, 'authentication_error', 'unauthenticated', () => send(body, 'mg_nobody_x')],
    [
      'an empty account',
      402,
      'payment_required',
      'insufficient_balance',
      async () => send(body, await keyOf({ balance: '0' })),
    ],
    [
      'a key for another family',
      403,
      'permission_error',
      'key_not_permitted',
      async () => send(body, await keyOf({ families: ['image'] })),
    ],
    ['an unknown path', 404, 'not_found', 'not_found', () => api.post(`${path}/x`, body, { key: caller.key })],
    [
      'a path that cannot be decoded',
      400,
      'invalid_request_error',
      'invalid_request',
      () => api.get(`${read}/%`, { key: caller.key }),
    ],
    ['an unknown task', 404, 'not_found', 'not_found', () => api.get(`${read}/${newTaskId()}`, { key: caller.key })],
    ['no task id', 404, 'not_found', 'not_found', () => api.get(`${read}/17`, { key: caller.key })],
    ['another method', 405, 'invalid_request_error', 'method_not_allowed', () => api.get(path, { key: caller.key })],
    [
      'another method on a task',
      405,
      'invalid_request_error',
      'method_not_allowed',
      () => api.post(`${read}/${newTaskId()}`, {}),
    ],
    [
      'a fault of ours',
      500,
      internal,
      'internal_error',
      async () => broken.post(path, body, { key: (await broken.createCaller()).key }),
    ],
  ])('%s is %i %s, for the reason %s', async (_why, status, type, reason, ask) => {
    const more = status === 402 ? FIGURES : {};
    const expected = say(status, type, expect.stringMatching(/\w/), { reason, ...more });
    expect(saying(await ask())).toEqual([status, expected]);
  });

  it.each<[why: string, sent: object, reason: Reason, param: string]>([
    ['a missing field', {}, 'missing_parameter', 'prompt'],
    ['a blank field', { prompt: ' ' }, 'missing_parameter', 'prompt'],
    ['a field of another type', { prompt: 7 }, 'invalid_parameter', 'prompt'],
  ])('%s is named', async (_why, sent, reason, param) => {
    const fault = { reason, param, message: expect.stringContaining(param) };
    const said = say(400, 'invalid_request_error', fault.message, { reason, param, errors: [fault] });
    expect(saying(await send(sent))).toEqual([400, said]);
  });

  it('too many requests are 429 rate_limit_error, and say when to come back', async () => {
    const key = await keyOf({ submitPerMinute: 1 });
    await send(body, key);
    const refused = await send(body, key);
    expect(saying(refused)).toEqual([
      429,
      say(429, 'rate_limit_error', expect.any(String), { reason: 'rate_limited' }),
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('one Idempotency-Key for two bodies is 409 invalid_request_error', async () => {
    const once = {
      headers: { 'idempotency-key': `two-bodies${path.replaceAll('/', '-')}`, 'content-type': 'application/json' },
    };
    expect((await send(body, caller.key, once)).status).toBe(200);
    const other = await send({ prompt: 'an owl' }, caller.key, once);
    expect(saying(other)).toEqual([
      409,
      say(409, 'invalid_request_error', expect.any(String), { reason: 'idempotency_conflict' }),
    ]);
  });
});

describe('errors of the legacy family', () => {
  const send = (body: unknown, key = caller.key, init: RequestInit = {}) =>
    api.post('/mj/submit/imagine', body, { key, ...init });
  const keyOf = async (options: CallerOptions) => (await api.createCaller(options)).key;

  it.each<[why: string, status: number, code: number, reason: Reason, ask: () => Promise<Answer>, param?: string]>([
    ['a missing field', 400, 4, 'missing_parameter', () => send({}), 'prompt'],
    ['no JSON', 400, 4, 'invalid_request', () => send('{')],
    ['another content type', 415, 4, 'unsupported_media_type', () => send('a', caller.key, text)],
    ['no key', 401, 9, 'unauthenticated', () => send(BODY, '')],
    ['an empty account', 402, 9, 'insufficient_balance', async () => send(BODY, await keyOf({ balance: '0' }))],
    [
      'a key for another family',
      403,
      9,
      'key_not_permitted',
      async () => send(BODY, await keyOf({ families: ['image'] })),
    ],
    ['an unknown path', 404, 3, 'not_found', () => api.post('/mj/submit/sing', BODY, { key: caller.key })],
    [
      'a path that cannot be decoded',
      400,
      4,
      'invalid_request',
      () => api.get('/mj/task/%/fetch', { key: caller.key }),
    ],
    ['an unknown task', 404, 3, 'not_found', () => api.get(`/mj/task/${newTaskId()}/fetch`, { key: caller.key })],
    ['another method', 405, 4, 'method_not_allowed', () => api.get('/mj/submit/imagine', { key: caller.key })],
    [
      ...(['a fault of ours', 500, 9, 'internal_error'] as const),
      async () => broken.post('/mj/submit/imagine', BODY, { key: (await broken.createCaller()).key }),
    ],
  ])('%s is %i, code %i, for the reason %s', async (_why, status, code, reason, ask, ...[param]) => {
    const answer = await ask();
    const description = expect.stringMatching(/\w/);
    const blame = param === undefined ? {} : { param, errors: [{ reason, param, message: description }] };
    const properties = { reason, ...blame, ...(status === 402 ? FIGURES : {}), ...REQUEST };
    const said = { code, description, failReason: description, result: null, properties };
    expect([answer.status, answer.body]).toEqual([status, said]);
  });
});

const text = { headers: { 'content-type': 'text/plain' } };
