import { readFileSync } from 'node:fs';
import { withTables } from '../src';
import { REFERENCE, writtenReference } from './written-reference';

it('the tables of docs/api.md are current (else: npm run reference)', () => {
  expect(readFileSync(REFERENCE, 'utf8')).toBe(writtenReference());
});

it('docs/api.md has every table', () => {
  const names = [...readFileSync(REFERENCE, 'utf8').matchAll(/<!-- table: (\w+) -->/g)].map(([, name]) => name);
  expect(names).toEqual(['operations', 'errors', 'reasons', 'languages']);
});

it('a table that there is not is an error', () => {
  expect(() => withTables('<!-- table: prices -->\n\n<!-- end -->', {})).toThrow('no table called prices');
});
