import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalogue } from '../src';

/** By the beginning or the end of a unit's name; all others are prices of tokens. */
const PER: readonly [unit: RegExp, per: string][] = [
  [/^per_image$/, 'image'],
  [/^per_second\./, 'second'],
  [/_factor$/, 'times'],
  [/_(?:input|output)$/, '1M tokens'],
];

/** Rows of one model, in the order of its file. */
function rows({ id, defaultPrices }: { id: string; defaultPrices: Readonly<Record<string, number>> }): string[] {
  return Object.entries(defaultPrices).map(
    ([unit, price]) => `| \`${id}\` | \`${unit}\` | ${price.toFixed(Math.max(2, decimals(price)))} | ${per(unit)} |`,
  );
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
  const listed = page.split('\n').filter((line) => /^\| `[^`]+` \| `[^`]+` \| [\d.]+ \|/.test(line));
  expect(listed).toEqual(loadCatalogue().entries.flatMap(rows));
});
