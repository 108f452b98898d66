/** Lines under a line of names, as RFC 4180 has it. Where days of a time zone were asked for, the last column names it. */
export function toCsv(names: readonly string[], lines: readonly (readonly string[])[], timezone?: string): string {
  const table = timezone === undefined ? [names, ...lines] : inZone(names, lines, timezone);
  return table.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function inZone(names: readonly string[], lines: readonly (readonly string[])[], timezone: string): string[][] {
  return [[...names, 'timezone'], ...lines.map((cells) => [...cells, timezone])];
}

/** A cell of somebody else's words: a spreadsheet would run what begins like a formula. */
export function asCsvText(value: string): string {
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

/** The same for Excel, which would take an id of digits for a number, and round it. */
export function asExcelText(value: string): string {
  return /^\d[\d.]*(?:e\d+)?$/i.test(value) ? `="${value}"` : asCsvText(value);
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
