import type { Slice } from './slice';

export interface Contender {
  name: string;
  /** Works for about this long. */
  slice(ms: number): Promise<Slice>;
}

export interface Pace {
  rounds: number;
  sliceMs: number;
  warmUpMs: number;
}

/**
 * Rounds in which every contender has one slice, in turns: what disturbs the machine for a while disturbs all of them, so
 * only figures of one round are ever set against each other. Everybody warms up first, and that does not count.
 *
 * @returns the slices of each contender, in the order of the contenders and then of the rounds.
 */
export async function interleave(contenders: readonly Contender[], pace: Pace): Promise<Slice[][]> {
  for (const contender of contenders) await contender.slice(pace.warmUpMs);
  const slices: Slice[][] = contenders.map(() => []);
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      slices[index]?.push(await contender.slice(pace.sliceMs));
    }
  }
  return slices;
}
