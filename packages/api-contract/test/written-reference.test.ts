import { readFileSync } from 'node:fs';
import { withTables } from '../src';
import { REFERENCE, REFERENCES, writtenPage } from './written-reference';

it('the tables of docs/api.md and docs/operators.md are current (else: npm run reference)', () => {
  for (const page of REFERENCES) expect(readFileSync(page, 'utf8')).toBe(writtenPage(page));
});

it('docs/api.md has every table', () => {
  const names = [...readFileSync(REFERENCE, 'utf8').matchAll(/<!-- table: (\w+) -->/g)].map(([, name]) => name);
  expect(names).toEqual(['operations', 'errors', 'reasons', 'languages']);
});

it('a table that there is not is an error', () => {
  expect(() => withTables('<!-- table: prices -->\n\n<!-- end -->', {})).toThrow('no table called prices');
});
