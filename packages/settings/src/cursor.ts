import type { JsonObject } from '@mediagate/contracts';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
} from 'yaml';

/** A place in the file. Readers take one, record what is wrong there, and go on with a harmless value. */
export interface Cursor {
  /** Path of the field, `channels[0].base_url`; empty for the document. */
  field: string;
  /** Undefined where the field is absent or empty. */
  node: Node | undefined;
  /** Line for messages: the node's own, or its parent's where it is absent. */
  line: number;
  source: Source;
}

interface Source {
  file: string;
  document: Document<ParsedNode>;
  lines: LineCounter;
  env: Readonly<Record<string, string | undefined>>;
  faults: string[];
  /** Aliases that may still be followed: they can form circles and repeat a map without end. */
  aliasesLeft: number;
}

const MAX_ALIASES = 200;

/** Parses YAML 1.2 and opens the document; undefined, with the faults recorded, where the text is not YAML. */
export function openDocument(options: {
  file: string;
  text: string;
  env: Source['env'];
  faults: string[];
}): Cursor | undefined {
  const { file, text, env, faults } = options;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
  for (const { pos, message } of [...document.errors, ...document.warnings]) {
    faults.push(`${file}:${lines.linePos(pos[0]).line}:: is not valid YAML: ${message}`);
  }
  if (document.errors.length > 0) return undefined;
  const source: Source = {
    file,
    document: document as Document<ParsedNode>,
    lines,
    env,
    faults,
    aliasesLeft: MAX_ALIASES,
  };
  return cursorAt({ field: '', node: undefined, line: 1, source }, '', document.contents);
}

/** Records a fault: what is wrong and how to mend it, without repeating what may be secret. */
export function fault(cursor: Cursor, message: string): void {
  const { file, faults } = cursor.source;
  faults.push(`${file}:${cursor.line}:${cursor.field}: ${message}`);
}

/** The fields of a map, each present or not; keys that are not listed are faults. An absent map has no fields. */
export function readFields<Key extends string>(cursor: Cursor, keys: readonly Key[]): Record<Key, Cursor> {
  const found = new Map(readEntries(cursor).map(([key, value]) => [key, value]));
  for (const [key, value] of found) {
    if (!(keys as readonly string[]).includes(key)) fault(value, `unknown key: use one of ${keys.join(', ')}`);
  }
  const absent = (key: Key): Cursor => ({ ...cursor, field: join(cursor.field, key), node: undefined });
  return Object.fromEntries(keys.map((key) => [key, found.get(key) ?? absent(key)])) as Record<Key, Cursor>;
}

/** The entries of a map with free keys, in the file's order. */
export function readEntries(cursor: Cursor): [key: string, value: Cursor][] {
  if (cursor.node === undefined) return [];
  if (!isMap(cursor.node)) {
    fault(cursor, 'must be a map, as in "key: value"');
    return [];
  }
  return (cursor.node as YAMLMap<Node, Node | null>).items.map(({ key, value }) => {
    // A key without a value has its own line to point at.
    const name = isScalar(key) ? String(key.value) : String(key);
    const at = { ...cursor, line: lineOf(cursor, key) };
    return [name, cursorAt(at, join(cursor.field, name), value)];
  });
}

/** The items of a list; none where the field is absent. */
export function readItems(cursor: Cursor): Cursor[] {
  if (cursor.node === undefined) return [];
  if (!isSeq(cursor.node)) {
    fault(cursor, 'must be a list, as in "[a, b]"');
    return [];
  }
  return cursor.node.items.map((item, index) => cursorAt(cursor, `${cursor.field}[${index}]`, item as Node | null));
}

/** A map as the file has it, with its `${NAME}` references as they are. */
export function asWritten({ node, source }: Cursor): JsonObject {
  return isMap(node) ? (node.toJS(source.document) as JsonObject) : {};
}

/** Says so and answers false where a field that must be there is not. */
export function isPresent(cursor: Cursor): boolean {
  if (cursor.node === undefined) fault(cursor, 'is missing');
  return cursor.node !== undefined;
}

function cursorAt(parent: Cursor, field: string, node: Node | null | undefined): Cursor {
  const target = isAlias(node) ? followAlias(parent, node) : node;
  const empty = target === undefined || target === null || (isScalar(target) && target.value === null);
  return { ...parent, field, node: empty ? undefined : target, line: lineOf(parent, node) };
}

function followAlias(parent: Cursor, alias: Alias): Node | undefined {
  parent.source.aliasesLeft -= 1;
  if (parent.source.aliasesLeft === -1)
    fault(parent, `more than ${MAX_ALIASES} uses of YAML aliases: write the values out`);
  return parent.source.aliasesLeft < 0 ? undefined : alias.resolve(parent.source.document);
}

function lineOf(parent: Cursor, node: Node | null | undefined): number {
  const offset = node?.range?.[0];
  return offset === undefined ? parent.line : parent.source.lines.linePos(offset).line;
}

function join(field: string, key: string): string {
  return field === '' ? key : `${field}.${key}`;
}
