import { createDice } from '../dice';
import { drums, type Note } from './compose';
import { frequencyOf } from './key';
import type { Music, Part } from './recording';

export const SAMPLE_RATE = 44_100;

/** Adds the note to the samples; `at` is where it begins, in samples, and may lie before their beginning. */
export type Instrument = (note: Note, target: Float32Array, at: number) => void;

/** One for each part. The loudest moment of all together stays below full scale, so that a mix never has to be turned down. */
export function createInstruments(voice: Music['voice']): Record<Part, Instrument> {
  const singer =
    voice === 'none' ? createTone({ level: 0.12, harmonics: [1, 0.5, 0.33, 0.25, 0.2], decay: 2 }) : createVoice(0.14);
  return {
    lead: singer,
    backing: createVoice(0.05),
    bass: createTone({ level: 0.14, harmonics: [1, 0.35, 0.12], decay: 1.5 }),
    keyboard: createTone({ level: 0.035, harmonics: [1, 0.3, 0.1, 0.05], decay: 0.4 }),
    drums: (note, target, at) => (note.pitch === drums.kick ? kick : snare)(note, target, at),
    percussion: hat,
  };
}

const TABLE_SIZE = 2_048;
const sine = Float32Array.from({ length: TABLE_SIZE }, (_, at) => Math.sin((2 * Math.PI * at) / TABLE_SIZE));
const ATTACK_SECONDS = 0.01;
const RELEASE_SECONDS = 0.03;
const VIBRATO_HZ = 5.5;
const VIBRATO_DEPTH = 0.006;

/** One period of a wave with those harmonics, its loudest sample at 1. */
function waveTable(harmonics: number[]): Float32Array {
  const table = new Float32Array(TABLE_SIZE);
  for (const [index, weight] of harmonics.entries()) {
    for (let at = 0; at < TABLE_SIZE; at += 1) {
      table[at] = (table[at] ?? 0) + weight * (sine[(at * (index + 1)) % TABLE_SIZE] ?? 0);
    }
  }
  const peak = table.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return table.map((sample) => sample / peak);
}

function createTone({ level, harmonics, decay }: { level: number; harmonics: number[]; decay: number }): Instrument {
  const table = waveTable(harmonics);
  return (note, target, at) => play(note, target, { at, table, level, decay, vibrato: 0 });
}

/** Resonances of a singer's vowels, in hertz: ah, oh, eh. */
const vowels = [
  [800, 1_150, 2_900],
  [500, 900, 2_600],
  [550, 1_750, 2_500],
];
const VOICE_HARMONICS = 16;

/** A voice without words: each tone on a vowel of its own, with a vibrato that sets in late. */
function createVoice(level: number): Instrument {
  return (note, target, at) => {
    const table = vowelTables.get(note.pitch) ?? vowelTable(note.pitch);
    vowelTables.set(note.pitch, table);
    play(note, target, { at, table, level, decay: 0.3, vibrato: VIBRATO_DEPTH });
  };
}

/** Tables by pitch; there are some dozens of pitches. */
const vowelTables = new Map<number, Float32Array>();

function vowelTable(pitch: number): Float32Array {
  const resonances = vowels[pitch % vowels.length] ?? [];
  const frequency = frequencyOf(pitch);
  const harmonics = Array.from({ length: VOICE_HARMONICS }, (_, index) => {
    const hertz = frequency * (index + 1);
    const resonance = resonances.reduce((sum, centre) => sum + Math.exp(-(((hertz - centre) / 180) ** 2)), 0);
    return (0.15 + resonance) / (index + 1);
  });
  return waveTable(harmonics);
}

interface Playing {
  at: number;
  table: Float32Array;
  level: number;
  /** How fast it fades, in nepers a second. */
  decay: number;
  vibrato: number;
}

function play(note: Note, target: Float32Array, { at, table, level, decay, vibrato }: Playing): void {
  const length = Math.round(note.seconds * SAMPLE_RATE);
  const advance = (frequencyOf(note.pitch) * TABLE_SIZE) / SAMPLE_RATE;
  const attack = ATTACK_SECONDS * SAMPLE_RATE;
  const release = RELEASE_SECONDS * SAMPLE_RATE;
  const first = Math.max(0, -at);
  const last = Math.min(length, target.length - at);
  // Level and sway change so slowly that one value does for a block; both follow from the time in the note alone, so that
  // a note entered in its middle goes on as if it had sounded from its beginning.
  for (let block = first - (first % BLOCK_SAMPLES); block < last; block += BLOCK_SAMPLES) {
    const seconds = block / SAMPLE_RATE;
    const gain = level * note.velocity * Math.exp(-decay * seconds);
    const sway = vibrato === 0 ? 0 : swayAt(seconds) * vibrato * advance;
    const swayed =
      vibrato === 0 ? 0 : (swayAt(seconds + BLOCK_SAMPLES / SAMPLE_RATE) * vibrato * advance - sway) / BLOCK_SAMPLES;
    const end = Math.min(last, block + BLOCK_SAMPLES);
    for (let index = Math.max(first, block); index < end; index += 1) {
      const phase = index * advance + sway + (index - block) * swayed;
      const left = length - index;
      const edge = (index < attack ? index / attack : 1) * (left < release ? left / release : 1);
      target[at + index] = (target[at + index] ?? 0) + gain * edge * (table[phase & (TABLE_SIZE - 1)] ?? 0);
    }
  }
}

const BLOCK_SAMPLES = 64;

/** The number of samples by which a vibrato of full depth is ahead. */
function swayAt(seconds: number): number {
  const turns = 2 * Math.PI * VIBRATO_HZ;
  return (Math.min(1, seconds) * Math.sin(turns * seconds) * SAMPLE_RATE) / turns;
}

/** Long enough for every drum to die away. */
const DRUM_SECONDS = 0.4;
const noise = createNoise();

function createNoise(): Float32Array {
  const dice = createDice('noise');
  return Float32Array.from({ length: SAMPLE_RATE }, () => dice.between(-1, 1));
}

const kick = createDrum(0.16, (seconds) => {
  // From 130 Hz down to 45 Hz.
  const turns = 45 * seconds + (85 / 30) * (1 - Math.exp(-30 * seconds));
  return Math.sin(2 * Math.PI * turns) * Math.exp(-12 * seconds);
});
const snare = createDrum(0.1, (seconds, sample) => {
  const body = Math.sin(2 * Math.PI * 185 * seconds) * Math.exp(-25 * seconds);
  return 0.4 * body + 0.6 * (noise[sample] ?? 0) * Math.exp(-18 * seconds);
});
const hat = createDrum(0.04, (seconds, sample) => {
  // The difference of neighbours leaves the high tones.
  const hiss = (noise[sample + 1] ?? 0) - (noise[sample] ?? 0);
  return (hiss / 2) * Math.exp(-60 * seconds);
});

/** A drum sounds alike whenever it is struck, whatever the length of its note. */
function createDrum(level: number, strike: (seconds: number, sample: number) => number): Instrument {
  const length = Math.round(DRUM_SECONDS * SAMPLE_RATE);
  const blow = Float32Array.from({ length }, (_, index) => {
    const fade = Math.min(1, (length - index) / (RELEASE_SECONDS * SAMPLE_RATE));
    return level * fade * strike(index / SAMPLE_RATE, index);
  });
  return (note, target, at) => {
    const last = Math.min(length, target.length - at);
    for (let index = Math.max(0, -at); index < last; index += 1) {
      target[at + index] = (target[at + index] ?? 0) + note.velocity * (blow[index] ?? 0);
    }
  };
}
