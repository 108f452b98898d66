import { createDice } from '../dice';
import { type Music, musicOf, type Part, parts, type Recording, secondsOf } from './recording';

/** One tone of a part, a beat long. */
export interface Note {
  part: Part;
  /** A MIDI number. */
  pitch: number;
}

/** Five tones an octave: repeated pitches make a track that is played faster tell from one at another pitch. */
const SCALE = [0, 3, 5, 7, 10];
const LOWEST_PITCH = 52;
const OCTAVES = 3;

/** Returns the notes of a beat, drawn from what the track is about: one for each part that it has. */
export function notesOf(music: Music, beat: number): Note[] {
  const { motif, variation, key, voice } = music;
  const dice = createDice(motif, variation, key, voice, beat);
  return partsOf(music).map((part, index) => ({
    part,
    pitch: LOWEST_PITCH + 12 * (index % OCTAVES) + (SCALE[Math.floor(dice.between(0, SCALE.length))] ?? 0),
  }));
}

export function secondsPerBeat({ bpm }: { bpm: number }): number {
  return 60 / bpm;
}

/** Returns the notes of the track that a recording begins with, for as long as the recording is; of a clip none are known. */
export function transcribe(recording: Recording): (Note & { start: number; end: number })[] {
  const music = musicOf(recording);
  if (music === undefined) return [];
  const seconds = secondsPerBeat(music);
  const first = Math.floor(music.from / seconds);
  return Array.from({ length: Math.ceil(secondsOf(recording) / seconds) }, (_, index) =>
    notesOf(music, first + index).map((note) => ({ ...note, start: index * seconds, end: (index + 1) * seconds })),
  ).flat();
}

/** Returns the parts of a recording: nobody sings along in an instrumental. */
export function partsIn(recording: Recording): readonly Part[] {
  const music = musicOf(recording);
  return music === undefined ? parts : partsOf(music);
}

function partsOf({ voice }: Music): readonly Part[] {
  return voice === 'none' ? parts.filter((part) => part !== 'backing') : parts;
}
