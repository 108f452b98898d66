import { Slots } from '@mediagate/concurrency';
import { ConfigError, type Logger } from '@mediagate/host';
import { type Ffmpeg, FfmpegError, openFfmpeg } from '@mediagate/media';
import { apiSettings } from './config';

const MIB = 1024 * 1024;
/** The program samples a few images of one video at a time, beside requests: 82 MB of a video of 4096x2160. */
const SAMPLING = {
  limits: { cpuSeconds: 40, memoryBytes: 512 * MIB, fileBytes: MIB },
  timeoutMs: 20_000,
};

/** Undefined: the operator names none. @throws ConfigError for one that is of no use. */
export async function openApiFfmpeg(
  path: string | undefined,
  logger: Pick<Logger, 'info'>,
): Promise<Ffmpeg | undefined> {
  if (path === undefined) return undefined;
  const slots = new Slots({ capacity: 1 });
  const { ffmpeg, detail } = await openFfmpeg(path, { ...SAMPLING, slots }).catch((error: unknown) => {
    if (!(error instanceof FfmpegError)) throw error;
    throw new ConfigError([`FFMPEG_PATH ${error.message}: ${apiSettings.FFMPEG_PATH.about}`]);
  });
  logger.info('process.ffmpeg', { detail });
  return ffmpeg;
}
