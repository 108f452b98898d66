import type { MusicSource } from '@mediagate/contracts';

/** A part of a track in seconds, and the words that it gets; without them the track keeps its own. */
export interface NewPart {
  start: number;
  end: number;
  words: string | undefined;
}

/**
 * The lyrics of the whole track once the part is sung anew: the vendor wants those that stay beside those that change. Nobody
 * knows when a line is sung, so lines are taken to be spread evenly over the track. Headings as `[Chorus]` stay.
 */
export function fullLyrics(
  { lyrics, seconds }: Pick<MusicSource, 'lyrics' | 'seconds'>,
  part: NewPart,
): string | undefined {
  if (part.words === undefined || lyrics === undefined || seconds <= 0) return part.words ?? lyrics;
  const lines = lyrics.split('\n');
  const sung = lines.flatMap((line, index) => (isSung(line) ? [index] : []));
  const first = Math.min(Math.floor((part.start / seconds) * sung.length), Math.max(sung.length - 1, 0));
  const replaced = new Set(sung.slice(first, Math.max(Math.ceil((part.end / seconds) * sung.length), first + 1)));
  const place = sung[first] ?? lines.length;
  const before = lines.slice(0, place);
  const after = lines.slice(place).filter((_, offset) => !replaced.has(place + offset));
  return [...before, part.words, ...after].join('\n');
}

function isSung(line: string): boolean {
  return line.trim() !== '' && !/^\s*\[.*\]\s*$/.test(line);
}
