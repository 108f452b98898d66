import { Slots } from '@mediagate/concurrency';
import type { LoadedMedia, MediaReference, TaskId, TaskJob } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';

/** A process's memory of the steps that it takes; it is lost with the process. */
export type StepMemory = ReturnType<typeof createStepMemory>;

export function createStepMemory(concurrency: number) {
  return {
    /** Tasks that this process works on, each with the job of its step, until the step is written down. */
    inFlight: new Map<TaskId, TaskJob>(),
    slots: createWaitingSlots(concurrency),
    inspectedFiles: createInspectedFiles(),
    rehostedFiles: createRehostedFiles(),
  };
}

/** Tasks whose files are remembered, each with some hundred bytes a file. The files of tasks beyond it are inspected, fetched and stored again. */
const MAX_TASKS = 5000;

/** Remembers the inspected files of tasks that wait for a channel, so that they are inspected once and not at every try. */
function createInspectedFiles() {
  const tasks = new LRUCache<TaskId, ReadonlyMap<string, LoadedMedia>>({ max: MAX_TASKS });
  return {
    /** By field; undefined: the task's files are not remembered. */
    of: (id: TaskId) => tasks.get(id),
    /** Remembers files that are only inspected; files whose bytes are sent are loaded again. */
    remember(id: TaskId, references: readonly MediaReference[], media: readonly LoadedMedia[]) {
      const inspected = new Set(references.filter(({ inspectOnly }) => inspectOnly).map(({ field }) => field));
      const files = media.filter(({ field }) => inspected.has(field));
      if (files.length > 0) tasks.set(id, new Map(files.map((file) => [file.field, file])));
    },
    forget: (id: TaskId) => void tasks.delete(id),
  };
}

/** Remembers the links of tasks whose files were stored for a channel that then had no slot, so that they are stored once and not at every try. */
export function createRehostedFiles() {
  const tasks = new LRUCache<TaskId, ReadonlyMap<string, string>>({ max: MAX_TASKS });
  const sizes = new LRUCache<TaskId, ReadonlyMap<string, number>>({ max: MAX_TASKS });
  return {
    /** Our link by the caller's address; empty: none is remembered. */
    of: (id: TaskId): ReadonlyMap<string, string> => tasks.get(id) ?? new Map(),
    remember: (id: TaskId, links: ReadonlyMap<string, string>) => void tasks.set(id, links),
    /** Bytes of a file that was fetched and not stored, because there was no space for it. Undefined: none is remembered. */
    sizeOf: (id: TaskId, url: string) => sizes.get(id)?.get(url),
    rememberSize: (id: TaskId, url: string, bytes: number) =>
      void sizes.set(id, new Map(sizes.get(id)).set(url, bytes)),
    forget(id: TaskId) {
      tasks.delete(id);
      sizes.delete(id);
    },
  };
}

/** A smaller part would slow down channels that answer in time. */
const MIN_PART = 8;

/** Parts of a family's concurrency for work that waits for others' servers, so that it never takes all of it. */
export function createWaitingSlots(concurrency: number) {
  const part = (share: number) => Math.max(MIN_PART, Math.floor(concurrency * share));
  return {
    /** Files of callers, by the hosts that have them, too. */
    files: new Slots({ capacity: part(1 / 4) }),
    /** Starts of test tasks: a quarter of the family's concurrency, and half of that for one account. */
    starts: new Slots({ capacity: concurrency, perOwner: Math.ceil(concurrency / 8) }),
    /** Checks of accepted jobs, by channel, too. */
    checks: new Slots({ capacity: part(3 / 4), perOwner: part(1 / 2) }),
    /** Checks of jobs whose last check failed: those that hang again must not take the slots of others. */
    repeatedChecks: new Slots({ capacity: part(1 / 8), perOwner: part(1 / 16) }),
    /** Results of accepted jobs that are being fetched, by channel, too. */
    results: new Slots({ capacity: part(1 / 4) }),
  };
}
