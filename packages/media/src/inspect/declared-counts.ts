import { message } from '@mediagate/contracts';
import { ProbeError } from './probe-error';

/**
 * Limits the entries that all tables of one file may name. Each sample has at least one byte in the file, so there are never more
 * samples than bytes, in however many tables they are named.
 */
export class DeclaredCounts {
  readonly #limit: number;
  readonly #named = new Map<string, number>();
  readonly #judged = new Set<number>();

  constructor(totalBytes: number) {
    this.#limit = totalBytes;
  }

  /** Whether the table at this place was judged before; it is from now on. */
  isKnown(position: number): boolean {
    if (this.#judged.has(position)) return true;
    this.#judged.add(position);
    return false;
  }

  /** Adds what one table names. Throws ProbeError. */
  add(table: string, count: number): void {
    const named = (this.#named.get(table) ?? 0) + count;
    requireAtMost(table, named, this.#limit);
    this.#named.set(table, named);
  }
}

/** Throws ProbeError with the number of entries that the table names, and the limit. */
export function requireAtMost(table: string, entries: number, limit: number): void {
  if (entries <= limit) return;
  throw new ProbeError(`${table} names ${entries} entries; there is room for ${limit}`, {
    problem: message('file_names_too_many', { table, entries, limit: Math.max(0, Math.floor(limit)) }),
  });
}
