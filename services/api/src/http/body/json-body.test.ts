import { Readable } from 'node:stream';
import type { Exchange } from '../exchange';
import { RequestScope } from '../request-scope';
import { CallerFiles } from './caller-files';
import { readJsonObject, readJsonPatch, readJsonWithFiles } from './json-body';

const NO_DISK = {} as ConstructorParameters<typeof CallerFiles>[0];
const MEMORY = { open: () => undefined, take: () => undefined, close: () => undefined, pauseAfter: () => 0 };

const exchangeOf = (body: string): Exchange =>
  ({
    request: Object.assign(Readable.from([Buffer.from(body)]), { headers: { 'content-type': 'application/json' } }),
    memory: MEMORY,
    files: new CallerFiles(NO_DISK, MEMORY),
    pace: { periodMs: 10_000 },
    scope: new RequestScope('request'),
  }) as unknown as Exchange;

const READERS = {
  'of parameters': readJsonObject,
  'of changes': readJsonPatch,
  'with files': (exchange: Exchange) => readJsonWithFiles(exchange, 1_000_000).then(({ body }) => body),
};
const FILE = `data:image/png;base64,${Buffer.alloc(6000).toString('base64')}`;

describe.each(Object.entries(READERS))('a body %s', (_of, read) => {
  it.each<[field: string, body: string]>([
    ['n', '{"model":"a","n":1,"n":4}'],
    ['image_with_roles[0].url', '{"image_with_roles":[{"url":"a","role":"b","url":"c"}]}'],
    ['n', '{"n":1,"\\u006e":4}'],
    ['image', `{"image":"${FILE}","image":"${FILE}"}`],
    ['n', '{"n":null,"n":1}'],
  ])('with a field twice in one object is refused by its name: %s', async (param, body) => {
    await expect(read(exchangeOf(body))).rejects.toMatchObject({
      code: 'invalid_request',
      param,
      message: `${param} is given twice in one object.`,
    });
  });

  it('may have the same field in several objects, null, and __proto__', async () => {
    const body = `{"a":[{"url":"x"},{"url":"y"}],"url":"{\\"a\\":1,\\"a\\":2}","__proto__":{"b":{"__proto__":1}}}`;
    await expect(read(exchangeOf(body))).resolves.toMatchObject({ a: [{ url: 'x' }, { url: 'y' }] });
  });
});

it('fields that are null are left out but of changes', async () => {
  const body = '{"a":null,"b":{"c":null}}';
  await expect(readJsonObject(exchangeOf(body))).resolves.toEqual({ b: { c: null } });
  await expect(readJsonPatch(exchangeOf(body))).resolves.toEqual({ a: null, b: { c: null } });
});
