import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeBytesIn } from './storage/probe-place';
import { type WorkSlots, workBytesFor } from './work-slots';

/** Where a process works on files, and what these may take there. */
export interface WorkSpace {
  folder: string;
  maxBytes: number;
  slots: WorkSlots;
}

const DEFAULT_FOLDER = join(tmpdir(), 'mediagate-work');

export function workFolderOf(config: { WORK_FOLDER?: string | undefined }): string {
  return config.WORK_FOLDER ?? DEFAULT_FOLDER;
}

/** The bytes of a volume, and of the largest result that comes in there. */
export interface WorkVolume {
  freeBytes: number;
  largestBytes: number;
}

const UNLIMITED: WorkVolume = { freeBytes: Number.POSITIVE_INFINITY, largestBytes: 0 };

/** The largest result has room whatever the volume has: a worker that begins on a full one can work when there is space. */
export function workSpaceOf(
  config: { WORK_FOLDER: string | undefined; WORK_FOLDER_MB: number },
  slots: WorkSlots,
  { freeBytes, largestBytes }: WorkVolume = UNLIMITED,
): WorkSpace {
  const maxBytes = Math.min(config.WORK_FOLDER_MB * 1024 * 1024, Math.max(workBytesFor(largestBytes), freeBytes));
  return { folder: workFolderOf(config), maxBytes, slots };
}

/** Bytes that are free for a work folder; infinity where it cannot be made, which its probe reports. */
export async function freeWorkBytes(config: { WORK_FOLDER: string | undefined }): Promise<number> {
  const folder = workFolderOf(config);
  const made = mkdir(folder, { recursive: true });
  return made.then(() => freeBytesIn(folder)).catch(() => Number.POSITIVE_INFINITY);
}
