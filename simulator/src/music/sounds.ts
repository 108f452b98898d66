import { barSeconds } from '../media/audio/compose';
import type { Key } from '../media/audio/key';
import type { Recording } from '../media/audio/recording';
import { writeMusic } from './write-music';

export interface SoundWish {
  description: string;
  type: 'one-shot' | 'loop';
  bpm: number | undefined;
  key: Key | undefined;
  variation: number;
}

const ONE_SHOT_SECONDS = 1.5;
const ABOUT_LOOP_SECONDS = 8;

/** A single hit, or whole bars that can be played over and over. */
export function makeSound({ description, type, bpm, key, variation }: SoundWish): Recording {
  const chosen = writeMusic({ motif: description, style: description, voice: 'none', seconds: 0, variation });
  const music = { ...chosen, bpm: bpm ?? chosen.bpm, key: key ?? chosen.key };
  if (type === 'one-shot') {
    return { kind: 'one-shot', motif: description, variation, key: music.key, seconds: ONE_SHOT_SECONDS };
  }
  const bar = barSeconds(music);
  return { ...music, seconds: bar * Math.max(1, Math.round(ABOUT_LOOP_SECONDS / bar)) };
}
