import { remembered } from './remembered';

function counted() {
  const asked: string[] = [];
  const ask = remembered((text: string) => {
    asked.push(text);
    if (text === 'bad') throw new Error('no');
    return { text };
  });
  return { ask, asked };
}

it('asks once about a text', () => {
  const { ask, asked } = counted();
  expect(ask('a')).toBe(ask('a'));
  expect(asked).toEqual(['a']);
});

it('keeps a thousand answers and no more, none of a long text, and nothing that was thrown', () => {
  const { ask, asked } = counted();
  for (let index = 0; index <= 1_000; index += 1) ask(`text ${index}`);
  ask('text 1000');
  expect(asked).toHaveLength(1_001);
  ask('text 0');
  expect(asked).toHaveLength(1_002);
  const long = 'x'.repeat(513);
  ask(long);
  ask(long);
  expect(asked).toHaveLength(1_004);
  expect(() => ask('bad')).toThrow('no');
  expect(() => ask('bad')).toThrow('no');
  expect(asked).toHaveLength(1_006);
});
