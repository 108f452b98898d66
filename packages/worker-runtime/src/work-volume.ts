import { ConfigError } from '@mediagate/host';
import { freeWorkBytes, largestOutput, type WorkVolume, workBytesFor } from '@mediagate/media';
import type { Settings } from '@mediagate/settings';
import type { WorkerConfig } from './worker-settings';

const MIB = 1024 * 1024;

/**
 * The volume of the work folder, for results as large as the operator's file lets them be.
 *
 * @throws ConfigError where the folder may never hold the largest one.
 */
export async function workVolumeOf(
  config: Pick<WorkerConfig, 'WORK_FOLDER' | 'WORK_FOLDER_MB'>,
  { maxVideoMb }: Pick<Settings['media'], 'maxVideoMb'>,
): Promise<WorkVolume> {
  const largestBytes = largestOutput(maxVideoMb * MIB);
  const leastMb = workBytesFor(largestBytes) / MIB;
  if (config.WORK_FOLDER_MB < leastMb) {
    const fault = `WORK_FOLDER_MB is ${config.WORK_FOLDER_MB}, and media.max_video_mb of ${maxVideoMb} needs ${leastMb}`;
    throw new ConfigError([fault]);
  }
  return { freeBytes: await freeWorkBytes(config), largestBytes };
}
