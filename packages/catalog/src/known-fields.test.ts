import { pickKnown } from './known-fields';

const schema = {
  properties: {
    style: { type: 'string', enum: ['Ink', 'Oil'] },
    count: { type: 'integer' },
    scenes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          role: { type: 'string' },
          images: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};
const pick = (body: Parameters<typeof pickKnown>[0]) =>
  pickKnown(body, schema, {
    canonical: { 'scenes[].role': (text) => text.toUpperCase() },
    notInput: new Set(['model']),
  });

it('reads fields within lists like those at the top: known ones, not blank, in their canonical spelling', () => {
  const scenes = [
    { text: ' ', role: 'hero', images: ['', 'a'] },
    { text: 'B', mood: 'dark' },
  ];
  expect(pick({ style: 'ink', scenes })).toEqual({
    input: { style: 'Ink', scenes: [{ role: 'HERO', images: ['', 'a'] }, { text: 'B' }] },
    unknown: ['scenes[1].mood'],
    unknownCount: 1,
    misspelt: [],
  });
});

it('null is a field that is not set, within objects; at the top it is for whoever read the body', () => {
  expect(pick({ style: null, scenes: [{ text: null }, null] }).input).toEqual({ style: null, scenes: [{}, null] });
});

it('leaves what has the wrong type as it is', () => {
  const wrong = { style: 7, count: '', scenes: [1, ['a'], { text: { a: ' ' }, images: 'x' }] };
  expect(pick(wrong).input).toEqual(wrong);
});

it('knows the fields that belong to every body at the top only', () => {
  expect(pick({ model: 'a', scenes: [{ model: 'b' }] }).unknown).toEqual(['scenes[0].model']);
});

it('never reads or copies what an object inherits', () => {
  const body = JSON.parse('{"scenes":[{"__proto__":{"text":"inherited"}}]}');
  const { input, unknown } = pick(body);
  expect(input).toEqual({ scenes: [{}] });
  expect(unknown).toEqual(['scenes[0].__proto__']);
});

it('names 20 unknown fields and counts the rest, however deep they are', () => {
  const { unknown, unknownCount } = pick({ scenes: Array.from({ length: 5000 }, () => ({ a: 1, b: 2 })) });
  expect([unknown.length, unknownCount]).toEqual([20, 10_000]);
});
