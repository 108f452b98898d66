import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { loadCatalogue } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import { buildDocument, listOperations } from '../src';

const { entries } = loadCatalogue();

/** The operations of a deployment that nobody has configured. */
export const operations = listOperations(entries, { legacyPrefix: 'mj' });
const options = { entries, publicBaseUrl: 'https://gateway.example' };
/** All operations in one document, which nobody is served. */
export const document = buildDocument(operations, options);

/** A document as it is served. */
export function documentOf(audience: 'callers' | 'operators'): JsonObject {
  return buildDocument(
    operations.filter(({ auth }) => (auth === 'operator') === (audience === 'operators')),
    options,
  );
}

/**
 * Runs an ES module of this folder on a document and returns what it prints.
 *
 * @throws Error with the module's standard error.
 */
export function askModule(file: string, input: JsonObject = document): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(__dirname, file)], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  return stdout;
}
