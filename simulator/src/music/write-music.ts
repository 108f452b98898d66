import type { Music } from '../media/audio/recording';
import { createDice } from '../media/dice';

export interface MusicWish {
  /** The subject of the music: the melody is drawn from it. */
  motif: string;
  /** Where a tempo is looked for: style tags, a description. */
  style: string;
  voice: Music['voice'];
  seconds: number;
  variation: number;
}

/** A track that heeds `90 bpm` in its style; any other style gives other tones. */
export function writeMusic({ motif, style, voice, seconds, variation }: MusicWish): Music {
  const dice = createDice(motif, style, 'song');
  return {
    kind: 'music',
    motif,
    variation,
    bpm: bpmIn(style) ?? Math.round(dice.between(84, 136)),
    key: style,
    voice,
    from: 0,
    seconds,
  };
}

function bpmIn(text: string): number | undefined {
  const bpm = Number(/\b(\d{2,3})\s?bpm\b/i.exec(text)?.[1]);
  return bpm >= 30 && bpm <= 300 ? bpm : undefined;
}

const KEY = /^(?:[ACDFG]#?|[BE]|B#|[DEGAB]b)m?$/;

/** Returns the text if it names a key, as `C#` or `Am`. */
export function namedKey(text: string | undefined): string | undefined {
  return text !== undefined && KEY.test(text) ? text : undefined;
}

/** `Female`, `f`; a track without a word about it is sung by whoever the motif likes. */
export function voiceOf({
  instrumental,
  gender,
  motif,
}: {
  instrumental: boolean;
  gender: string | undefined;
  motif: string;
}): Music['voice'] {
  if (instrumental) return 'none';
  if (gender !== undefined) return /^f/i.test(gender) ? 'female' : 'male';
  return createDice(motif, 'voice').between(0, 1) < 0.5 ? 'female' : 'male';
}
