import { createHash } from 'node:crypto';

/** A piece of audio as the way to make it: small to keep, and made when somebody fetches it. */
export interface Recording {
  seconds: number;
  /** Its pitch follows from them: other words give another sound. */
  words: string;
  /** Undefined for a caller's own sound. */
  bpm: number | undefined;
}

/** The tempo of all that is made, in beats a minute. */
export const TEMPO = 120;

/** A vendor refuses what would be longer. */
export const MAX_RECORDING_SECONDS = 600;

/** The result of an operation on a recording: another sound, at its tempo, by default as long. */
export function remade(source: Recording, operation: string, seconds = source.seconds): Recording {
  const words = createHash('sha256').update(`${source.words}\u0000${operation}`).digest('hex');
  return { ...source, seconds, words };
}
