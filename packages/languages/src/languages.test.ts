import { LANGUAGES, toLanguage } from './languages';

it('letter case and whitespace around a code do not count', () => {
  for (const language of LANGUAGES) expect(toLanguage(` ${language.toUpperCase()}\t`)).toBe(language);
});

it('what is none of the codes names no language', () => {
  const others = ['zh-CN', 'xx', 'english', '', ' ', '__proto__', undefined, null, 7, ['de']];
  expect(others.map(toLanguage)).toEqual(others.map(() => undefined));
});
