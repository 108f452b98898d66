import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { decimalText } from '../decimal-text';
import { textTable } from '../text-table';
import { timeText } from '../time-text';
import type { Columns, Given, RoutedCommand } from './routed-command';

/** An answer for people. */
export function answerText(answer: JsonObject, shows: RoutedCommand['shows'], given: Given): string {
  if (typeof shows === 'function') return shows(answer, given);
  const { data = [answer] } = answer;
  return table(Array.isArray(data) ? data : [data], shows);
}

export function table(rows: readonly Json[], columns: Columns): string {
  const cells = rows
    .filter(isJsonObject)
    .map((row) => Object.values(columns).map((column) => cellText(cellOf(row, column))));
  return textTable(Object.keys(columns), cells);
}

function cellOf(row: JsonObject, column: Columns[string]): Json | undefined {
  return typeof column === 'string' ? row[column] : column(row);
}

/** Money is written as a decimal, however small. */
function cellText(value: Json | undefined): string {
  if (value === undefined || value === null || value === false) return '';
  if (value === true) return 'yes';
  if (typeof value === 'number') return decimalText(value);
  if (Array.isArray(value)) return value.map(cellText).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The time of a field, which has Unix seconds. */
export const time = (field: string) => (row: JsonObject) => {
  const seconds = row[field];
  return typeof seconds === 'number' ? timeText(seconds) : '';
};

/** A field, or a word where it is null or has nothing in it. */
export const or = (field: string, otherwise: string) => (row: JsonObject) => cellText(row[field]) || otherwise;

/** Each field of a record on a line of its own. */
export function facts(record: JsonObject): string {
  const rows = Object.entries(record).map(([name, value]) => [name.replaceAll('_', ' '), cellText(value)]);
  return textTable(['', ''], rows);
}

/** An amount of currency units. */
export const money = (value: Json | undefined): string => cellText(value);
