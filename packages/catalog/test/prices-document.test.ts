import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalogue } from '../src';

const PER: Record<string, string> = { per_image: 'image', per_task: 'task' };

/** Rows of one model, in the order of its file. */
function rows({ id, defaultPrices }: { id: string; defaultPrices: Readonly<Record<string, number>> }): string[] {
  return Object.entries(defaultPrices).map(
    ([unit, price]) =>
      `| \`${id}\` | \`${unit}\` | ${price.toFixed(Math.max(2, decimals(price)))} | ${PER[unit] ?? '1M tokens'} |`,
  );
}

function decimals(price: number): number {
  return String(price).split('.')[1]?.length ?? 0;
}

it('docs/prices.md lists exactly the default prices of the catalogue', () => {
  const page = readFileSync(join(__dirname, '../../../docs/prices.md'), 'utf8');
  const listed = page.split('\n').filter((line) => /^\| `[^`]+` \| `[^`]+` \| [\d.]+ \|/.test(line));
  expect(listed).toEqual(loadCatalogue().entries.flatMap(rows));
});
