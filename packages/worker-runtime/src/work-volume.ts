import { ConfigError } from '@mediagate/host';
import { freeWorkBytes, largestOutput, workBytesFor } from '@mediagate/media';
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
  { maxVideoMb }: Pick<Settings['media'], 'maxVideoMb'>,
): Promise<number> {
  const leastMb = workBytesFor(largestOutput(maxVideoMb * MIB)) / MIB;
  if (config.WORK_FOLDER_MB < leastMb) {
    const fault = `WORK_FOLDER_MB is ${config.WORK_FOLDER_MB}, and media.max_video_mb of ${maxVideoMb} needs ${leastMb}`;
    throw new ConfigError([fault]);
  }
  return freeWorkBytes(config);
}
