import { firstTaskIdAt, isTerminal } from '@mediagate/contracts';
import { type Owned, sees, type Visibility } from '@mediagate/database';
import { RETENTION_MIN_DAYS, type ReadRow } from '@mediagate/tasks';
import { LRUCache } from 'lru-cache';
import type { VersionedText } from '../../../http/answers/versioned';
import { DAY_MS } from '../../../http/fields/query-time';

export interface EndedRecordLimits {
  maxRecords: number;
  /** Memory for all records. */
  maxBytes: number;
  /** Memory for one record. */
  recordMaxBytes: number;
  /** How long a row that somebody removed by hand may still be shown. */
  keepMs: number;
}

interface Kept extends Owned {
  answer: VersionedText;
  /** Until when the answer is kept, by `now`. */
  untilMs: number;
}

/** Allows for clocks that differ between making an id and pruning by ids, and for the time that a record is kept. */
const CLOCKS_APART_MS = 2 * 3_600_000;
/** Memory of an entry beside its text: the entry, its strings' headers, its places in the cache. */
const ENTRY_BYTES = 400;

/**
 * Records of ended tasks, ready to be sent: polls of them need no statement. An ended task never changes (a trigger keeps it so),
 * and is not pruned before the least retention is over; older ones, and those whose callback is shown and may still move, are read
 * each time. So what is kept is what every process reads.
 */
export class EndedRecords {
  readonly #limits: EndedRecordLimits;
  readonly #now: () => number;
  readonly #kept: LRUCache<string, Kept>;

  constructor(limits: EndedRecordLimits, now = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#kept = new LRUCache({
      max: limits.maxRecords,
      maxSize: limits.maxBytes,
      maxEntrySize: limits.recordMaxBytes,
      sizeCalculation: ({ answer }) => ENTRY_BYTES + bytesInMemory(answer),
    });
  }

  /** Finds the record of an ended task that the caller may see. */
  find(id: string, caller: Visibility): VersionedText | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined || !sees(caller, kept)) return undefined;
    if (kept.untilMs > this.#now()) return kept.answer;
    this.#kept.delete(id);
    return undefined;
  }

  /** Keeps the answer that was made of the row, if it will stay the same. */
  keep({ id, accountId, keyId, keyMakerId, status, webhook }: ReadRow, answer: VersionedText): void {
    if (!isTerminal(status) || webhook !== null) return;
    const nowMs = this.#now();
    if (id < firstTaskIdAt(nowMs - RETENTION_MIN_DAYS * DAY_MS + CLOCKS_APART_MS)) return;
    this.#kept.set(id, { accountId, keyId, keyMakerId, answer, untilMs: nowMs + this.#limits.keepMs });
  }
}

/** A text of ASCII alone takes a byte a character, any other two at most. */
function bytesInMemory({ text, bytes }: VersionedText): number {
  return text.length === bytes ? bytes : 2 * text.length;
}
