import { spawnSync } from 'node:child_process';
import { ffmpegProgram } from '@mediagate/testkit/servers';

/** Mono, `RATE` samples a second. */
export type Sound = Float32Array;

const RATE = 8_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Every sample of a file, decoded by ffmpeg. Throws when it cannot be. */
export function decode(bytes: Buffer): Sound {
  const args = ['-v', 'error', '-i', 'pipe:0', '-f', 'f32le', '-ac', '1', '-ar', String(RATE), '-'];
  const { status, stdout, stderr } = spawnSync(ffmpegProgram(), args, { input: bytes, maxBuffer: MAX_BYTES });
  if (status !== 0) throw new Error(`ffmpeg cannot play it: ${stderr.toString().slice(-500)}`);
  return Float32Array.from({ length: stdout.length / 4 }, (_, index) => stdout.readFloatLE(index * 4));
}

export function seconds(sound: Sound): number {
  return sound.length / RATE;
}

export function between(sound: Sound, from: number, to: number): Sound {
  return sound.slice(Math.round(from * RATE), Math.round(to * RATE));
}

export function loudness(sound: Sound): number {
  return Math.sqrt(sound.reduce((sum, sample) => sum + sample ** 2, 0) / sound.length);
}
