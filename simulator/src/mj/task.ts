import { randomInt } from 'node:crypto';
import { takeAssetFault } from '../assets/asset-fault';
import type { Clock } from '../clock';
import type { Faults } from '../faults/chooser';
import { share } from '../faults/scenarios';
import { createJobStore, type JobStore, type JobTerms } from '../jobs/job-store';
import { planJob } from '../jobs/plan';
import type { VendorJob } from '../jobs/vendor-job';
import type { ImageSource } from '../media/image-source';
import type { VideoFileOrder } from '../media/video/video-order';
import type { Call } from '../vendor-call/contract';
import type { Image } from './image';
import type { Mode } from './prompt';
import { type Version, versionName } from './version';

export type Action =
  | 'IMAGINE'
  | 'BLEND'
  | 'DESCRIBE'
  | 'SHORTEN'
  | 'EDITS'
  | 'VIDEO'
  | 'UPSCALE'
  | 'VARIATION'
  | 'REROLL'
  | 'PAN'
  | 'INPAINT'
  | 'ACTION';

/** The results of a task: one image or a sheet of four; videos; or texts, which its full prompt has. */
export type Work =
  | { kind: 'images'; images: readonly Image[] }
  | { kind: 'videos'; videos: readonly VideoFileOrder[] }
  | { kind: 'texts' };

/** The effect of a button that is pressed. Images are counted from 1. */
export type Press =
  | { kind: 'upscale'; index: number }
  | { kind: 'vary'; index: number; strength: 'strong' | 'subtle' }
  | { kind: 'reroll' }
  | { kind: 'enlarge' }
  | { kind: 'zoom'; ratio: number }
  | { kind: 'pan'; direction: Direction }
  | { kind: 'inpaint' }
  | { kind: 'animate'; motion: Motion }
  | { kind: 'extend-video'; index: number; motion: Motion };

export type Direction = 'left' | 'right' | 'up' | 'down';
export type Motion = 'low' | 'high';

/** The work that is done once a window has been confirmed. */
export interface OpenWindow {
  press: Press;
  parent: MjTask;
  isRemix: boolean;
}

export interface TaskDetail {
  action: Action;
  /** As sent, without directives; empty for work without words. */
  prompt: string;
  /** With its version, as the vendor worked on it. */
  fullPrompt: string;
  description: string;
  /** The caller's own mark, given back. */
  state: string | undefined;
  hook: string | undefined;
  /** The name under which the caller reached the simulator, for links. */
  host: string;
  mode: Mode;
  botType: string;
  version: Version;
  seed: number;
  /** The tail of the ids of its buttons. */
  hash: string;
  work: Work;
  /** The fault that the vendor finds while it works. */
  fault: string | undefined;
  window: OpenWindow | undefined;
  /** How many images of a sheet, or videos, are reported one by one; a server of the older kind reports no images. */
  partsReported: number;
}

export type MjTask = VendorJob<TaskDetail>;

/** The vendor's account: its tasks and its queue. */
export interface MjAccount {
  tasks: JobStore<TaskDetail>;
  /** How many tasks wait for their turn. */
  waiting(): number;
  /** Books a task. */
  add(detail: TaskDetail, call: Call): MjTask;
  /** Starts what waited for its window: the faults of this call come on top of those of the first. */
  resume(task: MjTask, call: Call): void;
  /** False when it is over. */
  cancel(task: MjTask): boolean;
}

export function createMjAccount(terms: JobTerms): MjAccount {
  const { clock, jobMs } = terms;
  const newId = () => `${Date.now()}${randomInt(100_000, 1_000_000)}`;
  const tasks = createJobStore<TaskDetail>(terms, { wire: 'mj', newId, idDays: 3, linkDays: 1 });
  /** Oldest first; those that have begun are taken out when somebody asks. */
  const queue = new Set<MjTask>();
  const isOver = (task: MjTask) => !['queued', 'running'].includes(tasks.state(task));

  return {
    tasks,
    waiting() {
      for (const task of queue) {
        if (tasks.find(task.id) === task && tasks.state(task) === 'queued') break;
        queue.delete(task);
      }
      return queue.size;
    },
    add(detail, call) {
      const { prompt, state, version, window, fault } = detail;
      const task = tasks.add({ model: versionName(version), prompt, externalTaskId: state, detail }, call);
      spoil(task, call.faults);
      if (fault !== undefined) task.outcome = 'fault';
      if (window) Object.assign(task, { startsAtMs: Number.POSITIVE_INFINITY, endsAtMs: Number.POSITIVE_INFINITY });
      else queue.add(task);
      return task;
    },
    resume(task, call) {
      const plan = planJob(call.faults, { ...task, nowMs: clock.now(), jobMs });
      const { startsAtMs, endsAtMs } = plan;
      Object.assign(task, { startsAtMs, endsAtMs }, plan.faults && { faults: plan.faults });
      spoil(task, call.faults);
      if (plan.outcome !== 'done') task.outcome = plan.outcome;
      if (task.detail.fault !== undefined) task.outcome = 'fault';
      queue.add(task);
    },
    cancel(task) {
      if (isOver(task)) return false;
      task.cancelledAtMs = clock.now();
      return true;
    },
  };
}

/** Applies faults to the result of a task. */
function spoil(task: MjTask, faults: Faults): void {
  task.assetFault = takeAssetFault(faults) ?? task.assetFault;
  const partial = faults.take('partial');
  if (partial) task.detail.partsReported = share(partial.value).succeed;
}

/** Tools that the vendor's operations work with. */
export interface MjTools {
  clock: Clock;
  account: MjAccount;
  /** Fetches an image that a request names. */
  bringIn: ImageSource;
}
