import type { ServedOperation } from '@mediagate/api-contract';
import { OPERATOR_ROLES } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { named, OPERATIONS, oneOfEach } from './shared/operations';
import { startTestApi, type TestApi } from './test-api';

let rows: Awaited<ReturnType<TestApi['countRows']>>;

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller({ canManage: true }));
beforeAll(async () => {
  rows = await api.countRows();
});
afterEach(async () => expect(await api.countRows()).toEqual(rows));

const OF_KEYS = OPERATIONS.filter((operation) => operation.auth === 'key');
/** Routes that count tokens, or list tasks for older clients, take any word in their query, and change nothing. */
const CHANGES = OF_KEYS.filter(
  (operation) => operation.method !== 'get' && (operation.bucket === 'submit' || operation.errors === undefined),
);
/** Texts are not served here; files are sent as forms alone. */
const WITH_JSON = OF_KEYS.filter(
  ({ body, errors, path }) => body !== undefined && errors !== 'native' && path !== '/v1/files',
);

/** With the name of a model that there is, so that nothing but the test's own fault is wrong. */
const pathOf = ({ path }: ServedOperation) => path.replace('{model}', 'text-2.5-flash').replace(/\{\w+\}/g, 'no-such');

interface Sent extends RequestInit {
  query?: string;
  /** Default: that of the caller. */
  key?: string;
}

async function ask(operation: ServedOperation, { query = '', key = caller.key, ...init }: Sent) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
  const url = `${api.url}${pathOf(operation)}${query}`;
  const response = await fetch(url, { method: operation.method.toUpperCase(), ...init, headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const reasonOf = (text: string) => /"reason":"(\w+)"/.exec(text)?.[1];
const someBody = ({ method }: ServedOperation) => (method === 'get' || method === 'delete' ? {} : { body: 'no json' });

it.each(named(OF_KEYS))('%s answers 401 without a key, before it looks at anything else', async (_, operation) => {
  const { status, headers, text } = await ask(operation, { key: '', ...someBody(operation) });
  expect([status, headers.get('ratelimit-limit')]).toEqual([401, null]);
  expect(reasonOf(text)).toBe('unauthenticated');
});

it.each(named(oneOfEach(OF_KEYS.filter((operation) => 'family' in operation && operation.family !== undefined))))(
  '%s answers 403 to a key of other families before it reads the body, and so does its estimate',
  async (_, operation) => {
    const { family, parameters = [] } = operation as ServedOperation & { family: string };
    const { key } = await api.createCaller({ balance: '0', families: [family === 'music' ? 'image' : 'music'] });
    const refused = await ask(operation, { key, ...someBody(operation) });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(`the ${family} family`)]);
    if (!parameters.some(({ name }) => name === 'dry_run')) return;
    const estimate = await api.post('/v1/estimate', { path: pathOf(operation), body: {} }, { key });
    expect([estimate.status, JSON.stringify(estimate.body)]).toEqual([
      403,
      expect.stringContaining(`the ${family} family`),
    ]);
  },
);

it.each(named(OF_KEYS.filter(({ manages }) => manages)))(
  '%s answers 403 to a key without the right to manage',
  async (_, operation) => {
    const { key } = await api.createCaller({ balance: '0', scope: 'account' });
    const { status, text } = await ask(operation, { key, ...(operation.method === 'get' ? {} : { body: '{}' }) });
    expect([status, reasonOf(text)]).toEqual([403, 'key_not_permitted']);
  },
);

const rolesBelow = (operation: ServedOperation) =>
  operation.auth === 'operator' ? OPERATOR_ROLES.slice(0, OPERATOR_ROLES.indexOf(operation.role)) : [];

it.each(named(OPERATIONS.filter((operation) => rolesBelow(operation).length > 0)))(
  '%s answers 403 to each role below its own, and says which it needs',
  async (_, operation) => {
    const { role } = operation as ServedOperation & { role: string };
    for (const below of rolesBelow(operation)) {
      const key = await api.createOperator(below);
      const { status, text } = await ask(operation, { key, ...someBody(operation) });
      expect([below, status, reasonOf(text)]).toEqual([below, 403, 'permission_denied']);
      expect(text).toContain(`This needs the role ${role}; the role of this token is ${below}.`);
    }
  },
);

it.each(named(OF_KEYS))('%s has no method beside its own, and says which those are', async (_, operation) => {
  const { status, headers } = await ask(operation, { method: 'PUT' });
  expect([status, headers.get('allow')]).toEqual([405, expect.stringContaining(operation.method.toUpperCase())]);
});

it.each(named(oneOfEach(CHANGES)))(
  '%s names a word in its query that it does not take, and changes nothing',
  async (_, operation) => {
    const body = operation.method === 'delete' ? {} : { body: '{}' };
    const { status, text } = await ask(operation, { query: '?no_such=true', ...body });
    expect([status, text]).toEqual([400, expect.stringContaining('no_such')]);
  },
);

it.each(named(oneOfEach(WITH_JSON)))(
  '%s refuses what is no JSON object of the right types, and changes nothing',
  async (_, operation) => {
    for (const type of ['text/plain', '']) {
      const { status } = await ask(operation, { headers: { 'content-type': type }, body: '{}' });
      expect([type, status]).toEqual([type, 415]);
    }
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
