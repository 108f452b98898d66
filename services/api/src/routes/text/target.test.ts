import { readTarget } from './target';

it.each([
  ['text-2.5-flash:generateContent', 'text-2.5-flash', 'generateContent'],
  ['text-2.5-pro:streamGenerateContent', 'text-2.5-pro', 'streamGenerateContent'],
  ['own:tuned:countTokens', 'own:tuned', 'countTokens'],
])('%s names a model and a method', (word, model, method) => {
  expect(readTarget(word)).toEqual({ model, method });
});

it.each(['text-2.5-flash', 'text-2.5-flash:', ':generateContent', 'text-2.5-flash:embedContent', 'm:GenerateContent'])(
  '%s names none',
  (word) => {
    expect(() => readTarget(word)).toThrow(expect.objectContaining({ code: 'not_found' }));
  },
);
