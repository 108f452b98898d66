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
  /** What does not balance. With one entry the whole comparison is void, whatever it measured. */
  faults: string[];
}
