import { SAMPLE_RATE } from './instruments';
import { parts as allParts, type Part } from './recording';

/** Where a clip is cut into bands, in hertz: what lies below a bound belongs to its part. */
const bounds: { part: Part; belowHz: number }[] = [
  { part: 'bass', belowHz: 180 },
  { part: 'keyboard', belowHz: 350 },
  { part: 'lead', belowHz: 3_400 },
];
/** The part of everything above the last bound. */
const rest: Part = 'drums';

/**
 * Reduces somebody's own sound to those parts: each is a band of it, which is how far one gets without knowing how
 * it was made. The bands add up to the whole.
 */
export function onlyParts(samples: Float32Array, parts: readonly Part[]): Float32Array {
  if (allParts.every((part) => parts.includes(part))) return samples;
  const sum = new Float32Array(samples.length);
  let remaining = samples;
  for (const { part, belowHz } of bounds) {
    const low = lowPassed(remaining, belowHz);
    if (parts.includes(part)) add(sum, low);
    remaining = remaining.map((sample, index) => sample - (low[index] ?? 0));
  }
  if (parts.includes(rest)) add(sum, remaining);
  return sum;
}

function lowPassed(samples: Float32Array, hertz: number): Float32Array {
  const share = 1 - Math.exp((-2 * Math.PI * hertz) / SAMPLE_RATE);
  let level = 0;
  return samples.map((sample) => {
    level += share * (sample - level);
    return level;
  });
}

function add(sum: Float32Array, samples: Float32Array): void {
  for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (samples[index] ?? 0);
}
