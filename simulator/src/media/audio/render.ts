import { setImmediate } from 'node:timers/promises';
import { createDice } from '../dice';
import { onlyParts } from './clip-parts';
import { barSeconds, compose, type Note } from './compose';
import { createInstruments, SAMPLE_RATE } from './instruments';
import { pitchOf } from './key';
import { type Music, type OneShot, type Part, type Recording, secondsOf } from './recording';

export interface Rendering {
  /** The parts that are to sound. */
  parts: readonly Part[];
  /** How much faster, at the same pitch. */
  tempo: number;
  /** The samples of a clip at that tempo. */
  readClip(key: string, tempo: number): Promise<Float32Array>;
}

/**
 * The samples of a recording: mono, 44.1 kHz, within -1 and 1. Every step is linear in the parts, so that the stems of
 * anything add up to its mix. Lets other work in between bars.
 */
export async function renderRecording(recording: Recording, rendering: Rendering): Promise<Float32Array> {
  const samples = new Float32Array(samplesIn(secondsOf(recording) / rendering.tempo));
  switch (recording.kind) {
    case 'music':
      await renderMusic(recording, samples, rendering);
      return samples;
    case 'one-shot':
      renderOneShot(recording, samples, rendering);
      return samples;
    case 'clip': {
      const clip = onlyParts(await rendering.readClip(recording.key, rendering.tempo), rendering.parts);
      samples.set(clip.subarray(0, samples.length));
      return samples;
    }
    case 'crop': {
      const start = samplesIn(recording.start / rendering.tempo);
      return fitted(await renderRecording(recording.of, rendering), { start, length: samples.length });
    }
    case 'join': {
      let at = 0;
      for (const piece of recording.pieces) {
        const start = samplesIn(at / rendering.tempo);
        const rendered = await renderRecording(piece, rendering);
        samples.set(rendered.subarray(0, samples.length - start), start);
        at += secondsOf(piece);
      }
      return samples;
    }
    case 'fade':
      return faded(await renderRecording(recording.of, rendering), recording, rendering.tempo);
    case 'gain':
      return (await renderRecording(recording.of, rendering)).map((sample) => sample * recording.factor);
    case 'speed': {
      if (recording.keepPitch) {
        return renderRecording(recording.of, { ...rendering, tempo: rendering.tempo * recording.factor });
      }
      return resampled(await renderRecording(recording.of, rendering), samples.length);
    }
    case 'parts': {
      const heard = rendering.parts.filter((part) => recording.parts.includes(part));
      return renderRecording(recording.of, { ...rendering, parts: heard });
    }
  }
}

function samplesIn(seconds: number): number {
  return Math.round(seconds * SAMPLE_RATE);
}

async function renderMusic(music: Music, samples: Float32Array, { parts, tempo }: Rendering): Promise<void> {
  const instruments = createInstruments(music.voice);
  const composition = compose(music);
  const bar = barSeconds(music);
  const put = (note: Note) => {
    if (!parts.includes(note.part)) return;
    const at = samplesIn((note.start - music.from) / tempo);
    instruments[note.part]({ ...note, seconds: note.seconds / tempo }, samples, at);
  };
  // A drum may sound into the bar after its own.
  for (
    let index = Math.max(0, Math.floor(music.from / bar) - 1);
    index * bar < music.from + music.seconds;
    index += 1
  ) {
    for (const note of composition(index)) put(note);
    await setImmediate();
  }
}

function renderOneShot(shot: OneShot, samples: Float32Array, { parts, tempo }: Rendering): void {
  const dice = createDice(shot.motif, shot.variation, 'one-shot');
  const instruments = createInstruments('none');
  const octave = Math.floor(dice.between(2, 5));
  const seconds = shot.seconds / tempo;
  const tones: Note[] = [0, 7].map((step) => ({
    part: 'lead',
    pitch: pitchOf(shot.key, step, octave),
    start: 0,
    seconds,
    velocity: 0.9,
  }));
  const blow: Note = { part: 'drums', pitch: dice.between(0, 1) < 0.5 ? 36 : 38, start: 0, seconds, velocity: 1 };
  for (const note of [...tones, blow]) if (parts.includes(note.part)) instruments[note.part](note, samples, 0);
}

function fitted(samples: Float32Array, { start, length }: { start: number; length: number }): Float32Array {
  const piece = samples.slice(start, start + length);
  if (piece.length === length) return piece;
  const whole = new Float32Array(length);
  whole.set(piece);
  return whole;
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
  return Float32Array.from({ length }, (_, index) => {
    const at = index * ratio;
    const before = samples[Math.floor(at)] ?? 0;
    const after = samples[Math.floor(at) + 1] ?? before;
    return before + (after - before) * (at % 1);
  });
}
