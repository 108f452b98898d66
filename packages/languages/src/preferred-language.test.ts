import { preferredLanguage } from './preferred-language';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['xx', 'en'],
  ['de', 'de'],
  ['de-CH', 'de'],
  ['DE', 'de'],
  ['fr;q=0.5, ja', 'ja'],
  ['fr;q=0.5, ja;q=0.4, *;q=0.1', 'fr'],
  ['xx, es;q=0.8, en;q=0.7', 'es'],
  ['ru;q=0', 'en'],
  ['ru;q=much', 'en'],
  [`de,${'a'.repeat(200)}`, 'en'],
])('of %j is preferred: %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
