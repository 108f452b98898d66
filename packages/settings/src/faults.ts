import { SettingsError } from './settings-error';

/** Collects the faults of a configuration file, each a line `file:line:field: what and how to mend it`. */
export class Faults {
  readonly #file: string;
  readonly #lines = new Map<string, number>();
  readonly #found: { line: number; field: string; message: string }[] = [];
  readonly #fields = new Set<string>();

  constructor(file: string) {
    this.#file = file;
  }

  setLine(field: string, line: number): void {
    this.#lines.set(field, line);
  }

  /** Records the first fault of a field; what follows from it is not repeated. A message never holds a value of the file. */
  add(field: string, message: string): void {
    if (this.has(field)) return;
    this.#fields.add(field);
    this.#found.push({ line: this.#lineOf(field), field, message });
  }

  /** Records a fault of the text itself. */
  addAt(line: number, message: string): void {
    this.#found.push({ line, field: '', message });
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  /** Whether the field, or anything in it, has a fault. */
  hasWithin(field: string): boolean {
    const inner = [`${field}.`, `${field}[`];
    return this.has(field) || [...this.#fields].some((faulty) => inner.some((begin) => faulty.startsWith(begin)));
  }

  /** In the order of the file; undefined: nothing is wrong. */
  error(): SettingsError | undefined {
    if (this.#found.length === 0) return undefined;
    const ordered = this.#found.toSorted((one, other) => one.line - other.line);
    const lines = ordered.map(({ line, field, message }) => `${this.#file}:${line}:${field}: ${message}`);
    return new SettingsError(lines, ordered);
  }

  /** A field that is missing has the line of what it is missing from. */
  #lineOf(field: string): number {
    const line = this.#lines.get(field);
    if (line !== undefined || field === '') return line ?? 1;
    return this.#lineOf(field.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, ''));
  }
}
