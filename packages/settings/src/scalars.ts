import type { Json } from '@mediagate/contracts';
import { isMap, isScalar, isSeq } from 'yaml';
import { type Cursor, fault, isPresent, readEntries, readItems } from './cursor';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const WHOLE_REFERENCE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** Text with its `${NAME}` references resolved; the fallback where it is absent, a fault where there is no fallback. */
export function readText(cursor: Cursor, fallback?: string): string {
  if (cursor.node === undefined && fallback !== undefined) return fallback;
  if (!isPresent(cursor)) return '';
  const value = isScalar(cursor.node) ? cursor.node.value : undefined;
  if (typeof value !== 'string') {
    fault(cursor, 'must be text; put it in quotes');
    return '';
  }
  return resolveReferences(cursor, value);
}

/** A secret: nothing but one `${NAME}`, so that no secret is ever written into the file. */
export function readSecret(cursor: Cursor): string {
  if (!isPresent(cursor)) return '';
  const value = isScalar(cursor.node) ? cursor.node.value : undefined;
  if (typeof value === 'string' && WHOLE_REFERENCE.test(value)) return resolveReferences(cursor, value);
  fault(cursor, `is a secret: put it into an environment variable and write \${NAME_OF_THE_VARIABLE} here`);
  return '';
}

/** Whether the variable that a secret names holds something. */
export function isSecretSet({ node, source }: Cursor): boolean {
  const value = isScalar(node) ? node.value : undefined;
  return typeof value === 'string' && WHOLE_REFERENCE.test(value) && Boolean(source.env[value.slice(2, -1)]);
}

export function readInteger(
  cursor: Cursor,
  { minimum, maximum, fallback }: { minimum: number; maximum: number; fallback?: number },
): number {
  if (cursor.node === undefined && fallback !== undefined) return fallback;
  if (!isPresent(cursor)) return minimum;
  const value = isScalar(cursor.node) ? cursor.node.value : undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  fault(cursor, `must be a whole number from ${minimum} to ${maximum}`);
  return minimum;
}

export function readBoolean(cursor: Cursor, fallback: boolean): boolean {
  if (cursor.node === undefined) return fallback;
  const value = isScalar(cursor.node) ? cursor.node.value : undefined;
  if (typeof value === 'boolean') return value;
  fault(cursor, 'must be true or false');
  return fallback;
}

/** Text out of a few; the first is the fallback value after a fault. */
export function readChoice<Choice extends string>(
  cursor: Cursor,
  choices: readonly [Choice, ...Choice[]],
  fallback?: Choice,
): Choice {
  const text = readText(cursor, fallback);
  const choice = choices.find((known) => known === text);
  if (choice) return choice;
  if (text !== '') fault(cursor, `must be one of ${choices.join(', ')}`);
  return choices[0];
}

/** Any JSON value, its text with references resolved. */
export function readJson(cursor: Cursor): Json {
  const { node } = cursor;
  if (node === undefined) return null;
  if (isSeq(node)) return readItems(cursor).map(readJson);
  if (isMap(node)) return Object.fromEntries(readEntries(cursor).map(([key, value]) => [key, readJson(value)]));
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value === 'string') return resolveReferences(cursor, value);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  fault(cursor, 'must be text, a finite number, true, false, a list or a map');
  return null;
}

function resolveReferences(cursor: Cursor, text: string): string {
  const missing = new Set<string>();
  const resolved = text.replace(REFERENCE, (_, name: string) => {
    const value = cursor.source.env[name];
    if (!value) missing.add(name);
    return value ?? '';
  });
  for (const name of missing) fault(cursor, `the environment variable ${name} is not set: export ${name}=...`);
  if (text.replace(REFERENCE, '').includes('${')) {
    fault(cursor, `only \${NAME} is understood, without a default or an operator`);
  }
  if (text.trim() === '') fault(cursor, 'must not be blank');
  return missing.size > 0 ? '' : resolved;
}
