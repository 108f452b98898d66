import { spawnSync } from 'node:child_process';
import { ffmpegProgram } from '@mediagate/testkit/servers';

/** Mono, `RATE` samples a second. */
export type Sound = Float32Array;

const RATE = 8_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Every sample of a file, decoded by ffmpeg, through its own filters where some are named. Throws when it cannot be. */
export function decode(bytes: Buffer, filters = 'anull'): Sound {
  const args = ['-v', 'error', '-i', 'pipe:0', '-af', filters, '-f', 'f32le', '-ac', '1', '-ar', String(RATE), '-'];
  const { status, stdout, stderr } = spawnSync(ffmpegProgram(), args, { input: bytes, maxBuffer: MAX_BYTES });
  if (status !== 0) throw new Error(`ffmpeg cannot play it: ${stderr.toString().slice(-500)}`);
  return Float32Array.from({ length: stdout.length / 4 }, (_, index) => stdout.readFloatLE(index * 4));
}

/** An ffmpeg filter that does what a faster tape does: it makes a sound shorter, and higher. */
export function likeATape(speed: number): string {
  return `aresample=44100,asetrate=${Math.round(44_100 * speed)}`;
}

export function seconds(sound: Sound): number {
  return sound.length / RATE;
}

export function between(sound: Sound, from: number, to: number): Sound {
  return sound.slice(Math.round(from * RATE), Math.round(to * RATE));
}

export function mix(one: Sound, other: Sound): Sound {
  return one.map((sample, index) => sample + (other[index] ?? 0));
}

export function loudness(sound: Sound): number {
  return Math.sqrt(product(sound, sound) / sound.length);
}

/** How much of a sound is not in another one, as a share of its loudness: 0 for the same, 1 and more for another one. */
export function difference(sound: Sound, other: Sound): number {
  return loudness(sound.map((sample, index) => sample - (other[index] ?? 0))) / loudness(sound);
}

/** Encoders put some milliseconds in front. */
const LAG_SECONDS = 0.06;

/** 1 for the same sound, however loud and however an encoder has moved it; near 0 for another one. */
export function likeness(sound: Sound, other: Sound): number {
  const most = Math.round(LAG_SECONDS * RATE);
  const length = Math.min(sound.length, other.length) - 2 * most;
  const middle = sound.subarray(most, most + length);
  const at = (lag: number) => other.subarray(lag, lag + length);
  const products = Array.from({ length: 2 * most + 1 }, (_, lag) => product(middle, at(lag)));
  const best = products.reduce((found, value, lag) => (value > (products[found] ?? 0) ? lag : found), 0);
  return (products[best] ?? 0) / Math.sqrt(product(middle, middle) * product(at(best), at(best)));
}

function product(one: Sound, other: Sound): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] as number) * (other[index] as number);
  return sum;
}

const LOWEST_HERTZ = 80;
const STEPS_PER_SEMITONE = 10;
const SEMITONES = 60;
const MAX_SHIFT_SEMITONES = 15;

/** By how many semitones a piece sounds higher than another one: the shift at which their tones fall on each other. */
export function pitchShift(of: Sound, from: Sound): number {
  const [high, low] = [tones(of), tones(from)];
  const shifts = Array.from(
    { length: 2 * MAX_SHIFT_SEMITONES * STEPS_PER_SEMITONE + 1 },
    (_, index) => index - MAX_SHIFT_SEMITONES * STEPS_PER_SEMITONE,
  );
  const match = (shift: number) => low.reduce((sum, level, step) => sum + level * (high[step + shift] ?? 0), 0);
  const best = shifts.reduce((found, shift) => (match(shift) > match(found) ? shift : found));
  return best / STEPS_PER_SEMITONE;
}

/**
 * How much each tone stands out of those around it, lowest first, over the whole sound: how bright it is, and drums, which
 * are all over the place, level out.
 */
function tones(sound: Sound): number[] {
  const spectrum = averageSpectrum(sound);
  const levels = Array.from({ length: SEMITONES * STEPS_PER_SEMITONE }, (_, step) => {
    const at = (LOWEST_HERTZ * 2 ** (step / STEPS_PER_SEMITONE / 12) * WINDOW) / RATE;
    const [before = 0, after = 0] = spectrum.slice(Math.floor(at), Math.floor(at) + 2);
    return Math.log(1e-6 + before + (after - before) * (at % 1));
  });
  const reach = 2 * STEPS_PER_SEMITONE;
  return levels.map((level, step) => level - mean(levels.slice(Math.max(0, step - reach), step + reach + 1)));
}

function mean(levels: readonly number[]): number {
  return levels.reduce((sum, level) => sum + level, 0) / levels.length;
}

/** In samples: half a second, for tones two hertz apart. */
const WINDOW = 4096;

function averageSpectrum(sound: Sound): number[] {
  const sums = new Array<number>(WINDOW / 2).fill(0);
  for (let at = 0; at + WINDOW <= sound.length; at += WINDOW) {
    const real = sound.slice(at, at + WINDOW).map((sample, index) => sample * (0.5 - 0.5 * turn(index).cosine));
    const imaginary = new Float32Array(WINDOW);
    transform(real, imaginary);
    for (const bin of sums.keys()) {
      sums[bin] = (sums[bin] as number) + Math.hypot(real[bin] as number, imaginary[bin] as number);
    }
  }
  return sums;
}

const turns = Array.from({ length: WINDOW }, (_, index) => {
  const angle = (2 * Math.PI * index) / WINDOW;
  return { cosine: Math.cos(angle), sine: Math.sin(angle) };
});

function turn(index: number): { cosine: number; sine: number } {
  return turns[index] as { cosine: number; sine: number };
}

/** Fourier's transform of `WINDOW` samples, in place: sorted by their places read backwards, then joined two by two. */
function transform(real: Float32Array, imaginary: Float32Array): void {
  for (let index = 0, mirrored = 0; index < WINDOW; index += 1) {
    if (index < mirrored) [real[index], real[mirrored]] = [real[mirrored] as number, real[index] as number];
    let bit = WINDOW >> 1;
    for (; mirrored & bit; bit >>= 1) mirrored ^= bit;
    mirrored |= bit;
  }
  for (let half = 1; half < WINDOW; half *= 2) {
    for (let at = 0; at < WINDOW; at += 1) if ((at & half) === 0) join(real, imaginary, { at, half });
  }
}

function join(real: Float32Array, imaginary: Float32Array, { at, half }: { at: number; half: number }): void {
  const { cosine, sine } = turn((at % half) * (WINDOW / 2 / half));
  const other = at + half;
  const [x, y] = [real[other] as number, imaginary[other] as number];
  const [turned, turnedImaginary] = [x * cosine + y * sine, y * cosine - x * sine];
  real[other] = (real[at] as number) - turned;
  imaginary[other] = (imaginary[at] as number) - turnedImaginary;
  real[at] = (real[at] as number) + turned;
  imaginary[at] = (imaginary[at] as number) + turnedImaginary;
}
