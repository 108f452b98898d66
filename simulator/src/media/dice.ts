import { createHash } from 'node:crypto';

/** Numbers drawn from a text: the same text gives the same image on every machine. */
export interface Dice {
  /** A number from `low` up to and without `high`. */
  between(low: number, high: number): number;
}

/** A Mulberry32 generator seeded by the SHA-256 of the parts. */
export function createDice(...parts: (string | number)[]): Dice {
  let state = createHash('sha256').update(parts.join('\u0000')).digest().readUInt32LE(0);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { between: (low, high) => low + next() * (high - low) };
}
