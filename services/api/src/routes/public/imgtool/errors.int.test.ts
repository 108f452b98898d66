import { newTaskId, type Reason } from '@mediagate/contracts';
import { runSql } from '@mediagate/testkit';
import { type Answer, type Caller, startTestApi, type TestApi } from '../../../../test/test-api';

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
const REQUEST = { request_id: expect.any(String) };
const TEXT = { headers: { 'content-type': 'text/plain' } };
const MESSAGE = expect.stringMatching(/\w/);

/** The word of an error by its status; that of our own faults differs between families. */
const TYPES: Record<number, string> = { 402: 'payment_required', 404: 'not_found' };
const typeOf = (status: number, internal: string) =>
  status === 500 ? internal : (TYPES[status] ?? 'invalid_request_error');
const LEGACY_CODES: Record<number, number> = { 402: 9, 404: 3, 500: 9 };

interface Dialect {
  name: string;
  path: string;
  /** Where a task is read. */
  readAt: (id: string) => string;
  /** An error in the shape of the family. */
  say: (status: number, blame: object) => object;
}

const DIALECTS: Dialect[] = [
  {
    name: 'music',
    path: '/v1/music/generations/lyrics',
    readAt: (id) => `/v1/music/tasks/${id}`,
    say: (code, blame) => ({
      error: { code, message: MESSAGE, type: typeOf(code, 'server_error'), ...blame, ...REQUEST },
    }),
  },
  {
    name: 'the image tool',
    path: '/v1/imgtool/generations/imagine',
    readAt: (id) => `/v1/imgtool/${id}`,
    say: (status, blame) => ({
      error: { message: MESSAGE, type: typeOf(status, 'internal_error'), ...blame, ...REQUEST },
    }),
  },
  {
    name: 'the older interface',
    path: '/mj/submit/imagine',
    readAt: (id) => `/mj/task/${id}/fetch`,
    say: (status, blame) => ({
      code: LEGACY_CODES[status] ?? 4,
      description: MESSAGE,
      failReason: MESSAGE,
      result: null,
      properties: { ...blame, ...REQUEST },
    }),
  },
];

type Ask = (dialect: Dialect) => Promise<Answer>;
const send = ({ path }: Dialect, body: unknown, key = caller.key, init: RequestInit = {}) =>
  api.post(path, body, { key, ...init });

const FAULT = { param: 'prompt', message: expect.stringContaining('prompt') };
const MISSING = { reason: 'missing_parameter', param: 'prompt', errors: [{ ...FAULT, reason: 'missing_parameter' }] };
const WRONG = { reason: 'invalid_parameter', param: 'prompt', errors: [{ ...FAULT, reason: 'invalid_parameter' }] };

describe.each(DIALECTS)('errors of $name', (dialect) => {
  it.each<[why: string, status: number, reason: Reason, ask: Ask, more?: object]>([
    ['no JSON', 400, 'invalid_request', (at) => send(at, '{')],
    ['another content type', 415, 'unsupported_media_type', (at) => send(at, 'a', caller.key, TEXT)],
    [
      'an empty account',
      402,
      'insufficient_balance',
      async (at) => send(at, BODY, (await api.createCaller({ balance: '0' })).key),
      { required: expect.any(Number), available: 0, held: 0 },
    ],
    ['an unknown path', 404, 'not_found', ({ path }) => api.post(`${path}/x`, BODY, { key: caller.key })],
    ['a path that cannot be decoded', 400, 'invalid_request', ({ readAt }) => api.get(readAt('%'), caller)],
    ['an unknown task', 404, 'not_found', ({ readAt }) => api.get(readAt(newTaskId()), caller)],
    ['no task id', 404, 'not_found', ({ readAt }) => api.get(readAt('17'), caller)],
    ['another method', 405, 'method_not_allowed', ({ path }) => api.get(path, caller)],
    ['another method on a task', 405, 'method_not_allowed', ({ readAt }) => api.post(readAt(newTaskId()), {})],
    [
      'a fault of ours',
      500,
      'internal_error',
      async ({ path }) => broken.post(path, BODY, { key: (await broken.createCaller()).key }),
    ],
    ['a missing field', 400, 'missing_parameter', (at) => send(at, {}), MISSING],
    ['a blank field', 400, 'missing_parameter', (at) => send(at, { prompt: ' ' }), MISSING],
    ['a field of another type', 400, 'invalid_parameter', (at) => send(at, { prompt: 7 }), WRONG],
  ])('%s is %i for the reason %s', async (_why, status, reason, ask, ...[more = {}]) => {
    const answer = await ask(dialect);
    expect([answer.status, answer.body]).toEqual([status, dialect.say(status, { reason, ...more })]);
  });
});
