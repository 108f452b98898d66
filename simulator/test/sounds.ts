import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegProgram } from '@mediagate/local-servers';

export const SAMPLE_RATE = 44_100;
const run = promisify(execFile);

export interface Sound {
  samples: Float32Array;
  seconds: number;
  codec: string;
}

/**
 * Decodes a sound file with ffmpeg; throws at the first byte that does not decode. A WAV file that was streamed announces
 * more than it holds, so its end counts as a fault unless `openEnd` allows it.
 */
export async function decode(file: Buffer, { openEnd = false } = {}): Promise<Sound> {
  const folder = await mkdtemp(join(tmpdir(), 'sound-test-'));
  try {
    const path = join(folder, 'sound');
    await writeFile(path, file);
    const raw = ['-f', 's16le', '-ac', '1', '-ar', String(SAMPLE_RATE), '-'];
    const { stdout, stderr } = await run(
      ffmpegProgram(),
      ['-nostdin', ...(openEnd ? [] : ['-xerror']), '-i', path, ...raw],
      {
        encoding: 'buffer',
        maxBuffer: 256 * 1024 * 1024,
      },
    );
    const samples = Float32Array.from({ length: stdout.length / 2 }, (_, at) => stdout.readInt16LE(at * 2) / 32_767);
    const codec = /Audio: (\w+)/.exec(stderr.toString())?.[1] ?? '';
    return { samples, seconds: samples.length / SAMPLE_RATE, codec };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The pitch of a stretch as the shift at which it is most like itself, in hertz. */
export function pitchIn(samples: Float32Array, { from, to, lowest = 40, highest = 500 }: Stretch): number {
  const stretch = samples.subarray(Math.round(from * SAMPLE_RATE), Math.round(to * SAMPLE_RATE));
  const lag = bestLag(stretch, Math.floor(SAMPLE_RATE / highest), Math.ceil(SAMPLE_RATE / lowest));
  return SAMPLE_RATE / lag;
}

interface Stretch {
  from: number;
  to: number;
  lowest?: number;
  highest?: number;
}

const ENVELOPE_RATE = 441;

/** The time between beats as the shift at which the loudness is most like itself, in beats a minute. */
export function tempoIn(samples: Float32Array, { slowest, fastest }: { slowest: number; fastest: number }): number {
  const block = SAMPLE_RATE / ENVELOPE_RATE;
  const loudness = Float32Array.from({ length: Math.floor(samples.length / block) }, (_, at) =>
    samples.subarray(at * block, (at + 1) * block).reduce((sum, sample) => sum + Math.abs(sample), 0),
  );
  const rises = loudness.map((level, at) => Math.max(0, level - (loudness[at - 1] ?? level)));
  const lag = bestLag(rises, Math.floor((60 * ENVELOPE_RATE) / fastest), Math.ceil((60 * ENVELOPE_RATE) / slowest));
  return (60 * ENVELOPE_RATE) / lag;
}

/** The shift at which a sound is most like itself, between those bounds, to a fraction of a sample. */
function bestLag(samples: Float32Array, least: number, most: number): number {
  const likeness = Array.from({ length: most - least + 3 }, (_, index) => likenessAt(samples, least - 1 + index));
  const isPeak = (at: number) =>
    (likeness[at] ?? 0) >= (likeness[at - 1] ?? 0) && (likeness[at] ?? 0) >= (likeness[at + 1] ?? 0);
  const greatest = Math.max(...likeness.slice(1, -1));
  // A multiple of a period is as good as the period: the first good one counts.
  const at = likeness.findIndex((value, index) => index > 0 && value > 0.9 * greatest && isPeak(index));
  const [before = 0, peak = 0, after = 0] = likeness.slice(at - 1, at + 2);
  const bend = before - 2 * peak + after;
  return least - 1 + at + (bend === 0 ? 0 : (before - after) / (2 * bend));
}

/** 1 when the sound and its shifted self are the same but for their loudness. */
function likenessAt(samples: Float32Array, lag: number): number {
  let product = 0;
  let energy = 0;
  let shifted = 0;
  for (let at = 0; at + lag < samples.length; at += 1) {
    const one = samples[at] ?? 0;
    const other = samples[at + lag] ?? 0;
    product += one * other;
    energy += one * one;
    shifted += other * other;
  }
  return product / Math.sqrt(energy * shifted || 1);
}

export function loudnessOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** The greatest difference between two sounds, sample for sample. */
export function greatestDifference(one: Float32Array, other: Float32Array): number {
  return one.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (other[at] ?? 0))), 0);
}
