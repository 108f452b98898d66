/** Lines of a table with a heading, its columns as wide as their widest cell; all rows have the first one's columns. */
export function formatTable(rows: readonly Record<string, string>[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    line(columns),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ];
}
