import { readFileSync } from 'node:fs';

/** The rows of the table of docs/provenance.md whose head begins with these columns. */
export function documentedTable(...columns: readonly string[]): string[][] {
  const lines = readFileSync('docs/provenance.md', 'utf8').split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${columns.join(' | ')} |`));
  if (head < 0) throw new Error(`docs/provenance.md has no table of ${columns.join(', ')}`);
  const rows = lines.slice(head + 2);
  return rows.slice(0, rows.indexOf('')).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
