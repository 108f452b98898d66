import { type CatalogueEntry, loadCatalogue } from '../src';

const BEGIN = '| Billing key | Unit | Price | Per |\n|---|---|---|---|\n';

/** By the beginning or the end of a unit's name; all others are prices of tokens. */
const PER: readonly [unit: RegExp, per: string][] = [
  [/^per_(?:[a-z]+_)?image$/, 'image'],
  [/^per_second(?:\.|$)/, 'second'],
  [/^per_million_characters$/, '1M characters'],
  [/_factor$/, 'times'],
  [/_(?:input|output)$/, '1M tokens'],
];

/** The page with the table of default prices as the catalogue has them; all else of it stays. */
export function withPriceTable(page: string): string {
  const start = page.indexOf(BEGIN);
  if (start === -1) throw new Error('the page has no table of prices');
  const end = page.indexOf('\n\n', start);
  // Operations share the keys of their model.
  const rows = [...new Set(loadCatalogue().entries.flatMap(rowsOf))];
  return page.slice(0, start) + BEGIN + rows.join('\n') + page.slice(end);
}

/** The rows of one model, in the order of its file; with billing keys, one row for each key. */
function rowsOf({ id, defaultPrices, billing }: CatalogueEntry): string[] {
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
