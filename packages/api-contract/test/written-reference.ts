import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceTables, withTables } from '../src';
import { operations } from './shipped-document';

const pageAt = (name: string) => join(__dirname, '../../../docs', name);

/** The written reference. */
export const REFERENCE = pageAt('api.md');
export const REFERENCES: readonly string[] = [REFERENCE, pageAt('operators.md')];

/** A page of it with its tables as they are now. */
export function writtenPage(page: string): string {
  return withTables(readFileSync(page, 'utf8'), referenceTables(operations));
}
