/** Lines under a line of names, as RFC 4180 has it. */
export function toCsv(names: readonly string[], lines: readonly (readonly string[])[]): string {
  return [names, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
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
