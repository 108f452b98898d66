import { renameSync, writeFileSync } from 'node:fs';
import type { MachineFacts } from '../machine/facts';
import { type Figure, verdictOf } from '../measure/figure';

export interface ComparisonResult {
  name: string;
  figures: Figure[];
  /** With one entry every figure of the comparison is void. */
  faults: string[];
  seconds: number;
}

/** All that makes a figure what it is. */
export interface RunFacts {
  startedAt: string;
  seconds: number;
  machine: MachineFacts;
  /** Settings of PostgreSQL and Redis, as they report them. */
  settings: Record<string, string>;
  /** Microseconds. */
  diskFlush: number;
  rounds: number;
  sliceMs: number;
  quick: boolean;
}

/** Whole or not at all: an interrupted run leaves the results of the one before. */
export function writeResults(path: string, run: RunFacts, results: readonly ComparisonResult[]): void {
  const comparisons = results.map(({ figures, ...rest }) => ({
    ...rest,
    figures: figures.map((figure) => ({ ...figure, verdict: rest.faults.length > 0 ? 'void' : verdictOf(figure) })),
  }));
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify({ run, comparisons }, undefined, 2)}\n`);
  renameSync(unfinished, path);
}
