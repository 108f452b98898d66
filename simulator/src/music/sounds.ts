import { secondsPerBeat } from '../media/audio/notes';
import type { Music } from '../media/audio/recording';
import { writeMusic } from './write-music';

export interface SoundWish {
  description: string;
  type: 'one-shot' | 'loop';
  bpm: number | undefined;
  key: string | undefined;
  variation: number;
}

const ONE_SHOT_SECONDS = 1.5;
const ABOUT_LOOP_SECONDS = 8;
const BEATS_PER_BAR = 4;

/** A short sound, or whole bars that can be played over and over. */
export function makeSound({ description, type, bpm, key, variation }: SoundWish): Music {
  const chosen = writeMusic({ motif: description, style: description, voice: 'none', seconds: 0, variation });
  const music = { ...chosen, bpm: bpm ?? chosen.bpm, key: key ?? chosen.key };
  if (type === 'one-shot') return { ...music, seconds: ONE_SHOT_SECONDS };
  const bar = BEATS_PER_BAR * secondsPerBeat(music);
  return { ...music, seconds: bar * Math.max(1, Math.round(ABOUT_LOOP_SECONDS / bar)) };
}
