/** One word of the lyrics as it is sung, in seconds. The heading of a section comes with its first word. */
export interface AlignedWord {
  word: string;
  success: true;
  start_s: number;
  end_s: number;
  p_align: 1;
}

/** The share of a word's time for which it sounds. */
const SUNG_SHARE = 0.8;

/** Spreads the words over the track, longer ones for longer. */
export function alignLyrics(lyrics: string, seconds: number): AlignedWord[] {
  const words = [...lyrics.matchAll(/((?:\[[^\]\n]*\]\s*)*)([^\s[]+)(\s*)/g)].map(
    ([, heading = '', word = '', gap = '']) => ({
      word: `${heading}${word}${gap.includes('\n') ? '\n' : ' '}`,
      weight: word.length + 1,
    }),
  );
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  let at = 0;
  return words.map(({ word, weight }) => {
    const start = (at / total) * seconds;
    at += weight;
    const end = start + (weight / total) * seconds * SUNG_SHARE;
    return { word, success: true, start_s: start, end_s: end, p_align: 1 };
  });
}
