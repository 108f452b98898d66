import { type FinishRequest, taskError } from '@mediagate/billing';
import { enqueueCallback } from '@mediagate/callbacks';
import { settledUnits } from '@mediagate/catalog';
import { bookable, FAULT_TABLE, type JsonObject, messageOf, type Usage } from '@mediagate/contracts';
import type { SlotsOfKey } from '@mediagate/tasks';
import { attemptCost, attemptEnd, costWithoutResult, keptCounts, recordLate } from '../attempt-end';
import { recordedOrigins } from '../output-origin';
import type { StoredOutput } from '../profile';
import type { OutcomeOf, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** Settles what was made, and keeps the result. */
export async function succeed(run: Run, outcome: OutcomeOf<'succeeded'>, deps: WorkerDeps): Promise<Concluded> {
  const { task, entry } = run;
  const { outputs, usage, requestIds } = outcome;
  const kept = keptCounts(outputs);
  const made = run.produced?.outputs.length ?? outputs.length;
  const used = billedUsage(usage, kept, { kept: outputs.length, made });
  const won = await finish(run, deps, {
    outcome: {
      kind: 'completed',
      costNano: bookable(entry.settle(task.input, used, task.rates)),
      units: settledUnits(entry, task.input, used, task.rates),
      // The answer of a synchronous task went to its caller; nothing of it is stored.
      ...(entry.synchronous ? {} : { result: resultOf(outputs, outcome.facts, { task, profile: deps.profile }) }),
      ...usageRecord(used),
    },
    ...attemptEnd(run, {
      state: 'succeeded',
      usage: { ...kept, ...usage, images: kept.images },
      cost: attemptCost(run, kept),
      requestIds,
    }),
  });
  if (!won) return 'lost';
  await deps.fingerprints?.keep(task, outputs);
  return 'completed';
}

function resultOf(
  outputs: readonly StoredOutput[],
  facts: JsonObject,
  { task, profile }: Pick<Run, 'task'> & Pick<WorkerDeps, 'profile'>,
): JsonObject {
  return { ...profile.describeResult(outputs, facts, task.operation), ...recordedOrigins(outputs) };
}

export async function charge(run: Run, outcome: OutcomeOf<'charged'>, deps: WorkerDeps): Promise<Concluded> {
  const won = await finish(run, deps, chargedEnd(run, outcome, deps));
  return won ? 'completed' : 'lost';
}

/** Nothing was made that could be counted here, so the upstream's own figures are settled. */
export function chargedEnd(
  run: Run,
  { usage, requestIds, fault }: Omit<OutcomeOf<'charged'>, 'kind'>,
  deps: Pick<WorkerDeps, 'profile'>,
): Pick<FinishRequest, 'outcome' | 'attempt'> {
  const { task, entry } = run;
  return {
    outcome: {
      kind: 'completed',
      costNano: bookable(entry.settle(task.input, usage, task.rates)),
      units: settledUnits(entry, task.input, usage, task.rates),
      ...(entry.synchronous ? {} : { result: deps.profile.describeResult([], {}, task.operation) }),
      ...usageRecord(usage),
    },
    ...attemptEnd(run, {
      usage,
      cost: attemptCost(run, usage),
      requestIds,
      ...(fault === undefined
        ? { state: 'refused', detail: 'cancelled, and charged in part' }
        : { state: 'unknown', fault: fault.code, detail: fault.detail }),
    }),
  };
}

/** Refunds the task. An attempt whose outcome nobody knows is kept for the operator. */
export async function fail(run: Run, outcome: OutcomeOf<'failed'>, deps: WorkerDeps): Promise<Concluded> {
  const {
    reason,
    message = messageOf(reason),
    param,
    fault,
    detail,
    credits = fault?.credits,
    requestIds = [],
  } = outcome;
  const unknown = fault !== undefined && FAULT_TABLE[fault.code].quarantine;
  const won = await finish(run, deps, {
    outcome: { kind: 'failed', error: taskError(reason, { message, param }) },
    ...attemptEnd(run, {
      state: unknown ? 'unknown' : 'refused',
      requestIds,
      ...(run.produced
        ? { usage: run.produced.usage, cost: attemptCost(run, run.produced.usage) }
        : costWithoutResult(run, credits)),
      ...(detail === undefined ? {} : { detail }),
      ...(fault === undefined ? {} : { fault: fault.code, detail: fault.detail }),
    }),
  });
  return won ? 'failed' : 'lost';
}

/** Ends the task, enqueues its callback, and logs an error if it used more than was reserved. False: it had ended before. */
async function finish(run: Run, deps: WorkerDeps, end: Pick<FinishRequest, 'outcome' | 'attempt'>): Promise<boolean> {
  const { task, freedSlot } = run;
  // One that was about to be freed may have found the attempt's row locked by its end.
  const isHandedOver = freedSlot?.isHandedOver ?? false;
  const finished = await deps.finish({ taskId: task.id, accountId: task.accountId, fence: task.fence, ...end });
  if (!finished.won) {
    await recordLate(run, { usage: end.attempt?.usage }, deps);
    return false;
  }
  if (finished.overrunNano > 0n) {
    deps.logger.error('task.overrun', { taskId: task.id, model: task.model, amountNano: finished.overrunNano });
  }
  await enqueueCallback(deps, finished);
  if (!isHandedOver) await enqueueQuietly(deps.channelSlots.freed(run.current?.channel), run, deps);
  if (finished.freed) await enqueueQuietly(handOverKeySlots(finished.freed, deps), run, deps);
  return true;
}

/**
 * Gives the slots that a key has free in a family to the tasks that await one in their rows. They are enqueued at once where no start of the
 * family waits in its queue; else the dispatcher enqueues them, in the turn of their account. To be called after an end that freed a
 * slot: who fails to leaves it to the dispatcher, which looks several times a second.
 */
async function handOverKeySlots(
  of: SlotsOfKey,
  { database, queue }: Pick<WorkerDeps, 'database' | 'queue'>,
): Promise<void> {
  const takers = await database.handOverKeySlots(of);
  if (takers.length === 0 || (await queue.countStarts(of.family)) > 0) return;
  await queue.enqueueStarts(
    of.family,
    takers.map(({ id: taskId, ...taker }) => ({ ...taker, taskId, line: 'fair' })),
  );
}

/** The usage that the caller pays for: the vendor's figures as far as the stored outputs account for them, and their own measures. */
function billedUsage(usage: Usage, measured: Usage, outputs: { kept: number; made: number }): Usage {
  return { ...shareOf(usage, outputs.kept, outputs.made), ...measured, ...believedSeconds(usage, measured) };
}

/** The record's `usage`, where the upstream counts in tokens. */
function usageRecord(usage: Usage): { usage?: JsonObject } {
  const { inputTokens, outputTokens, totalTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return {};
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: totalTokens ?? input + output,
      ...inputDetails(usage),
    },
  };
}

/** Only OpenAI's clients are shown it. */
function inputDetails({ inputTextTokens: text, inputImageTokens: image }: Usage): JsonObject {
  if (text === undefined && image === undefined) return {};
  return { input_tokens_details: { text_tokens: text ?? 0, image_tokens: image ?? 0 } };
}

/** How far the vendor's count may differ from the measured length. */
const SECONDS_TOLERANCE = 1;

/** The vendor's length is used, because the vendor charges by it, unless it contradicts the length of the videos themselves. */
function believedSeconds(
  { seconds: reported }: Usage,
  { seconds: measured }: { seconds?: number },
): { seconds?: number } {
  const isBelieved =
    reported !== undefined && (measured === undefined || Math.abs(reported - measured) <= SECONDS_TOLERANCE);
  return isBelieved ? { seconds: reported } : {};
}

/** The part of the usage that the stored outputs account for: the caller does not pay for an output that was lost. */
function shareOf(usage: Usage, kept: number, made: number): Usage {
  const { outputTokens, totalTokens } = usage;
  if (outputTokens === undefined || kept >= made) return usage;
  const share = Math.ceil((outputTokens * kept) / made);
  return {
    ...usage,
    outputTokens: share,
    ...(totalTokens === undefined ? {} : { totalTokens: totalTokens - outputTokens + share }),
  };
}

/** The state of a task after a step, as it was written to the database. */
export type Concluded =
  | 'completed'
  | 'failed'
  /** Another step follows. */
  | 'goes_on'
  /** Nothing was written: another process has claimed the task or has ended it. */
  | 'lost';

/** The row says what comes next, so a job that cannot be enqueued is only late: the reconciler enqueues it. */
export async function enqueueQuietly(enqueued: Promise<void>, run: Run, deps: WorkerDeps): Promise<void> {
  try {
    await enqueued;
  } catch (error) {
    deps.logger.warn('task.enqueue_failed', { taskId: run.task.id, error });
  }
}
