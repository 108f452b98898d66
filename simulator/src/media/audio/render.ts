import { setImmediate } from 'node:timers/promises';
import { type Note, notesOf, secondsPerBeat } from './notes';
import { parts as allParts, type Music, type Part, type Recording, secondsOf } from './recording';

export const SAMPLE_RATE = 44_100;

export interface Rendering {
  /** The parts that are to sound. */
  parts: readonly Part[];
  /** How much faster, at the same pitch. */
  tempo: number;
  /** The samples of a clip at that tempo. */
  readClip(key: string, tempo: number): Promise<Float32Array>;
}

/**
 * Returns the samples of a recording: mono, 44.1 kHz, within -1 and 1. Every step is linear in the parts, so that the stems of
 * anything add up to its mix.
 */
export async function renderRecording(recording: Recording, rendering: Rendering): Promise<Float32Array> {
  const samples = new Float32Array(samplesIn(secondsOf(recording) / rendering.tempo));
  switch (recording.kind) {
    case 'music':
      await renderMusic(recording, samples, rendering);
      return samples;
    case 'clip': {
      const clip = await rendering.readClip(recording.key, rendering.tempo);
      // Nobody knows the parts of a clip: each is an equal share of it.
      const share = rendering.parts.length / allParts.length;
      return samples.map((_, index) => (clip[index] ?? 0) * share);
    }
    case 'crop': {
      const start = samplesIn(recording.start / rendering.tempo);
      samples.set((await renderRecording(recording.of, rendering)).subarray(start, start + samples.length));
      return samples;
    }
    case 'join': {
      let at = 0;
      for (const piece of recording.pieces) {
        const start = samplesIn(at / rendering.tempo);
        samples.set((await renderRecording(piece, rendering)).subarray(0, samples.length - start), start);
        at += secondsOf(piece);
      }
      return samples;
    }
    case 'fade':
      return faded(await renderRecording(recording.of, rendering), recording, rendering.tempo);
    case 'gain':
      return (await renderRecording(recording.of, rendering)).map((sample) => sample * recording.factor);
    case 'speed': {
      if (!recording.keepPitch) return resampled(await renderRecording(recording.of, rendering), samples.length);
      return renderRecording(recording.of, { ...rendering, tempo: rendering.tempo * recording.factor });
    }
    case 'parts': {
      const sounding = rendering.parts.filter((part) => recording.parts.includes(part));
      return renderRecording(recording.of, { ...rendering, parts: sounding });
    }
  }
}

function samplesIn(seconds: number): number {
  return Math.round(seconds * SAMPLE_RATE);
}

/** Lets other work in between beats: ten minutes of samples take seconds. */
async function renderMusic(music: Music, samples: Float32Array, { parts, tempo }: Rendering): Promise<void> {
  const beat = secondsPerBeat(music);
  for (let index = Math.floor(music.from / beat); index * beat < music.from + music.seconds; index += 1) {
    const at = samplesIn((index * beat - music.from) / tempo);
    for (const note of notesOf(music, index)) {
      if (parts.includes(note.part)) addTone(note, samples, { at, length: samplesIn(beat / tempo) });
    }
    await setImmediate();
  }
}

const TABLE_SIZE = 4_096;
const SINE = Float32Array.from({ length: TABLE_SIZE }, (_, at) => Math.sin((2 * Math.PI * at) / TABLE_SIZE));
/** All parts together stay below full scale, also where they are made louder. */
const LEVEL = 0.06;
const EDGE_SAMPLES = 400;

/** Adds a tone that swells and dies away at its edges; `at`, where it begins, may lie before the samples. */
function addTone({ pitch }: Note, samples: Float32Array, { at, length }: { at: number; length: number }): void {
  const advance = (440 * 2 ** ((pitch - 69) / 12) * TABLE_SIZE) / SAMPLE_RATE;
  for (let index = Math.max(0, -at); index < Math.min(length, samples.length - at); index += 1) {
    const toEdge = Math.min(index, length - index);
    const edge = toEdge < EDGE_SAMPLES ? toEdge / EDGE_SAMPLES : 1;
    const tone = LEVEL * edge * (SINE[(index * advance) & (TABLE_SIZE - 1)] ?? 0);
    samples[at + index] = (samples[at + index] ?? 0) + tone;
  }
}

function faded(samples: Float32Array, { fadeIn, fadeOut }: { fadeIn: number; fadeOut: number }, tempo: number) {
  const rise = samplesIn(fadeIn / tempo);
  const fall = samplesIn(fadeOut / tempo);
  return samples.map((sample, index) => {
    const up = index < rise ? index / rise : 1;
    const left = samples.length - index;
    return sample * up * (left < fall ? left / fall : 1);
  });
}

function resampled(samples: Float32Array, length: number): Float32Array {
  const ratio = samples.length / length;
  return Float32Array.from({ length }, (_, index) => samples[Math.floor(index * ratio)] ?? 0);
}
