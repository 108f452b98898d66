import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeBytesIn } from './storage/probe-place';
import { type FilesPerResult, resultBytesOf, type WorkSlots } from './work-slots';

/** Where a process works on files, and what these may take there. */
export interface WorkSpace {
  folder: string;
  maxBytes: number;
  /** A result has no more. One that is larger than all may take together comes in alone. */
  maxFileBytes: number;
  /** Default: one. */
  filesPerResult?: FilesPerResult;
  slots: WorkSlots;
}

const DEFAULT_FOLDER = join(tmpdir(), 'mediagate-work');

export function workFolderOf(config: { WORK_FOLDER?: string | undefined }): string {
  return config.WORK_FOLDER ?? DEFAULT_FOLDER;
}

/** A worker takes nothing while less is free, so one that begins on a full volume can work when there is space. */
const LEAST_BYTES = 64 * 1024 * 1024;

interface Volume {
  /** Default: it has as much as may be taken. */
  freeBytes?: number;
  filesPerResult?: FilesPerResult;
}

export function workSpaceOf(
  config: { WORK_FOLDER: string | undefined; WORK_FOLDER_MB: number },
  slots: WorkSlots,
  { freeBytes = Number.POSITIVE_INFINITY, filesPerResult = 1 }: Volume = {},
): WorkSpace {
  const mostBytes = config.WORK_FOLDER_MB * 1024 * 1024;
  const maxBytes = Math.min(mostBytes, Math.max(LEAST_BYTES, freeBytes));
  const maxFileBytes = resultBytesOf(mostBytes, filesPerResult);
  return { folder: workFolderOf(config), maxBytes, maxFileBytes, filesPerResult, slots };
}

/** Bytes that are free for a work folder; infinity where it cannot be made, which its probe reports. */
export async function freeWorkBytes(config: { WORK_FOLDER: string | undefined }): Promise<number> {
  const folder = workFolderOf(config);
  const made = mkdir(folder, { recursive: true });
  return made.then(() => freeBytesIn(folder)).catch(() => Number.POSITIVE_INFINITY);
}
