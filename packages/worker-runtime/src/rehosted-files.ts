import type { TaskId } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';

/** Remembers the links of tasks whose files were stored for a channel that then had no slot, so that they are stored once and not at every try. */
export interface RehostedFiles {
  /** Our link by the caller's address; empty: none is remembered. */
  of(id: TaskId): ReadonlyMap<string, string>;
  remember(id: TaskId, links: ReadonlyMap<string, string>): void;
  /** Bytes of a file that was fetched and not stored, because there was no space for it. Undefined: none is remembered. */
  sizeOf(id: TaskId, url: string): number | undefined;
  rememberSize(id: TaskId, url: string, bytes: number): void;
  forget(id: TaskId): void;
}

/** Addresses are a few hundred bytes, and 8 KiB at most. The files of tasks beyond it are fetched and stored again. */
const MAX_TASKS = 5000;

export function createRehostedFiles(): RehostedFiles {
  const tasks = new LRUCache<TaskId, ReadonlyMap<string, string>>({ max: MAX_TASKS });
  const sizes = new LRUCache<TaskId, ReadonlyMap<string, number>>({ max: MAX_TASKS });
  return {
    of: (id) => tasks.get(id) ?? new Map(),
    remember: (id, links) => void tasks.set(id, links),
    sizeOf: (id, url) => sizes.get(id)?.get(url),
    rememberSize: (id, url, bytes) => void sizes.set(id, new Map(sizes.get(id)).set(url, bytes)),
    forget(id) {
      tasks.delete(id);
      sizes.delete(id);
    },
  };
}
