const GAP = '  ';

/**
 * Rows under their headings, in columns. Control characters are shown as what they are not: names and addresses come from
 * outside, and a terminal would act on them.
 */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'none';
  const lines = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{fffd}');
}
