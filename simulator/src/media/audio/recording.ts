/** The parts that sound together in a track. Each is rendered alone, so that a stem is the very part that went into the mix. */
export const parts = ['lead', 'backing', 'drums', 'percussion', 'bass', 'keyboard'] as const;
export type Part = (typeof parts)[number];

/** A stretch of a track that has no end: the same seed gives the same music wherever the stretch begins. */
export interface Music {
  kind: 'music';
  /** The words that its tones are drawn from. */
  motif: string;
  /** Two tracks of one request differ in it. */
  variation: number;
  bpm: number;
  /** Such as `Am`: another key gives other tones. */
  key: string;
  voice: 'male' | 'female' | 'none';
  /** Where the stretch begins and how long it is, in seconds. */
  from: number;
  seconds: number;
}

/** Somebody's own sound, by its key on the shelf of clips. */
export interface ClipRecording {
  kind: 'clip';
  key: string;
  seconds: number;
}

/** A piece of audio as the way to make it: small to keep, and rendered when somebody fetches it. Times are seconds. */
export type Recording =
  | Music
  | ClipRecording
  | { kind: 'crop'; of: Recording; start: number; end: number }
  | { kind: 'join'; pieces: Recording[] }
  | { kind: 'fade'; of: Recording; fadeIn: number; fadeOut: number }
  | { kind: 'gain'; of: Recording; factor: number }
  | { kind: 'speed'; of: Recording; factor: number; keepPitch: boolean }
  | { kind: 'parts'; of: Recording; parts: Part[] };

/** A recording's length and memory are bounded; a vendor refuses what would pass them. */
export const MAX_RECORDING_SECONDS = 600;
export const MAX_RECORDING_STEPS = 200;

export function secondsOf(recording: Recording): number {
  switch (recording.kind) {
    case 'music':
    case 'clip':
      return recording.seconds;
    case 'crop':
      return recording.end - recording.start;
    case 'join':
      return recording.pieces.reduce((sum, piece) => sum + secondsOf(piece), 0);
    case 'speed':
      return secondsOf(recording.of) / recording.factor;
    case 'fade':
    case 'gain':
    case 'parts':
      return secondsOf(recording.of);
  }
}

/** How many steps it takes to make: an edit of an edit of a track is three. */
export function stepsOf(recording: Recording): number {
  if (recording.kind === 'join') return 1 + recording.pieces.reduce((sum, piece) => sum + stepsOf(piece), 0);
  return 'of' in recording ? 1 + stepsOf(recording.of) : 1;
}

/**
 * The track that a recording begins with, as it sounds there: at its tempo, and from where it is entered. Undefined when
 * it begins with no track. Its length there does not matter.
 */
export function musicOf(recording: Recording): Music | undefined {
  if (recording.kind === 'music') return recording;
  if (recording.kind === 'join') return recording.pieces[0] && musicOf(recording.pieces[0]);
  const music = 'of' in recording ? musicOf(recording.of) : undefined;
  if (!music) return undefined;
  if (recording.kind === 'crop') return { ...music, from: music.from + recording.start };
  if (recording.kind !== 'speed') return music;
  return { ...music, bpm: music.bpm * recording.factor, from: music.from / recording.factor };
}

/** The stretch from `start` to `end` left out. */
export function withoutStretch(of: Recording, { start, end }: { start: number; end: number }): Recording {
  return join([crop(of, 0, start), crop(of, end, secondsOf(of))]);
}

/** The stretch from `start` to `end` with another one in its place. */
export function withStretch(
  of: Recording,
  { start, end, replacement }: { start: number; end: number; replacement: Recording },
): Recording {
  return join([crop(of, 0, start), replacement, crop(of, end, secondsOf(of))]);
}

export function crop(of: Recording, start: number, end: number): Recording {
  return { kind: 'crop', of, start, end: Math.min(end, secondsOf(of)) };
}

export function join(pieces: Recording[]): Recording {
  return { kind: 'join', pieces: pieces.filter((piece) => secondsOf(piece) > 0) };
}
