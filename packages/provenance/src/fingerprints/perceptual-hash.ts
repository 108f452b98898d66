import { GREY_SIDE } from '@mediagate/media';

/** Waves of each direction: 8 x 8 of them make 64 bits. */
const WAVES = 8;
/** An image whose grey hardly varies has no features of its own: each would resemble every other such one. */
const LEAST_DEVIATION = 4;

/** Cosines of each wave at each pixel. */
const COSINES = Array.from({ length: WAVES }, (_, wave) =>
  Array.from({ length: GREY_SIDE }, (_, at) => Math.cos((Math.PI / GREY_SIDE) * (at + 0.5) * wave)),
);

/**
 * The 64 bits of a square of grey (pHash): whether each of its slowest waves is stronger than half of them. Images that look alike differ
 * in few bits. Undefined for one of a single shade.
 */
export function perceptualHash(grey: Buffer): bigint | undefined {
  if (deviation(grey) < LEAST_DEVIATION) return undefined;
  const rows = Array.from({ length: GREY_SIDE }, (_, row) => {
    const pixels = grey.subarray(row * GREY_SIDE, (row + 1) * GREY_SIDE);
    return COSINES.map((cosines) => cosines.reduce((sum, cosine, at) => sum + cosine * (pixels[at] ?? 0), 0));
  });
  const strengths = COSINES.flatMap((cosines) =>
    COSINES.map((_, wave) => cosines.reduce((sum, cosine, row) => sum + cosine * (rows[row]?.[wave] ?? 0), 0)),
  );
  const sorted = strengths.toSorted((a, b) => a - b);
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  return strengths.reduce((bits, strength) => (bits << 1n) | (strength > median ? 1n : 0n), 0n);
}

function deviation(grey: Buffer): number {
  const mean = grey.reduce((sum, shade) => sum + shade, 0) / grey.length;
  return Math.sqrt(grey.reduce((sum, shade) => sum + (shade - mean) ** 2, 0) / grey.length);
}
