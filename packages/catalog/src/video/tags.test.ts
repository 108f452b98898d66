import { tagsStandInPrompt } from './tags';

const rule = tagsStandInPrompt(({ tags }: { tags: string[] }) =>
  tags.map((tag, index) => ({ field: `refs[${index}].tag`, tag })),
);
const refusal = (prompt: string, tags: string[]) => {
  const outcome = rule({ prompt, tags }, new Set());
  return outcome && 'failures' in outcome ? outcome.failures[0].param : undefined;
};

it('a tag stands anywhere in the prompt, also within a text without blanks', () => {
  expect(refusal('@cat runs', ['@cat'])).toBeUndefined();
  expect(refusal('看@cat在跑', ['@cat'])).toBeUndefined();
  expect(refusal('a cat runs', ['@cat'])).toBe('refs[0].tag');
});

it('a longer tag does not show a shorter one that it begins with', () => {
  expect(refusal('@cats run', ['@cats', '@cat'])).toBe('refs[1].tag');
  expect(refusal('@cats run', ['@cat', '@cats'])).toBe('refs[0].tag');
  expect(refusal('@cats and @cat run', ['@cat', '@cats'])).toBeUndefined();
});

it('letter case counts, as it does to the model', () => {
  expect(refusal('@Cat runs', ['@cat'])).toBe('refs[0].tag');
});
