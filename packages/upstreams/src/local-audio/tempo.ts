/** Samples a second of what is analysed: beats are found by where sound begins, not by how it sounds. */
export const TEMPO_RATE = 11_025;
/** More of a track says no more of its tempo. */
export const TEMPO_SECONDS = 120;

const HOP_SAMPLES = 110;
const FRAMES_PER_MINUTE = (60 * TEMPO_RATE) / HOP_SAMPLES;
/** Tracks are seldom slower or faster; half and double tempo are distinguished by how near they are to the usual one. */
const BPM = { min: 50, max: 200, usual: 115, spread: 0.9 };
/** Beats apart at which a beat is looked for again, which tells its length so much more exactly. */
const FAR_BEATS = [2, 4, 8, 16];

/**
 * The beats a minute of a sound, to a tenth, by how it resembles itself one beat later. Undefined where nothing begins in it
 * that could be a beat.
 */
export function tempoOf(samples: Float32Array): number | undefined {
  const onsets = onsetsOf(samples);
  const alike = likenessIn(onsets);
  if (alike(0) <= 0) return undefined;
  let best = { lag: 0, weight: 0 };
  for (let lag = Math.floor(FRAMES_PER_MINUTE / BPM.max); lag <= FRAMES_PER_MINUTE / BPM.min; lag += 1) {
    const octaves = Math.log2(FRAMES_PER_MINUTE / lag / BPM.usual);
    const weight = alike(lag) * Math.exp(-0.5 * (octaves / BPM.spread) ** 2);
    if (weight > best.weight) best = { lag, weight };
  }
  if (best.lag === 0) return undefined;
  return Math.round((10 * FRAMES_PER_MINUTE) / exactly(best.lag, onsets.length, alike)) / 10;
}

/** How much louder each frame is than the one before, about their mean. */
function onsetsOf(samples: Float32Array): Float32Array {
  const frames = Math.floor(samples.length / HOP_SAMPLES);
  const onsets = new Float32Array(frames);
  let before = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    let energy = 0;
    for (let index = frame * HOP_SAMPLES; index < (frame + 1) * HOP_SAMPLES; index += 1) {
      energy += (samples[index] ?? 0) ** 2;
    }
    const loudness = Math.log1p((1000 * energy) / HOP_SAMPLES);
    onsets[frame] = Math.max(0, loudness - before);
    before = loudness;
  }
  const mean = onsets.reduce((sum, onset) => sum + onset, 0) / Math.max(1, frames);
  return onsets.map((onset) => onset - mean);
}

/** How alike a sequence is to itself so many frames later. */
function likenessIn(onsets: Float32Array): (lag: number) => number {
  return (lag) => {
    const pairs = onsets.length - lag;
    let sum = 0;
    for (let frame = 0; frame < pairs; frame += 1) sum += (onsets[frame] ?? 0) * (onsets[frame + lag] ?? 0);
    return pairs > 0 ? sum / pairs : 0;
  };
}

/** The length of a beat to a fraction of a frame, by beats further and further away. */
function exactly(beat: number, frames: number, alike: (lag: number) => number): number {
  let length = beat;
  for (const beats of FAR_BEATS) {
    const expected = Math.round(length * beats);
    if (expected > frames / 2) break;
    const near = [-2, -1, 0, 1, 2].map((offset) => expected + offset);
    length = near.reduce((best, lag) => (alike(lag) > alike(best) ? lag : best), expected) / beats;
  }
  return length;
}
