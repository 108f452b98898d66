import type { Clock } from '../clock';
import { createWaitingRoom, type WaitingRoom } from '../waiting-room';

/** One request as a vendor's own log would show it. The keys of callers are never in it. */
export interface JournalEntry {
  seq: number;
  /** Milliseconds since the Unix epoch, on the simulator's clock. */
  at: number;
  wire: string;
  method: string;
  /** Without the query, which may hold a key. */
  path: string;
  model: string | null;
  /** As sent, directives included, at most 4,000 characters. */
  prompt: string | null;
  /** The vendor has started work that it will charge for. Two such entries for one job are a double submit. */
  accepted: boolean;
  /** The vendor's own id of the work; null until accepted. */
  externalId: string | null;
  replyStatus: number | null;
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
  open(facts: { wire: string; method: string; path: string }): JournalEntry;
  /** Tells waiting readers that an entry changed. */
  touch(): void;
  /** Entries after that sequence number, oldest first; only accepted ones when `acceptedOnly`. */
  since(seq: number, acceptedOnly?: boolean): JournalEntry[];
  /** How many old entries were dropped to stay within the bound. */
  dropped(): number;
  changes: WaitingRoom;
  reset(): void;
}

export const MAX_JOURNAL_ENTRIES = 5_000;
export const MAX_JOURNAL_PROMPT_CHARS = 4_000;

export function createJournal(clock: Clock): Journal {
  let entries: JournalEntry[] = [];
  let nextSeq = 1;
  let dropped = 0;
  const changes = createWaitingRoom();

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
        ending: 'open',
        rule: null,
        scenarios: [],
        warnings: [],
        request: null,
      };
      entries.push(entry);
      if (entries.length > MAX_JOURNAL_ENTRIES) {
        entries.shift();
        dropped += 1;
      }
      return entry;
    },
    touch: () => changes.notify(),
    since: (seq, acceptedOnly = false) =>
      entries.filter((entry) => entry.seq > seq && (entry.accepted || !acceptedOnly)),
    dropped: () => dropped,
    reset() {
      // Sequence numbers go on, so that a reader's `since` stays right over a reset.
      entries = [];
      dropped = 0;
      changes.notify();
    },
  };
}
