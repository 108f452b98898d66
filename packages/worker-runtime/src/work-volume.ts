import { ConfigError } from '@mediagate/host';
import { type FilesPerResult, freeWorkBytes, largestOutput, workBytesFor } from '@mediagate/media';
import type { Settings } from '@mediagate/settings';
import type { WorkerConfig } from './worker-settings';

const MIB = 1024 * 1024;

/**
 * Bytes that are free for the work folder, whose setting has room for the largest result that the operator's file allows.
 *
 * @throws ConfigError where the folder may never hold the largest one.
 */
export async function freeBytesOfVolume(
  config: Pick<WorkerConfig, 'WORK_FOLDER' | 'WORK_FOLDER_MB'>,
  { maxVideoMb, marks }: Pick<Settings['media'], 'maxVideoMb' | 'marks'>,
): Promise<number> {
  const leastMb = workBytesFor(largestOutput(maxVideoMb * MIB), filesPerResult(marks)) / MIB;
  if (config.WORK_FOLDER_MB < leastMb) {
    const what = `media.max_video_mb of ${maxVideoMb}${marks === 'off' ? '' : ' with media.marks'}`;
    const fault = `WORK_FOLDER_MB is ${config.WORK_FOLDER_MB}, and ${what} needs ${leastMb}`;
    throw new ConfigError([fault]);
  }
  return freeWorkBytes(config);
}

/** A marked result is a copy beside the vendor's file, until it is stored. */
export function filesPerResult(marks: Settings['media']['marks']): FilesPerResult {
  return marks === 'off' ? 1 : 2;
}
