import type { Place } from '@mediagate/concurrency';
import type { Finish, Finished } from '../end';
import type { EndedTask } from '../ended-task';
import { toEndFields } from '../finish-rows';
import type { Submission } from '../submission';
import { taskColumns } from '../submit';
import type { Tranche } from './tranche';

/** A task that was paid from a tranche. */
export interface Drawn {
  readonly submission: Submission;
  readonly tranche: Tranche;
  /** By `performance.now()`. */
  readonly drawnAt: number;
  /**
   * `drawn`: the database knows nothing of it. `running`: it was sent as one that runs, `ending`: as it ended. `uncovered`: its tranche does not
   * cover it, so that it goes the exact way. `known`: tranches are done with it.
   */
  state: 'drawn' | 'running' | 'ending' | 'uncovered' | 'known';
  /** Among those whose money is outstanding. */
  place?: Place<Drawn>;
  /** What is being written of it. */
  beingBooked?: Promise<void> | undefined;
  end?: Finish;
  /** Once its end is written. */
  finished?: Finished;
  /** Why the exact way did not take it. */
  refusal?: string | undefined;
}

/** As the statement reads a task that still runs. */
export function runningPayload(drawn: Drawn): string {
  return payloadOf(drawn, { status: 'processing' });
}

/** As the statement reads a task that has ended. Callers wait for what is drawn, so that it has no callback. */
export function endedPayload(drawn: Drawn): string {
  return payloadOf(drawn, toEndFields(endOf(drawn)));
}

/** @throws Error where it has none: a task without a state would be refused with all others of its statement. */
export function endOf({ end }: Drawn): Finish {
  if (end === undefined) throw new Error('a text that has not ended is booked as one that has');
  return end;
}

function payloadOf({ submission, drawnAt }: Drawn, state: object): string {
  const reserved = submission.reservedNano.toString();
  const own = { reserved, beganMsAgo: performance.now() - drawnAt };
  return JSON.stringify(Object.assign(taskColumns(submission), state, own));
}

/** As it is measured. */
export function endedOf({ submission, drawnAt }: Drawn, { outcome, calls = [] }: Finish): EndedTask {
  const last = calls.at(-1);
  const isCompleted = outcome.kind === 'completed';
  return {
    family: submission.family,
    model: submission.model,
    isTest: false,
    channelId: last?.channelId,
    seconds: (performance.now() - drawnAt) / 1000,
    ...(isCompleted ? {} : { reason: outcome.error.reason }),
    chargedNano: isCompleted ? least(outcome.costNano, submission.reservedNano) : 0n,
    costNano: last?.cost?.nano,
    overrunNano: overrunOf(submission, outcome),
  };
}

export function overrunOf({ reservedNano }: Submission, outcome: Finish['outcome']): bigint {
  return outcome.kind === 'completed' && outcome.costNano > reservedNano ? outcome.costNano - reservedNano : 0n;
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
