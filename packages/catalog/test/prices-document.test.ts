import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CatalogueEntry, loadCatalogue } from '../src';

/** By the beginning or the end of a unit's name; all others are prices of tokens. */
const PER: readonly [unit: RegExp, per: string][] = [
  [/^per_image$/, 'image'],
  [/^per_second\./, 'second'],
  [/^per_million_characters$/, '1M characters'],
  [/_factor$/, 'times'],
  [/_(?:input|output)$/, '1M tokens'],
];

/** Rows of one model, in the order of its file; with billing keys, one for each key. */
function rows({ id, defaultPrices, billing }: CatalogueEntry): string[] {
  return Object.entries(defaultPrices).map(([name, price]) => {
    const shown = price.toFixed(Math.max(2, decimals(price)));
    return billing ? `| \`${name}\` | | ${shown} | task |` : `| \`${id}\` | \`${name}\` | ${shown} | ${per(name)} |`;
  });
}

function per(unit: string): string {
  const found = PER.find(([name]) => name.test(unit));
  if (!found) throw new Error(`docs/prices.md has no word for what ${unit} is the price of`);
  return found[1];
}

function decimals(price: number): number {
  return String(price).split('.')[1]?.length ?? 0;
}

it('docs/prices.md lists exactly the default prices of the catalogue', () => {
  const page = readFileSync(join(__dirname, '../../../docs/prices.md'), 'utf8');
  const listed = page.split('\n').filter((line) => /^\| `[^`]+` \| (?:`[^`]+` )?\| [\d.]+ \|/.test(line));
  // Operations share the keys of their model.
  expect([...listed].sort()).toEqual([...new Set(loadCatalogue().entries.flatMap(rows))].sort());
  expect(new Set(listed).size).toBe(listed.length);
});
