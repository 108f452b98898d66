import { parseArgs } from 'node:util';
import { COMPARISONS } from './comparisons';
import type { Pace } from './measure/interleave';

export interface Options {
  quick: boolean;
  pace: Pace;
  /** Names of comparisons. */
  only: ReadonlySet<string>;
  profileDirectory: string | undefined;
  /** Tasks in the database whose lists are measured; undefined: as many as the comparison takes by itself. */
  rows: number | undefined;
  /** Names of the cases of `scale` to run; undefined: all. */
  cases: readonly string[] | undefined;
}

const PACE = {
  full: { rounds: 5, sliceMs: 2000, warmUpMs: 2000 },
  quick: { rounds: 2, sliceMs: 1000, warmUpMs: 1000 },
};
const MAX_ROUNDS = 100;
/** Fewer tasks would have none of the rare kinds. */
const MIN_ROWS = 10_000;
const MAX_ROWS = 100_000_000;

/** @throws Error saying what is wrong with the arguments. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      rows: { type: 'string' },
      cases: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const pace = values.quick ? PACE.quick : PACE.full;
  const rounds = wholeNumber('rounds', values.rounds, { min: 1, max: MAX_ROUNDS }) ?? pace.rounds;
  const rows = wholeNumber('rows', values.rows, { min: MIN_ROWS, max: MAX_ROWS });
  const only = new Set(values.only === undefined ? COMPARISONS.map(({ name }) => name) : chosen(values.only));
  const cases = values.cases?.split(',');
  const { quick, profile: profileDirectory } = values;
  return { quick, pace: { ...pace, rounds }, only, profileDirectory, rows, cases };
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}`);
}

function chosen(list: string): string[] {
  return list.split(',').map((wanted) => {
    const found = COMPARISONS.find(({ name, goals }) => name === wanted || goals.includes(wanted.toUpperCase()));
    if (!found) throw new Error(`--only: there is no goal or comparison ${wanted}`);
    return found.name;
  });
}
