import { message } from '@mediagate/contracts';
import { mayFailAgain } from '../failed-steps';
import { ageMs, jitteredMs, turnPauseMs } from '../pauses';
import type { OutcomeOf, Run } from '../run-state';
import { endsBeforeNextLook, NOT_BEGUN, STORAGE_RETRY_MS } from '../steps/await-storage';
import type { WorkerDeps } from '../worker-deps';
import { enqueueNextStep } from './continue-task';
import { type Concluded, fail } from './end-task';

const BUSY_RETRY_MS = 3000;
/** A test task looks again after as long as it has waited, at most so long: each look of a long backlog costs a claim. */
const TESTS_RETRY_MAX_MS = 60_000;
/** Other tasks have to end first, which takes as long as vendors take; then what they stored is removed within some seconds. */
const INPUTS_FULL_RETRY_MS = 15_000;
/** A task that waits for a slot is enqueued when one is kept for it; else, where nobody does that, it looks for itself. */
const AWAITING_SLOT_MS = 10 * 60_000;
/** With every breaker open: long enough that a task survives the breakers' pause (30 s) and one failed probe after it. */
const BROKEN_RETRY_MS = 15_000;
/** A caller who waits for the answer waits this long for a slot of a channel, or for a probe of it: enough to outlast a burst. */
const SYNCHRONOUS_PATIENCE_MS = 5000;
const SYNCHRONOUS_RETRY_MS = 250;

type NoChannel = OutcomeOf<'no_channel'>;

interface Waiting {
  /** The look counts as a failed step of the task; default: no, because neither the task nor a channel can do anything. */
  isMarked?: true;
  /** Until the task looks again; spread where each look is. */
  pauseMs(run: Run): number;
  /** The end of a task for which its deadline would come before it looks again, and not say why. */
  endOf?(run: Run): OutcomeOf<'failed'> | undefined;
}

const AFTER_A_FAILURE: Waiting = { isMarked: true, pauseMs: () => BROKEN_RETRY_MS };
const UNTIL_STORED: Waiting = {
  pauseMs: () => STORAGE_RETRY_MS,
  endOf: (run) => (endsBeforeNextLook(run) ? NOT_BEGUN : undefined),
};

const WAITING: Record<Exclude<NoChannel['reason'], 'paced'>, Waiting> = {
  at_capacity: { pauseMs: () => BUSY_RETRY_MS },
  files_busy: { pauseMs: () => BUSY_RETRY_MS },
  tests_busy: { pauseMs: (run) => Math.min(Math.max(ageMs(run.task), BUSY_RETRY_MS), TESTS_RETRY_MAX_MS) },
  inputs_full: {
    pauseMs: () => INPUTS_FULL_RETRY_MS,
    endOf: ({ task }) => (task.msToDeadline < 2 * INPUTS_FULL_RETRY_MS ? STILL_FULL : undefined),
  },
  storage_failing: UNTIL_STORED,
  signing_failing: UNTIL_STORED,
  being_probed: { pauseMs: () => BROKEN_RETRY_MS },
  all_tried: AFTER_A_FAILURE,
  all_broken: AFTER_A_FAILURE,
  none_configured: AFTER_A_FAILURE,
};
const STILL_FULL: OutcomeOf<'failed'> = { kind: 'failed', reason: 'no_upstream', message: message('inputs_full') };

/** No channel can be asked now: the task waits for a slot or for a breaker, as long as that may help. */
export async function waitForChannel(run: Run, outcome: NoChannel, deps: WorkerDeps): Promise<Concluded> {
  const { reason } = outcome;
  const { isMarked = false, pauseMs, endOf } = waitingOf(outcome);
  const end = endOf?.(run) ?? (isWorthWaiting(run, isMarked) ? undefined : NO_UPSTREAM);
  if (end !== undefined) return fail(run, end, deps);
  // One that a channel has turned away asks all of them again, after a pause.
  if (reason === 'at_capacity' && run.task.triedChannels.length === 0) return waitForSlot(run, deps);
  const nextStepInMs = run.entry.synchronous ? jitteredMs(SYNCHRONOUS_RETRY_MS) : pauseMs(run);
  const written = await deps.database.giveUpAttempt(run.task, {
    // The attempt of a worker that is gone, known not to have reached its upstream.
    attemptId: run.current?.id,
    fault: 'not_accepted',
    detail: reason,
    requestIds: [],
    nextStepInMs,
    triedChannels: [],
    barredChannels: run.task.barredChannels,
    failedStep: isMarked,
    keepsSlot: reason === 'paced',
  });
  return written ? enqueueNextStep(run, nextStepInMs, deps) : 'lost';
}

const NO_UPSTREAM: OutcomeOf<'failed'> = { kind: 'failed', reason: 'no_upstream' };

function waitingOf(outcome: NoChannel): Waiting {
  if (outcome.reason === 'paced') return { pauseMs: () => turnPauseMs(outcome.waitMs) };
  const waiting = WAITING[outcome.reason];
  return { ...waiting, pauseMs: (run) => jitteredMs(waiting.pauseMs(run)) };
}

/** A caller who waits for the answer has some seconds, and no second round; any other task has so many failed steps. */
function isWorthWaiting(run: Run, isMarked: boolean): boolean {
  if (run.entry.synchronous) return !isMarked && ageMs(run.task) < SYNCHRONOUS_PATIENCE_MS;
  return !isMarked || mayFailAgain(run.task);
}

/** The task is enqueued when a slot is kept for it; or, where somebody waits for the answer, when that patience is over. */
async function waitForSlot(run: Run, deps: WorkerDeps): Promise<Concluded> {
  const { task, current, entry } = run;
  const patienceMs = entry.synchronous ? Math.max(SYNCHRONOUS_PATIENCE_MS - ageMs(run.task), 0) : undefined;
  const nextStepInMs = patienceMs ?? jitteredMs(AWAITING_SLOT_MS);
  // An attempt here is of a worker that is gone, and known not to have reached its upstream.
  const awaited = { attemptId: current?.id, barredChannels: task.barredChannels, nextStepInMs };
  // From the write on a slot may be handed to it, and its job must not be taken for one of a step under way.
  deps.inFlight.delete(task.id);
  const [written] = await deps.database.awaitSlot(task, awaited);
  if (!written?.held) return 'lost';
  deps.channelSlots.learn(true);
  if (patienceMs !== undefined) return enqueueNextStep(run, nextStepInMs, deps);
  return 'goes_on';
}
