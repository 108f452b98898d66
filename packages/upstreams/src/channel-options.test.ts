import type { JsonObject } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from './channel-options';

const rules: OptionRules = {
  edits: { kind: 'choice', of: ['multipart', 'json'] },
  organization: { kind: 'text' },
  timeout_seconds: { kind: 'integer', min: 1, max: 1800 },
  image_models: { kind: 'names' },
};

it('finds nothing wrong with what is declared', () => {
  expect(checkAgainst(rules, { edits: 'json', organization: 'org-1', timeout_seconds: 30 })).toBeUndefined();
  expect(checkAgainst(rules, { image_models: { 'wan2.6-t2v': 'wan2.6-i2v-flash' } })).toBeUndefined();
});

it.each<[JsonObject, string]>([
  [{ edit: 'json' }, 'unknown option "edit"; known are edits, organization, timeout_seconds, image_models'],
  [{ toString: 1 }, 'unknown option "toString"; known are edits, organization, timeout_seconds, image_models'],
  [{ edits: 'xml' }, 'option "edits" must be "multipart" or "json"'],
  [{ organization: 'a b\r\n' }, 'option "organization" must be 1 to 200 printable characters without spaces'],
  [{ timeout_seconds: '30' }, 'option "timeout_seconds" must be a whole number from 1 to 1800'],
  [{ timeout_seconds: 1801 }, 'option "timeout_seconds" must be a whole number from 1 to 1800'],
  ...[[], 'a', { a: 1 }, { a: 'b c' }, { '': 'b' }].map((names): [JsonObject, string] => [
    { image_models: names },
    'option "image_models" must be names mapped to names, each of 1 to 200 printable characters without spaces',
  ]),
])('%j is named in words for an operator', (options, expected) => {
  expect(checkAgainst(rules, options)).toBe(expected);
});
