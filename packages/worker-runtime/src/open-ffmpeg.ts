import { ConfigError, type Logger } from '@mediagate/host';
import { type Ffmpeg, FfmpegError, openFfmpeg, WorkSlots } from '@mediagate/media';
import { workerSettings } from './worker-settings';

/** @throws ConfigError naming the variable and the program, so that the worker ends before it takes a task. */
export async function openWorkerFfmpeg(
  path: string | undefined,
  logger: Pick<Logger, 'info'>,
  { ffmpegRuns: slots } = new WorkSlots(),
): Promise<Ffmpeg> {
  if (path === undefined) throw unusable('is missing');
  const { ffmpeg, detail } = await openFfmpeg(path, { slots }).catch((error: unknown) => {
    throw error instanceof FfmpegError ? unusable(error.message) : error;
  });
  logger.info('process.ffmpeg', { detail });
  return ffmpeg;
}

function unusable(fault: string): ConfigError {
  return new ConfigError([`FFMPEG_PATH ${fault}: ${workerSettings.FFMPEG_PATH.about}`]);
}
