import { type Changes, createChanges } from '../changes';
import type { JournalEntry } from '../journal/journal';

/** The calls that are being answered, so that a test can prove that none is left. */
export interface OpenCalls {
  /** Counts a call until the function that comes back is called. */
  enter(entry: JournalEntry): () => void;
  all(): JournalEntry[];
  changes: Changes;
}

/** Lives apart from the journal, which forgets old entries and can be reset. */
export function createOpenCalls(): OpenCalls {
  const open = new Set<JournalEntry>();
  const changes = createChanges();
  return {
    changes,
    enter(entry) {
      open.add(entry);
      return () => {
        open.delete(entry);
        changes.notify();
      };
    },
    all: () => [...open],
  };
}
