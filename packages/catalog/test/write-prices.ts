// Brings the table of docs/prices.md up to date with the catalogue.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPriceTable } from './price-table';

const PAGE = join(__dirname, '../../../docs/prices.md');

writeFileSync(PAGE, withPriceTable(readFileSync(PAGE, 'utf8')));
