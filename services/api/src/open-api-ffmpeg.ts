import { Slots } from '@mediagate/concurrency';
import type { Logger } from '@mediagate/host';
import { type Ffmpeg, FfmpegError, openFfmpeg } from '@mediagate/media';

const MIB = 1024 * 1024;
/** The program samples one video or sound at a time, beside requests. To sample a video of 4096x2160 takes 82 MB. */
const SAMPLING = {
  limits: { cpuSeconds: 40, memoryBytes: 512 * MIB, fileBytes: MIB },
  timeoutMs: 20_000,
};

/** Undefined: the operator names none, or one that is of no use, without which the API compares videos and sounds by their bytes. */
export async function openApiFfmpeg(
  path: string | undefined,
  logger: Pick<Logger, 'info' | 'warn'>,
): Promise<Ffmpeg | undefined> {
  if (path === undefined) return undefined;
  const slots = new Slots({ capacity: 1 });
  try {
    const { ffmpeg, detail } = await openFfmpeg(path, { ...SAMPLING, slots });
    logger.info('process.ffmpeg', { detail });
    return ffmpeg;
  } catch (error) {
    if (!(error instanceof FfmpegError)) throw error;
    logger.warn('process.no_ffmpeg', {
      detail: `FFMPEG_PATH ${error.message}: videos and sounds are compared by their bytes`,
    });
    return undefined;
  }
}
