import { isAbsolute } from 'node:path';
import { findIsolation } from './confine';
import { checkFfmpeg, createFfmpeg, type Ffmpeg, FfmpegError, type FfmpegOptions } from './ffmpeg';

/**
 * The program at a path, once it has been seen to run, and what it is. A bare name is refused: it would be another program on
 * another machine, or none.
 *
 * @throws FfmpegError, whose message goes on from the name of the variable that has the path.
 */
export async function openFfmpeg(
  path: string,
  options: Omit<FfmpegOptions, 'path' | 'isolation'> = {},
): Promise<{ ffmpeg: Ffmpeg; detail: string }> {
  if (!isAbsolute(path)) throw new FfmpegError(`is ${path}, not an absolute path`);
  const version = await checkFfmpeg(path).catch((cause: unknown) => {
    throw cause instanceof FfmpegError ? new FfmpegError(`is of no use (${cause.message})`, { cause }) : cause;
  });
  const isolation = await findIsolation();
  const detail = `${version}, ${isolation.length > 0 ? 'without' : 'with'} a network`;
  return { ffmpeg: createFfmpeg({ path, isolation, ...options }), detail };
}
