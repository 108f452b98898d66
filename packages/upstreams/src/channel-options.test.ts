import { checkAgainst, type OptionRules } from './channel-options';

const rules: OptionRules = {
  edits: { kind: 'choice', of: ['multipart', 'json'] },
  organization: { kind: 'text' },
  timeout_seconds: { kind: 'integer', min: 1, max: 1800 },
};

it('finds nothing wrong with what is declared', () => {
  expect(checkAgainst(rules, { edits: 'json', organization: 'org-1', timeout_seconds: 30 })).toBeUndefined();
});

it.each([
  [{ edit: 'json' }, 'unknown option "edit"; known are edits, organization, timeout_seconds'],
  [{ toString: 1 }, 'unknown option "toString"; known are edits, organization, timeout_seconds'],
  [{ edits: 'xml' }, 'option "edits" must be "multipart" or "json"'],
  [{ organization: 'a b\r\n' }, 'option "organization" must be 1 to 200 printable characters without spaces'],
  [{ timeout_seconds: '30' }, 'option "timeout_seconds" must be a whole number from 1 to 1800'],
  [{ timeout_seconds: 1801 }, 'option "timeout_seconds" must be a whole number from 1 to 1800'],
])('%j is named in words for an operator', (options, expected) => {
  expect(checkAgainst(rules, options)).toBe(expected);
});
