import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { writeJson } from './write-json';

it('writes what JSON.stringify does, wherever a step ends', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.constantFrom(null, true, 0, -1.5e300, '\ud83d', '\ude00x', '"\\\n\u0000'),
      text,
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(text, tie('value'), { maxKeys: 5 }),
    ),
  })).value;
  await fc.assert(
    fc.asyncProperty(value, fc.integer({ min: 2, max: 40 }), async (json, step) => {
      expect((await writeJson(json as never, step)).toString()).toBe(JSON.stringify(json));
    }),
    { numRuns: 300 },
  );
});

it.each([
  ['one text', { contents: [{ text: 'a b \u20ac '.repeat(500_000) }] }],
  ['many texts', { contents: Array.from({ length: 2000 }, () => ({ text: 'a lighthouse '.repeat(200) })) }],
])('lets others have their turn while it writes megabytes of %s', async (_of, json) => {
  let turns = 0;
  let isOver = false;
  const writing = writeJson(json).finally(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await nextTurn();
  expect((await writing).equals(Buffer.from(JSON.stringify(json)))).toBe(true);
  expect(turns).toBeGreaterThan(6);
});
