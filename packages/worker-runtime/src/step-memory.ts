import { Slots } from '@mediagate/concurrency';
import type { LoadedMedia, MediaReference, TaskId, TaskJob } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';

/** A process's memory of the steps that it takes; it is lost with the process. */
export interface StepMemory {
  /** Tasks that this process works on, each with the job of its step, until the step is written down. */
  inFlight: Map<TaskId, TaskJob>;
  slots: WaitingSlots;
  inspectedFiles: InspectedFiles;
  rehostedFiles: RehostedFiles;
}

export function createStepMemory(concurrency: number): StepMemory {
  return {
    inFlight: new Map(),
    slots: createWaitingSlots(concurrency),
    inspectedFiles: createInspectedFiles(),
    rehostedFiles: createRehostedFiles(),
  };
}

/** Remembers the inspected files of tasks that wait for a channel, so that they are inspected once and not at every try. */
export interface InspectedFiles {
  /** By field; undefined: the task's files are not remembered. */
  of(id: TaskId): ReadonlyMap<string, LoadedMedia> | undefined;
  /** Remembers files that are only inspected; files whose bytes are sent are loaded again. */
  remember(id: TaskId, references: readonly MediaReference[], media: readonly LoadedMedia[]): void;
  forget(id: TaskId): void;
}

/** Tasks whose files are remembered, each with some hundred bytes a file. The files of tasks beyond it are inspected, fetched and stored again. */
const MAX_TASKS = 5000;

function createInspectedFiles(): InspectedFiles {
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

/** Parts of a family's concurrency for work that waits for others' servers, so that it never takes all of it. */
export interface WaitingSlots {
  /** Files of callers, by the hosts that have them, too. */
  files: Slots;
  /** Starts of test tasks: a quarter of the family's concurrency, and half of that for one account. */
  starts: Slots;
  /** Checks of accepted jobs, by channel, too. */
  checks: Slots;
  /** Checks of jobs whose last check failed: those that hang again must not take the slots of others. */
  repeatedChecks: Slots;
  /** Results of accepted jobs that are being fetched, by channel, too. */
  results: Slots;
}

/** A smaller part would slow down channels that answer in time. */
const MIN_PART = 8;

export function createWaitingSlots(concurrency: number): WaitingSlots {
  const part = (share: number) => Math.max(MIN_PART, Math.floor(concurrency * share));
  return {
    files: new Slots({ capacity: part(1 / 4) }),
    starts: new Slots({ capacity: concurrency, perOwner: Math.ceil(concurrency / 8) }),
    checks: new Slots({ capacity: part(3 / 4), perOwner: part(1 / 2) }),
    repeatedChecks: new Slots({ capacity: part(1 / 8), perOwner: part(1 / 16) }),
    results: new Slots({ capacity: part(1 / 4) }),
  };
}
