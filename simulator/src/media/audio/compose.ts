import { createDice } from '../dice';
import { pitchOf } from './key';
import { crop, type Music, type Part, parts, type Recording, secondsOf } from './recording';

export interface Note {
  part: Part;
  /** A MIDI number; of drums and percussion, General MIDI's number of the drum. */
  pitch: number;
  /** Seconds from the beginning of the track. */
  start: number;
  seconds: number;
  /** 0 to 1. */
  velocity: number;
}

export const drums = { kick: 36, snare: 38, hat: 42 } as const;

const BEATS_PER_BAR = 4;
const STEPS_PER_BAR = 8;
/** Roots as steps of the scale. Every progression begins on the tonic. */
const progressions = {
  major: [
    [0, 4, 5, 3],
    [0, 5, 3, 4],
    [0, 3, 4, 3],
    [0, 2, 3, 4],
  ],
  minor: [
    [0, 5, 2, 6],
    [0, 3, 5, 4],
    [0, 6, 5, 6],
    [0, 3, 6, 2],
  ],
};

/** Gives the notes of any bar of a track, from bar 0. */
export type Composition = (bar: number) => Note[];

/** Draws harmony, a melody of two bars and a groove from the track's motif; they come again with every progression. */
export function compose(music: Music): Composition {
  const dice = createDice(music.motif, music.variation, 'composition');
  const pick = <T>(items: readonly T[]): T => items[Math.floor(dice.between(0, items.length))] as T;
  const progression = pick(progressions[music.key.mode]);
  const melody = Array.from({ length: 2 * STEPS_PER_BAR }, (_, step) => ({
    sung: step % STEPS_PER_BAR === 0 || dice.between(0, 1) < 0.6,
    degree: Math.floor(dice.between(0, 8)),
  }));
  const syncopated = dice.between(0, 1) < 0.5;

  return (bar) => {
    const root = progression[bar % progression.length] ?? 0;
    const slot = { music, start: bar * barSeconds(music), beat: 60 / music.bpm };
    return [
      ...melodyOf(melody.slice((bar % 2) * STEPS_PER_BAR, ((bar % 2) + 1) * STEPS_PER_BAR), { ...slot, root }),
      ...harmonyOf({ ...slot, root }),
      ...grooveOf(slot, syncopated),
    ];
  };
}

export function barSeconds({ bpm }: { bpm: number }): number {
  return (BEATS_PER_BAR * 60) / bpm;
}

interface Slot {
  music: Music;
  start: number;
  beat: number;
}

function melodyOf(steps: { sung: boolean; degree: number }[], { music, start, beat, root }: Slot & { root: number }) {
  const octave = music.voice === 'male' ? 3 : 4;
  const notes: Note[] = [];
  for (const [step, { sung, degree }] of steps.entries()) {
    if (!sung) continue;
    const rest = steps.slice(step + 1).findIndex((next) => next.sung);
    const seconds = (beat / 2) * (rest < 0 ? steps.length - step : rest + 1) * 0.95;
    const scaleStep = root + degree - 4;
    const at = start + (step * beat) / 2;
    notes.push({ part: 'lead', pitch: pitchOf(music.key, scaleStep, octave), start: at, seconds, velocity: 0.9 });
    if (music.voice === 'none' || step % 4 !== 0) continue;
    notes.push({
      part: 'backing',
      pitch: pitchOf(music.key, scaleStep + 2, octave),
      start: at,
      seconds,
      velocity: 0.6,
    });
  }
  return notes;
}

function harmonyOf({ music, start, beat, root }: Slot & { root: number }): Note[] {
  const chord = [0, 2, 4].map((third): Note => {
    const pitch = pitchOf(music.key, root + third, 3);
    return { part: 'keyboard', pitch, start, seconds: BEATS_PER_BAR * beat, velocity: 0.7 };
  });
  const bass = Array.from({ length: BEATS_PER_BAR }, (_, count): Note => {
    const step = count === BEATS_PER_BAR - 1 ? root + 4 : root;
    return {
      part: 'bass',
      pitch: pitchOf(music.key, step, 2),
      start: start + count * beat,
      seconds: beat * 0.9,
      velocity: 0.9,
    };
  });
  return [...chord, ...bass];
}

function grooveOf({ start, beat }: Slot, syncopated: boolean): Note[] {
  const hit = (part: Part, pitch: number, beats: number, velocity: number): Note => ({
    part,
    pitch,
    start: start + beats * beat,
    seconds: 0.3,
    velocity,
  });
  return [
    ...(syncopated ? [0, 1.5, 2] : [0, 2]).map((at) => hit('drums', drums.kick, at, 1)),
    ...[1, 3].map((at) => hit('drums', drums.snare, at, 0.9)),
    ...Array.from({ length: STEPS_PER_BAR }, (_, step) =>
      hit('percussion', drums.hat, step / 2, step % 2 === 0 ? 0.8 : 0.5),
    ),
  ];
}

/** The notes of tracks in a recording, at the times at which they sound, in order; the notes of clips are unknown. */
export function notesOf(recording: Recording): Note[] {
  switch (recording.kind) {
    case 'clip':
    case 'one-shot':
      return [];
    case 'music': {
      const composition = compose(recording);
      const bar = barSeconds(recording);
      const first = Math.floor(recording.from / bar);
      const bars = Math.ceil((recording.from + recording.seconds) / bar) - first;
      const all = Array.from({ length: bars }, (_, index) => composition(first + index)).flat();
      const end = recording.from + recording.seconds;
      const heard = all.filter(({ start }) => start >= recording.from && start < end);
      return heard.map((note) => ({ ...note, start: note.start - recording.from })).sort(byStart);
    }
    case 'crop': {
      const heard = notesOf(recording.of).filter(({ start }) => start >= recording.start && start < recording.end);
      return heard.map((note) => ({ ...note, start: note.start - recording.start }));
    }
    case 'join': {
      let at = 0;
      return recording.pieces.flatMap((piece) => {
        const offset = at;
        at += secondsOf(piece);
        return notesOf(piece).map((note) => ({ ...note, start: note.start + offset }));
      });
    }
    case 'speed':
      return notesOf(recording.of).map((note) => ({
        ...note,
        start: note.start / recording.factor,
        seconds: note.seconds / recording.factor,
        pitch: recording.keepPitch ? note.pitch : note.pitch + 12 * Math.log2(recording.factor),
      }));
    case 'parts':
      return notesOf(recording.of).filter(({ part }) => recording.parts.includes(part));
    case 'fade':
    case 'gain':
      return notesOf(recording.of);
  }
}

const byStart = (one: Note, other: Note) => one.start - other.start;

const MAX_LOOK_SECONDS = 30;

/** The parts that sound in a recording: an instrumental has no backing voices. */
export function partsIn(recording: Recording): Part[] {
  const heard = new Set(notesOf(crop(recording, 0, MAX_LOOK_SECONDS)).map(({ part }) => part));
  // All that is known of a clip is that it is a sound.
  return heard.size === 0 ? [...parts] : parts.filter((part) => heard.has(part));
}
