import type { Recording } from '../media/audio/recording';
import { writeMusic } from './write-music';

export interface SoundWish {
  description: string;
  isLoop: boolean;
  bpm?: number | undefined;
  variation: number;
}

const ONE_SHOT_SECONDS = 1.5;
const ABOUT_LOOP_SECONDS = 8;
const BEATS_PER_BAR = 4;

/** A short sound, or whole bars that can be played over and over. */
export function makeSound({ description, isLoop, bpm, variation }: SoundWish): Recording {
  const chosen = writeMusic({ motif: description, style: description, voice: undefined, seconds: 0, variation });
  const sound = { ...chosen, bpm: bpm ?? chosen.bpm };
  if (!isLoop) return { ...sound, seconds: ONE_SHOT_SECONDS };
  const bar = (BEATS_PER_BAR * 60) / sound.bpm;
  return { ...sound, seconds: bar * Math.max(1, Math.round(ABOUT_LOOP_SECONDS / bar)) };
}
