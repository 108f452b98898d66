import { LANGUAGES as SUBMITTED } from '@mediagate/catalog';
import { LANGUAGES, toLanguage } from './language';

it('the languages are those that a submission may name', () => {
  expect(LANGUAGES).toEqual(SUBMITTED);
});

it('letter case and whitespace around a code do not count', () => {
  for (const language of LANGUAGES) expect(toLanguage(` ${language.toUpperCase()}\t`)).toBe(language);
});

it.each(['zh-CN', 'it', 'english', '', ' ', '__proto__', undefined, null, 7, ['de']])(
  '%p names no language',
  (value) => {
    expect(toLanguage(value)).toBeUndefined();
  },
);
