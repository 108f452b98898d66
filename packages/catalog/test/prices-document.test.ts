import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPriceTable } from './price-table';

it('docs/prices.md lists exactly the default prices of the catalogue (`npm run reference`)', () => {
  const page = readFileSync(join(__dirname, '../../../docs/prices.md'), 'utf8');
  expect(page).toBe(withPriceTable(page));
});
