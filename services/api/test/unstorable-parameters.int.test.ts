import type { ServedOperation } from '@mediagate/api-contract';
import { forAllTests } from '@mediagate/testkit';
import { named, OPERATIONS, oneOfEach } from './shared/operations';
import { startTestApi, type TestApi } from './test-api';

let tokens: Record<ServedOperation['auth'], string>;
let rows: Awaited<ReturnType<TestApi['countRows']>>;

const api = forAllTests(startTestApi);
beforeAll(async () => {
  tokens = {
    key: (await api.createCaller({ canManage: true, submitPerMinute: 1e6, queryPerMinute: 1e6 })).key,
    operator: await api.createOperator('admin'),
    none: '',
  };
  rows = await api.countRows();
});
afterEach(async () => expect(await api.countRows()).toEqual(rows));

const inQuery = ({ parameters = [] }: ServedOperation) => parameters.filter((parameter) => parameter.in === 'query');

async function ask({ method, path, auth }: ServedOperation, value: string, query = '') {
  const body = method === 'get' || method === 'delete' ? {} : { body: '{}' };
  const response = await fetch(`${api.url}${path.replace(/\{\w+\}/g, value)}${query}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${tokens[auth]}`, 'content-type': 'application/json' },
    ...body,
  });
  return { status: response.status, text: await response.text() };
}

/** NUL, which no text of the database holds; half of a surrogate pair; no UTF-8; more than any name has. */
const WRONG = { nul: 'a%00b', surrogate: '%ED%A0%80', noText: '%FF', long: 'a'.repeat(8000) };

it.each(named(OPERATIONS.filter(({ path }) => path.includes('{'))))(
  '%s judges its path before the database does',
  async (_, operation) => {
    for (const [what, value] of Object.entries(WRONG)) {
      const { status } = await ask(operation, value);
      expect([what, status, status >= 400 && status < 500]).toEqual([what, status, true]);
    }
    expect((await ask(operation, WRONG.nul)).status).toBe(400);
  },
);

it.each(named(oneOfEach(OPERATIONS).filter((operation) => inQuery(operation).length > 0)))(
  '%s judges its query before the database does, and names what is wrong',
  async (_, operation) => {
    for (const { name } of inQuery(operation)) {
      for (const [what, value] of Object.entries(WRONG)) {
        const { status } = await ask(operation, 'no-such', `?${name}=${value}`);
        expect([name, what, status, status < 500]).toEqual([name, what, status, true]);
      }
      const { status, text } = await ask(operation, 'no-such', `?${name}=${WRONG.nul}`);
      expect([name, status, text]).toEqual([name, 400, expect.stringContaining(name)]);
    }
  },
);

const numbers = (operation: ServedOperation) =>
  inQuery(operation).filter(({ schema }) => schema['type'] === 'integer' || schema['type'] === 'number');

it.each(named(OPERATIONS.filter((operation) => numbers(operation).length > 0)))(
  '%s bounds each number of its query, and names it',
  async (_, operation) => {
    for (const { name, schema } of numbers(operation)) {
      const { minimum = 0, maximum = 1e18 } = schema as { minimum?: number; maximum?: number };
      for (const wrong of ['1e18', `${minimum - 1}`, `${maximum + 1}`, '99999999999999999999', 'NaN', 'ten']) {
        const { status, text } = await ask(operation, 'no-such', `?${name}=${wrong}`);
        expect([name, wrong, status, text]).toEqual([name, wrong, 400, expect.stringContaining(name)]);
      }
    }
  },
);
