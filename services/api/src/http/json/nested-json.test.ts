import { setImmediate as nextTurn } from 'node:timers/promises';
import { NestedJson, parseParameter } from './nested-json';

const LIMITS = { maxBytes: 1_000_000, maxValues: 100 };
const BEYOND = 'beyond';
const many = (values: number) => JSON.stringify(Array(values).fill(0));

function open() {
  let memory = 0;
  const nested = new NestedJson(LIMITS, (bytes) => {
    memory += bytes;
  });
  return { parse: (text: string) => nested.parse(text, BEYOND), memory: () => memory };
}

it('parses what is within the limits, and counts it as held', async () => {
  const { parse, memory } = open();
  expect(await parse('{"a":[1,"\u20ac"]}')).toEqual({ a: [1, '\u20ac'] });
  expect(memory()).toBe(Buffer.byteLength('{"a":[1,"\u20ac"]}'));
});

it.each([
  ['too many values', many(101)],
  ['too many levels', `${'['.repeat(300_000)}${']'.repeat(300_000)}`],
  ['a name that is too long', JSON.stringify({ ['n'.repeat(4097)]: 1 })],
  [
    'names that are too long together',
    JSON.stringify(Object.fromEntries(Array.from({ length: 270 }, (_, at) => [String(at).padEnd(4000, 'n'), 1]))),
  ],
  ['too many bytes', JSON.stringify('x'.repeat(LIMITS.maxBytes))],
])('does not parse text with %s', async (_what, text) => {
  const parsing = jest.spyOn(JSON, 'parse');
  expect(await open().parse(text)).toBe(BEYOND);
  expect(parsing).not.toHaveBeenCalled();
  parsing.mockRestore();
});

it('counts all texts together, and looks at none once they were too many', async () => {
  const { parse, memory } = open();
  expect(await parse(many(60))).toHaveLength(60);
  expect(await parse(many(60))).toBe(BEYOND);
  const looked = memory();
  expect(await parse(many(1))).toBe(BEYOND);
  expect(memory()).toBe(looked);
});

it('answers with undefined what is no JSON', async () => {
  expect(await open().parse('{"a"')).toBeUndefined();
  expect(parseParameter('{"a"')).toBeUndefined();
});

it('takes a parameter beyond the limits for none', () => {
  expect(parseParameter('['.repeat(33) + ']'.repeat(33))).toBeUndefined();
});

it.each([
  ['a text that is long', ['"'.repeat(1_500_000)]],
  ['many texts that are short', Array<string>(60).fill('"'.repeat(25_000))],
])('lets others have their turn between the steps of %s', async (_what, texts) => {
  const nested = new NestedJson({ maxBytes: 8_000_000, maxValues: 1000 }, () => undefined);
  let turns = 0;
  let isOver = false;
  const parsing = (async () => {
    for (const text of texts) expect(await nested.parse(JSON.stringify({ text }), BEYOND)).toEqual({ text });
    isOver = true;
  })();
  for (; !isOver; turns += 1) await nextTurn();
  await parsing;
  expect(turns).toBeGreaterThan(5);
});
