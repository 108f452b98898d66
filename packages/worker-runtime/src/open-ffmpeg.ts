import { isAbsolute } from 'node:path';
import { ConfigError } from '@mediagate/host';
import { checkFfmpeg, createFfmpeg, type Ffmpeg, FfmpegError } from '@mediagate/media';
import { workerSettings } from './worker-settings';

/**
 * The ffmpeg that FFMPEG_PATH names, once it has been seen to run. A bare name is refused: it would be another program on
 * another machine, or none.
 *
 * @throws ConfigError naming the variable and the program, so that the worker ends before it takes a task.
 */
export async function openFfmpeg(path: string | undefined): Promise<Ffmpeg> {
  if (path === undefined) throw unusable('is missing');
  if (!isAbsolute(path)) throw unusable(`is ${path}, not an absolute path`);
  try {
    await checkFfmpeg(path);
  } catch (error) {
    if (!(error instanceof FfmpegError)) throw error;
    throw unusable(`is of no use (${error.message})`);
  }
  return createFfmpeg({ path });
}

function unusable(fault: string): ConfigError {
  return new ConfigError([`FFMPEG_PATH ${fault}: ${workerSettings.FFMPEG_PATH.about}`]);
}
