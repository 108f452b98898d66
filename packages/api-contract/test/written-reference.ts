import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceTables, withTables } from '../src';
import { operations } from './shipped-document';

export const REFERENCE = join(__dirname, '../../../docs/api.md');

/** The written reference with its tables as they are now. */
export function writtenReference(): string {
  return withTables(readFileSync(REFERENCE, 'utf8'), referenceTables(operations));
}
