import { type Recording, TEMPO } from '../media/audio/recording';

export interface SoundWish {
  description: string;
  isLoop: boolean;
  variation: number;
}

const ONE_SHOT_SECONDS = 1.5;
const LOOP_SECONDS = 8;

/** A short sound, or a longer one that can be played over and over. */
export function makeSound({ description, isLoop, variation }: SoundWish): Recording {
  return { seconds: isLoop ? LOOP_SECONDS : ONE_SHOT_SECONDS, bpm: TEMPO, words: `${description}\n${variation}` };
}
