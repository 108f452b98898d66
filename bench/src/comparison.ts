import type { Figure } from './measure/figure';
import type { Stage } from './stage';

/** One file of `comparisons/`: programs that are up at once, and the goals they decide. */
export interface Comparison {
  name: string;
  /** Ids of the goals, for `--only`. */
  goals: readonly string[];
  run(stage: Stage): Promise<Outcome>;
}

export interface Outcome {
  figures: Figure[];
  /** Whatever does not balance, one entry each. A single entry makes the whole comparison void, whatever it measured. */
  faults: string[];
}

/** Runs parts of a comparison one after the other, each with an empty Redis. */
export async function inTurn(stage: Stage, parts: readonly ((stage: Stage) => Promise<Outcome>)[]): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const run of parts) {
    outcomes.push(await run(stage));
    await stage.servers.flushRedis();
  }
  return {
    figures: outcomes.flatMap(({ figures }) => figures),
    faults: outcomes.flatMap(({ faults }) => faults),
  };
}
