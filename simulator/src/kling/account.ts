import { randomInt } from 'node:crypto';
import { createJobStore, type JobStore, type JobTerms } from '../jobs/job-store';
import type { VendorJob } from '../jobs/vendor-job';

export type VideoFamily = 'text2video' | 'image2video' | 'omni-video';

/** The facts that a video task keeps for its reports. */
export interface VideoDetail {
  family: VideoFamily;
  /** Units that the vendor deducts for it. */
  units: number;
  /** Whether a file with a watermark was asked for, too: it is the same one here. */
  marked: boolean;
}

/** A task that makes an element, a thing or person to show in videos, of images. */
export interface ElementDetail {
  name: string;
  description: string;
}

export type VideoTask = VendorJob<VideoDetail>;
export type ElementTask = VendorJob<ElementDetail>;

/** The jobs that the vendor keeps for one account. */
export interface KlingAccount {
  videos: JobStore<VideoDetail>;
  elements: JobStore<ElementDetail>;
}

export function createKlingAccount(terms: JobTerms): KlingAccount {
  const store = { wire: 'kling', idDays: 30, linkDays: 30 };
  let sequence = 0;
  return {
    videos: createJobStore(terms, { ...store, newId: () => `${Date.now()}${randomInt(1_000_000, 10_000_000)}` }),
    elements: createJobStore(terms, {
      ...store,
      newId() {
        sequence = (sequence + 1) % 100;
        return `${ELEMENT_TASK_MARK}${Date.now()}${String(sequence).padStart(2, '0')}`;
      },
    }),
  };
}

/** The id of an element is another than its task's: a long of eighteen digits, more than a double holds. */
const ELEMENT_TASK_MARK = '8';
const ELEMENT_MARK = '829';

export function elementIdOf(task: ElementTask): bigint {
  return BigInt(`${ELEMENT_MARK}${task.id.slice(ELEMENT_TASK_MARK.length)}`);
}

/** Whether an element is there for a video to show. */
export function hasElement({ elements }: KlingAccount, elementId: string): boolean {
  if (!elementId.startsWith(ELEMENT_MARK)) return false;
  const task = elements.find(`${ELEMENT_TASK_MARK}${elementId.slice(ELEMENT_MARK.length)}`);
  return task !== undefined && elements.state(task) === 'done';
}
