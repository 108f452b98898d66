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
