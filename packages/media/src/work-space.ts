import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkSlots } from './work-slots';

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

export function workSpaceOf(
  config: { WORK_FOLDER: string | undefined; WORK_FOLDER_MB: number },
  slots: WorkSlots,
): WorkSpace {
  return { folder: workFolderOf(config), maxBytes: config.WORK_FOLDER_MB * 1024 * 1024, slots };
}
