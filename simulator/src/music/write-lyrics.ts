import { createDice } from '../media/dice';

export interface Lyrics {
  title: string;
  text: string;
  tags: string[];
}

export type LyricsStyle = 'classic' | 'remi';

const SECTIONS: Readonly<Record<LyricsStyle, readonly string[]>> = {
  classic: ['Verse', 'Chorus', 'Verse 2', 'Chorus', 'Bridge', 'Chorus'],
  remi: ['Intro', 'Verse', 'Pre-Chorus', 'Chorus', 'Outro'],
};
const OPENINGS = ['I walk beside', 'We carry', 'They whisper of', 'I wake up with', 'You left me', 'We run towards'];
const LINES = 2;
const MAX_SUBJECTS = 8;

/** Lyrics about the longer words of a prompt, in the sections of their style. */
export function writeLyrics(prompt: string, { style, variation }: { style: LyricsStyle; variation: number }): Lyrics {
  const dice = createDice(prompt, variation, style);
  const pick = (items: readonly string[]) => items[Math.floor(dice.between(0, items.length))] ?? '';
  const words = [...new Set(prompt.toLowerCase().match(/\p{L}{4,20}/gu))].slice(0, MAX_SUBJECTS);
  const subjects = words.length > 0 ? words : ['silence'];
  const line = () => `${pick(OPENINGS)} ${pick(subjects)}`;
  const sections = SECTIONS[style].map((name) => [`[${name}]`, ...Array.from({ length: LINES }, line)].join('\n'));
  return { title: `Song of ${pick(subjects)}`, text: sections.join('\n\n'), tags: ['pop ballad'] };
}
