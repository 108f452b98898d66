/** A key such as `C#` or `Am`: the pitch class of its tonic (C is 0) and its mode. */
export interface Key {
  tonic: number;
  mode: 'major' | 'minor';
}

const pitchClasses = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
const flats: Record<string, string> = { Db: 'C#', Eb: 'D#', Gb: 'F#', Ab: 'G#', Bb: 'A#' };
const steps = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10] };

/** Undefined for a text that names no key. `B#` is C under another name. */
export function parseKey(text: string): Key | undefined {
  const [, letter = '', accidental = '', minor] = /^([A-G])(#|b)?(m)?$/.exec(text) ?? [];
  const name = `${letter}${accidental}`;
  const tonic = name === 'B#' ? 0 : pitchClasses.indexOf(flats[name] ?? name);
  return tonic < 0 ? undefined : { tonic, mode: minor === undefined ? 'major' : 'minor' };
}

/** The MIDI number of a step of the key's scale: step 0 is the tonic in that octave, 7 the tonic above it. */
export function pitchOf({ tonic, mode }: Key, step: number, octave: number): number {
  const scale = steps[mode];
  const inScale = ((step % 7) + 7) % 7;
  return 12 * (octave + 1) + tonic + 12 * Math.floor(step / 7) + (scale[inScale] ?? 0);
}

/** Hertz of a MIDI number. */
export function frequencyOf(pitch: number): number {
  return 440 * 2 ** ((pitch - 69) / 12);
}
