import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import { Faults } from './faults';

/** A configuration file as it is written: its values, and the line of each field. */
export interface ConfigDocument {
  /** Null where the text is not YAML. `${NAME}` references are as they are written. */
  value: Json;
  /** The source text of a number, exact where a float would not be; undefined: it is no number. */
  numberText(field: string): string | undefined;
  faults: Faults;
}

/** A map that somebody wrote as YAML, or as JSON, which is YAML, too; undefined: it is none. */
export function readMap(text: string): JsonObject | undefined {
  const { value, faults } = openDocument('', text);
  return faults.error() === undefined && isJsonObject(value) ? value : undefined;
}

/** Aliases that may be followed: they can form circles, and repeat a map without end. */
const MAX_ALIASES = 200;

/** Parses YAML 1.2. What is wrong with the text is recorded in `faults`. */
export function openDocument(file: string, text: string): ConfigDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
  const faults = new Faults(file);
  for (const { pos, message } of [...document.errors, ...document.warnings]) {
    faults.addAt(lines.linePos(pos[0]).line, `is not valid YAML: ${message}`);
  }
  if (document.errors.length > 0) return { value: null, numberText: () => undefined, faults };
  const reader = new Reader(document as Document<ParsedNode>, lines, faults);
  const value = reader.read(document.contents, '', 1);
  return { value, numberText: (field) => reader.numberTexts.get(field), faults };
}

class Reader {
  readonly numberTexts = new Map<string, string>();
  readonly #document: Document<ParsedNode>;
  readonly #lines: LineCounter;
  readonly #faults: Faults;
  #aliasesLeft = MAX_ALIASES;

  constructor(document: Document<ParsedNode>, lines: LineCounter, faults: Faults) {
    this.#document = document;
    this.#lines = lines;
    this.#faults = faults;
  }

  /** @param parentLine the line of a value that has none of its own, as after a key without a value. */
  read(given: Node | null, field: string, parentLine: number): Json {
    const line = this.#lineOf(given, parentLine);
    this.#faults.setLine(field, line);
    const node = isAlias(given) ? this.#follow(given, field) : given;
    if (isSeq(node)) return node.items.map((item, index) => this.read(item as Node, `${field}[${index}]`, line));
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }) => {
        const name = isScalar(key) ? String(key.value) : String(key);
        const child = this.read(value as Node | null, joinField(field, name), this.#lineOf(key as Node, line));
        return [name, child] as const;
      });
      return Object.fromEntries(entries) as JsonObject;
    }
    if (!isScalar(node)) return null;
    if (typeof node.value === 'number') this.numberTexts.set(field, node.source ?? '');
    return node.value as Json;
  }

  #follow(alias: Node & { resolve(document: Document<ParsedNode>): Node | undefined }, field: string): Node | null {
    this.#aliasesLeft -= 1;
    if (this.#aliasesLeft === -1) {
      this.#faults.add(field, `more than ${MAX_ALIASES} uses of YAML aliases: write the values out`);
    }
    return this.#aliasesLeft < 0 ? null : (alias.resolve(this.#document) ?? null);
  }

  #lineOf(node: Node | null, parentLine: number): number {
    const offset = node?.range?.[0];
    return offset === undefined ? parentLine : this.#lines.linePos(offset).line;
  }
}

/** The name of a field in messages, `channels[0].models.imagegen-2`. */
export function joinField(field: string, key: string): string {
  return field === '' ? key : `${field}.${key}`;
}
