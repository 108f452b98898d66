import { listOperations, type ServedOperation } from '@mediagate/api-contract';
import { loadCatalogue } from '@mediagate/catalog';
import { forAllTests } from '@mediagate/testkit';
import { startTestApi, type TestApi } from './test-api';

let rows: Awaited<ReturnType<TestApi['countRows']>>;

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller({ canManage: true }));
beforeAll(async () => {
  rows = await api.countRows();
});
afterEach(async () => expect(await api.countRows()).toEqual(rows));

const OF_KEYS = listOperations(loadCatalogue().entries, { legacyPrefix: 'mj' }).filter(({ auth }) => auth === 'key');
const CHANGES = OF_KEYS.filter(({ method, errors }) => method !== 'get' && errors !== 'native' && errors !== 'legacy');
/** Texts are not served here; files are sent as forms alone. */
const WITH_JSON = OF_KEYS.filter(
  ({ body, errors, path }) => body !== undefined && errors !== 'native' && path !== '/v1/files',
);

const named = (operations: readonly ServedOperation[]) =>
  operations.map((operation) => [`${operation.method.toUpperCase()} ${operation.path}`, operation] as const);

async function ask({ method, path }: ServedOperation, { query = '', ...init }: RequestInit & { query?: string }) {
  const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json', ...init.headers };
  const url = `${api.url}${path.replace(/\{\w+\}/g, 'no-such')}${query}`;
  const response = await fetch(url, { method: method.toUpperCase(), ...init, headers });
  return { status: response.status, text: await response.text(), allow: response.headers.get('allow') };
}

it.each(named(OF_KEYS))('%s has no method beside its own, and says which those are', async (_, operation) => {
  const { status, allow } = await ask(operation, { method: 'PUT' });
  expect([status, allow]).toEqual([405, expect.stringContaining(operation.method.toUpperCase())]);
});

it.each(named(CHANGES))(
  '%s names a word in its query that it does not take, and changes nothing',
  async (_, operation) => {
    const body = operation.method === 'delete' ? {} : { body: '{}' };
    const { status, text } = await ask(operation, { query: '?no_such=true', ...body });
    expect([status, text]).toEqual([400, expect.stringContaining('no_such')]);
  },
);

it.each(named(WITH_JSON))(
  '%s refuses what is no JSON object of the right types, and changes nothing',
  async (_, operation) => {
    const { status } = await ask(operation, { headers: { 'content-type': 'text/plain' }, body: '{}' });
    expect(status).toBe(415);
    const wrong = {
      model: {},
      prompt: [],
      n: 'x',
      ids: 1,
      task_ids: 5,
      name: {},
      quota: {},
      kinds: 3,
      task_id: 9,
      url: 7,
    };
    const others = { path: 8, body: 3, bytes: 'x', overlap_seconds: 'x', low_balance: 'x', messages: 5, contents: 'x' };
    for (const body of ['{"a":', '[]', 'null', JSON.stringify({ ...wrong, ...others })]) {
      const answer = await ask(operation, { body });
      expect([body, [400, 404].includes(answer.status), answer.status]).toEqual([body, true, answer.status]);
    }
  },
);
