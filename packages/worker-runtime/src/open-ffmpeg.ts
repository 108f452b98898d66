import { isAbsolute } from 'node:path';
import { ConfigError, type Logger } from '@mediagate/host';
import { checkFfmpeg, createFfmpeg, type Ffmpeg, FfmpegError, findIsolation, WorkSlots } from '@mediagate/media';
import { workerSettings } from './worker-settings';

/**
 * The ffmpeg that FFMPEG_PATH names, once it has been seen to run. A bare name is refused: it would be another program on
 * another machine, or none.
 *
 * @throws ConfigError naming the variable and the program, so that the worker ends before it takes a task.
 */
export async function openFfmpeg(
  path: string | undefined,
  logger: Pick<Logger, 'info'>,
  { ffmpegRuns: slots } = new WorkSlots(),
): Promise<Ffmpeg> {
  if (path === undefined) throw unusable('is missing');
  if (!isAbsolute(path)) throw unusable(`is ${path}, not an absolute path`);
  const version = await checkFfmpeg(path).catch((error: unknown) => {
    throw error instanceof FfmpegError ? unusable(`is of no use (${error.message})`) : error;
  });
  const isolation = await findIsolation();
  logger.info('process.ffmpeg', { detail: `${version}, ${isolation.length > 0 ? 'without' : 'with'} a network` });
  return createFfmpeg({ path, isolation, slots });
}

function unusable(fault: string): ConfigError {
  return new ConfigError([`FFMPEG_PATH ${fault}: ${workerSettings.FFMPEG_PATH.about}`]);
}
