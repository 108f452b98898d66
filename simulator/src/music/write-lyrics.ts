import { createDice, type Dice } from '../media/dice';

export interface Lyrics {
  title: string;
  text: string;
  tags: string[];
}

export type LyricsStyle = 'classic' | 'remi';

/** Rhyming pairs: a line of the first ends as one of the second. */
const rhymes = [
  ['the light', 'the night'],
  ['the sea', 'to be'],
  ['the rain', 'again'],
  ['the sky', 'goodbye'],
  ['my heart', 'a start'],
  ['the way', 'the day'],
];
const openings = ['I walk beside', 'We carry', 'They whisper of', 'I wake up with', 'You left me', 'We run towards'];
const fragments = [
  'slow hands',
  'glass in the dark',
  'a door half open',
  'salt on the tongue',
  'no map',
  'one more mile',
];
const moods = ['warm', 'driving', 'wistful', 'bright', 'intimate', 'restless'];

/** Lyrics about the words of a prompt: rhymed verses around a chorus in the classic style, loose lines with ad-libs in the other. */
export function writeLyrics(prompt: string, { style, variation }: { style: LyricsStyle; variation: number }): Lyrics {
  const dice = createDice(prompt, variation, style);
  const subjects = subjectsOf(prompt);
  const text = style === 'classic' ? classicText(dice, subjects) : looseText(dice, subjects);
  const title = capitalised(`${pick(dice, subjects)} ${style === 'classic' ? 'Song' : 'Fragments'}`);
  return { title, text, tags: [pick(dice, moods), style === 'classic' ? 'pop ballad' : 'alternative'] };
}

function classicText(dice: Dice, subjects: string[]): string {
  const verse = () => `${couplet(dice, subjects)}\n${couplet(dice, subjects)}`;
  const chorus = `Oh ${pick(dice, subjects)}, ${couplet(dice, subjects)}`;
  return [
    `[Verse]\n${verse()}`,
    `[Chorus]\n${chorus}`,
    `[Verse 2]\n${verse()}`,
    `[Chorus]\n${chorus}`,
    `[Bridge]\n${couplet(dice, subjects)}`,
    `[Chorus]\n${chorus}`,
  ].join('\n\n');
}

function couplet(dice: Dice, subjects: string[]): string {
  const [one = '', other = ''] = pick(dice, rhymes);
  return `${pick(dice, openings)} ${pick(dice, subjects)} and ${one}\n${pick(dice, openings)} ${pick(dice, subjects)} and ${other}`;
}

function looseText(dice: Dice, subjects: string[]): string {
  const lines = (count: number) =>
    Array.from({ length: count }, () => `${pick(dice, subjects)}, ${pick(dice, fragments)}`).join('\n');
  const hook = `(${pick(dice, subjects)})`;
  return [
    `[Intro]\n${hook}`,
    `[Verse]\n${lines(3)}`,
    `[Pre-Chorus]\n${pick(dice, fragments)} (hey)`,
    `[Chorus]\n${hook}\n${lines(2)} ${hook}`,
    `[Verse]\n${lines(3)}`,
    `[Chorus]\n${hook}\n${lines(2)} ${hook}`,
    `[Outro]\n${pick(dice, fragments)}`,
  ].join('\n\n');
}

const MAX_SUBJECTS = 8;

/** The longer words of a prompt stand for what it is about. */
function subjectsOf(prompt: string): string[] {
  const words = prompt.toLowerCase().match(/\p{L}{4,20}/gu) ?? [];
  const subjects = [...new Set(words)].filter((word) => !dull.has(word)).slice(0, MAX_SUBJECTS);
  return subjects.length > 0 ? subjects : ['silence'];
}

const dull = new Set([
  'about',
  'song',
  'with',
  'that',
  'this',
  'from',
  'into',
  'over',
  'write',
  'lyrics',
  'make',
  'some',
]);

function pick<T>(dice: Dice, items: readonly T[]): T {
  return items[Math.floor(dice.between(0, items.length))] as T;
}

function capitalised(text: string): string {
  return text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
}
