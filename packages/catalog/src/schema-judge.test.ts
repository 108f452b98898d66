import { MAX_FAILURES } from '@mediagate/contracts';
import Ajv from 'ajv';
import { createSchemaJudge } from './schema-judge';

const item = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: { url: { type: 'string' } },
};
const { findFaults } = createSchemaJudge({
  type: 'object',
  additionalProperties: false,
  required: ['prompt'],
  properties: {
    prompt: { type: 'string', maxLength: 10 },
    n: { type: 'integer', default: 1 },
    items: { type: 'array', items: item },
  },
});
const paramsOf = (input: Parameters<typeof findFaults>[0]) =>
  findFaults(input)?.refusal.failures.map(({ param }) => param);

it('has nothing against an input that fits, and gives it its defaults', () => {
  const input = { prompt: 'a boat' };
  expect(findFaults(input)).toBeUndefined();
  expect(input).toEqual({ prompt: 'a boat', n: 1 });
});

it('tells every fault once, and first the one that Ajv finds first', () => {
  expect(paramsOf({ prompt: 'a boat on a lake', n: 'many', items: [{}, { url: 7 }] })).toEqual([
    'prompt',
    'n',
    'items[0].url',
    'items[1].url',
  ]);
});

it('names the fields at the top that are wrong, all of them where it looked for all', () => {
  expect(findFaults({ n: 'many', items: [{}] })?.wrongFields).toEqual(new Set(['prompt', 'n', 'items']));
  expect(findFaults({ prompt: 'x'.repeat(1_000_001) })?.wrongFields).toBeUndefined();
});

it('lists no more than an answer may', () => {
  expect(paramsOf({ items: Array.from({ length: 100 }, () => ({})) })).toHaveLength(MAX_FAILURES);
});

it('looks for one fault alone in an input that could have very many', () => {
  const items = Array.from({ length: 100_000 }, () => ({}));
  expect(paramsOf({ prompt: 'a boat', items })).toEqual(['items[0].url']);
  expect(paramsOf({ prompt: 'a boat', items: [{ url: 7 }, { url: [['x'.repeat(1_000_001)]] }] })).toHaveLength(1);
});

it.each([
  [
    'good',
    { type: 'object', properties: { at: { $ref: '#/definitions/place' } }, definitions: { place: { type: 'string' } } },
  ],
  ['faulty', { type: 'object', maximun: 3 }],
])('does not keep a %s schema in Ajv, where configurations that are read anew would add up', (_, schema) => {
  const compiling = jest.spyOn(Ajv.prototype, 'compile');
  const judge = createSchemaJudge(schema);
  const fault = (() => {
    try {
      return judge.findFaults({ at: 7 })?.refusal.failures[0].param;
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(fault).toMatch(/^at$|maximun/);
  expect(compiling).toHaveBeenCalled();
  const kept = compiling.mock.contexts.map((ajv) =>
    (ajv as unknown as { _cache: Map<object, unknown> })._cache.has(schema),
  );
  compiling.mockRestore();
  expect(kept).not.toContain(true);
});
