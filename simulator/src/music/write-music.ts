import { createDice } from '../media/dice';

export interface MusicWish {
  /** The subject of the music. */
  motif: string;
  /** Where a tempo is looked for: style tags, a description. */
  style: string;
  /** Undefined for an instrumental. */
  voice: string | undefined;
  seconds: number;
  /** Two tracks of one request differ in it. */
  variation: number;
}

/** A recording that heeds `90 bpm` in its style; any other wish gives another tone. */
export function writeMusic({ motif, style, voice = '', seconds, variation }: MusicWish) {
  const bpm = bpmIn(style) ?? Math.round(createDice(motif, style).between(84, 136));
  return { seconds, bpm, words: [motif, style, voice, variation].join('\n') };
}

function bpmIn(text: string): number | undefined {
  const bpm = Number(/\b(\d{2,3})\s?bpm\b/i.exec(text)?.[1]);
  return bpm >= 30 && bpm <= 300 ? bpm : undefined;
}
