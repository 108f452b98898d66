import { type Changes, createChanges } from '../changes';
import type { Clock } from '../clock';

/**
 * The purpose of a request: `start` is work that a vendor charges for (an image, a video job), `check` asks after a job or
 * for its file, `question` counts tokens or lists models, `unknown` is a path that the vendor does not have.
 */
export type Operation = 'start' | 'check' | 'cancel' | 'moderation' | 'question' | 'download' | 'unknown';

/** One request as a vendor's own log would show it. The keys of callers are never in it. */
export interface JournalEntry {
  seq: number;
  /** Milliseconds since the Unix epoch, on the simulator's clock. */
  at: number;
  wire: string;
  operation: Operation;
  method: string;
  /** Without the query, which may hold a key. */
  path: string;
  model: string | null;
  /** As sent, directives included, at most 4,000 characters. */
  prompt: string | null;
  /** The vendor has started work that it will charge for. Two such entries for one job are a double submit. */
  accepted: boolean;
  /** The vendor's own id of the work, or of the work asked after; null until there is one. */
  externalId: string | null;
  replyStatus: number | null;
  /** Bytes of the answer's body that were handed to the system; a caller who left may have read fewer. */
  sentBytes: number;
  /** `open` while unanswered, `replied`, `cut` by the simulator, `left` when the caller hung up first. */
  ending: 'open' | 'replied' | 'cut' | 'left';
  /** Where the faults came from: `header`, `prompt`, `rule:<id>` or null. */
  rule: string | null;
  /** The faults that struck. */
  scenarios: string[];
  warnings: string[];
  /** The redacted body. */
  request: unknown;
}

export interface Journal {
  open(facts: { wire: string; operation: Operation; method: string; path: string }): JournalEntry;
  /** Tells waiting readers that an entry changed. */
  touch(): void;
  /** Oldest first; only accepted ones when `acceptedOnly`. */
  entries(acceptedOnly: boolean): JournalEntry[];
  changes: Changes;
  reset(): void;
}

export const MAX_JOURNAL_ENTRIES = 5_000;
/** Limit on checks and downloads, which come by the thousand for each start and must not push the starts out. */
export const MAX_REPEATED_ENTRIES = 2_000;
export const MAX_JOURNAL_PROMPT_CHARS = 4_000;

export function createJournal(clock: Clock): Journal {
  const entries = createRing(MAX_JOURNAL_ENTRIES);
  const repeated = createRing(MAX_REPEATED_ENTRIES);
  let nextSeq = 1;
  const changes = createChanges();

  return {
    changes,
    open(facts) {
      const entry: JournalEntry = {
        seq: nextSeq++,
        at: clock.now(),
        ...facts,
        model: null,
        prompt: null,
        accepted: false,
        externalId: null,
        replyStatus: null,
        sentBytes: 0,
        ending: 'open',
        rule: null,
        scenarios: [],
        warnings: [],
        request: null,
      };
      const isRepeated = facts.operation === 'check' || facts.operation === 'download';
      (isRepeated ? repeated : entries).push(entry);
      return entry;
    },
    touch: () => changes.notify(),
    entries: (acceptedOnly) =>
      [...entries.items(), ...repeated.items()]
        .filter(({ accepted }) => accepted || !acceptedOnly)
        .sort((one, other) => one.seq - other.seq),
    reset() {
      entries.clear();
      repeated.clear();
      changes.notify();
    },
  };
}

interface Ring {
  push(entry: JournalEntry): void;
  items(): JournalEntry[];
  clear(): void;
}

/** The newest entries, at most `most`. */
function createRing(most: number): Ring {
  let items: JournalEntry[] = [];
  return {
    push(entry) {
      items.push(entry);
      if (items.length > most) items.shift();
    },
    items: () => items,
    clear() {
      items = [];
    },
  };
}
