import type { LoadedMedia, MediaReference, TaskId } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';

/** Remembers the inspected files of tasks that wait for a channel, so that they are inspected once and not at every try. */
export interface InspectedFiles {
  /** By field; undefined: the task's files are not remembered. */
  of(id: TaskId): ReadonlyMap<string, LoadedMedia> | undefined;
  /** Remembers files that are only inspected; files whose bytes are sent are loaded again. */
  remember(id: TaskId, references: readonly MediaReference[], media: readonly LoadedMedia[]): void;
  forget(id: TaskId): void;
}

/** Each takes some hundred bytes a file. The files of tasks beyond it are inspected again. */
const MAX_TASKS = 5000;

export function createInspectedFiles(): InspectedFiles {
  const tasks = new LRUCache<TaskId, ReadonlyMap<string, LoadedMedia>>({ max: MAX_TASKS });
  return {
    of: (id) => tasks.get(id),
    remember(id, references, media) {
      const inspected = new Set(references.filter(({ inspectOnly }) => inspectOnly).map(({ field }) => field));
      const files = media.filter(({ field }) => inspected.has(field));
      if (files.length > 0) tasks.set(id, new Map(files.map((file) => [file.field, file])));
    },
    forget: (id) => void tasks.delete(id),
  };
}
