import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegProgram } from '@mediagate/testkit/servers';

const SAMPLE_RATE = 44_100;
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

/** The greatest difference between two sounds, sample for sample. */
export function greatestDifference(one: Float32Array, other: Float32Array): number {
  return one.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (other[at] ?? 0))), 0);
}
