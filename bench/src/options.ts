import { parseArgs } from 'node:util';
import { COMPARISONS } from './comparisons';
import type { Pace } from './measure/interleave';

export interface Options {
  quick: boolean;
  pace: Pace;
  /** Names of comparisons. */
  only: ReadonlySet<string>;
  profileDirectory: string | undefined;
}

export const USAGE = `npm run bench -- [options]

  --quick           two rounds of one second: to see that it runs, not to believe its figures
  --only <ids>      goals or comparisons, comma separated: P1,P6 or poll,submit
  --rounds <n>      rounds of each comparison (default 5)
  --profile <dir>   also writes a CPU profile of each service of the product to this folder`;

const PACE = {
  full: { rounds: 5, sliceMs: 2000, warmUpMs: 2000 },
  quick: { rounds: 2, sliceMs: 1000, warmUpMs: 1000 },
};
const MAX_ROUNDS = 100;

/** @throws Error saying what is wrong with the arguments. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const pace = values.quick ? PACE.quick : PACE.full;
  const rounds = values.rounds === undefined ? pace.rounds : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAX_ROUNDS) {
    throw new Error(`--rounds must be a whole number from 1 to ${MAX_ROUNDS}`);
  }
  const only = new Set(values.only === undefined ? COMPARISONS.map(({ name }) => name) : chosen(values.only));
  return { quick: values.quick, pace: { ...pace, rounds }, only, profileDirectory: values.profile };
}

function chosen(list: string): string[] {
  return list.split(',').map((wanted) => {
    const found = COMPARISONS.find(({ name, goals }) => name === wanted || goals.includes(wanted.toUpperCase()));
    if (!found) throw new Error(`--only: there is no goal or comparison ${wanted}`);
    return found.name;
  });
}
