import { ensureRedis, ffmpegProgram, findPostgresPrograms, type RedisProgram } from '@mediagate/testkit/servers';

/** Programs that run here beside Node. */
export interface Programs {
  ffmpegPath: string;
  /** Undefined where a server is given. */
  redis: RedisProgram | undefined;
}

interface Needs {
  /** Whether servers of our own are to be started. */
  postgres: boolean;
  redis: boolean;
  /** Receives what is being installed. */
  say(line: string): void;
}

/**
 * Finds every program before anything is started, so that all that is missing is named at once.
 *
 * @throws Error with a line for each: which program, what for, what to do.
 */
export async function findPrograms({ postgres, redis, say }: Needs): Promise<Programs> {
  const faults: string[] = [];
  const find = async <Found>(look: () => Found | Promise<Found>): Promise<Found | undefined> => {
    try {
      return await look();
    } catch (error) {
      faults.push((error as Error).message);
      return undefined;
    }
  };
  const ffmpegPath = await find(ffmpegProgram);
  if (postgres) await find(findPostgresPrograms);
  const redisProgram = redis ? await find(() => ensureRedis(say)) : undefined;
  if (ffmpegPath === undefined || faults.length > 0) throw new Error(faults.join('\n'));
  return { ffmpegPath, redis: redisProgram };
}
