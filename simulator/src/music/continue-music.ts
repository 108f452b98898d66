import { crop, join, type Music, musicOf, type Recording, withStretch } from '../media/audio/recording';

/** A stretch of the track that a recording begins with: as it would have gone on at that second, or in a variation of it. */
function stretchOf(
  source: Recording,
  { from, seconds, variation, fallback }: { from: number; seconds: number; variation: number; fallback: Music },
): Music {
  const music = musicOf(source) ?? fallback;
  return { ...music, from: music.from + from, seconds, variation: music.variation + variation };
}

interface Continuation {
  /** Zero goes on as the track would have gone on. */
  variation: number;
  /** The music that takes the place of a sound which is no track of ours. */
  fallback: Music;
}

/** The recording up to `at`, and that many seconds more. */
export function continued(
  source: Recording,
  { at, seconds, ...continuation }: { at: number; seconds: number } & Continuation,
): Recording {
  return join([crop(source, 0, at), stretchOf(source, { from: at, seconds, ...continuation })]);
}

/** The recording with another version of the track between `start` and `end`. */
export function replaced(
  source: Recording,
  { start, end, ...continuation }: { start: number; end: number } & Continuation,
): Recording {
  const replacement = stretchOf(source, { from: start, seconds: end - start, ...continuation });
  return withStretch(source, { start, end, replacement });
}

/** The melody of a recording in another key, tempo and voice. */
export function covered(source: Recording, style: Music, take: number): Music {
  const { motif, variation } = musicOf(source) ?? style;
  return { ...style, motif, variation, bpm: style.bpm * (1 + 0.05 * take) };
}
