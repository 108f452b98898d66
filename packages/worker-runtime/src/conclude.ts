import { recordLate } from './attempt-end';
import { accept, turnAway, wait, withdraw, withdrawStage } from './conclude/continue-task';
import { type Concluded, charge, fail, LOST, succeed } from './conclude/end-task';
import { waitForChannel } from './conclude/wait-for-channel';
import type { Outcome, Run } from './run-state';
import type { WorkerDeps } from './worker-deps';

/**
 * Turns the outcome of a step into rows, money and the next job. Only this function branches on an outcome, and every branch
 * is one fenced statement: if the process ends before it, the task is claimed again; if it ends after it, the reconciler
 * enqueues what this process did not.
 */
export async function conclude(run: Run, outcome: Outcome, deps: WorkerDeps): Promise<Concluded> {
  switch (outcome.kind) {
    case 'succeeded':
      return succeed(run, outcome, deps);
    case 'charged':
      return charge(run, outcome, deps);
    case 'failed':
      return fail(run, outcome, deps);
    case 'accepted':
      return accept(run, outcome, deps);
    case 'waiting':
      return wait(run, outcome, deps);
    case 'stage_withdrawn':
      return withdrawStage(run, outcome, deps);
    case 'unsent':
      return withdraw(run, outcome, deps);
    case 'turned_away':
      return turnAway(run, outcome, deps);
    case 'no_channel':
      return waitForChannel(run, outcome, deps);
    case 'lost':
      await recordLate(run, outcome, deps);
      return LOST;
    default:
      return outcome satisfies never;
  }
}
