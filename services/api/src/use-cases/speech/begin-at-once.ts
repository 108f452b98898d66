import type { Submission } from '@mediagate/billing';
import { type JsonObject, timeOrderedId } from '@mediagate/contracts';
import { HANDED_INPUT_MAX_CHARACTERS, type HandedTask, type HandOver, type WaitingWorker } from '@mediagate/streams';
import type { Caller } from '../caller';

/** A worker that waits for a task of the model; undefined: none does. */
export type TakeWorker = (model: string) => WaitingWorker | undefined;

/** A worker for a task that is about to be booked, with what is booked for it. */
export interface BeginAtOnce {
  begun: NonNullable<Submission['begun']>;
  /** @param booked what was written of the task. */
  handOver(booked: Submission): HandOver;
  /** Nothing was booked, or nobody knows. */
  leave(): void;
}

interface Begun {
  caller: Pick<Caller, 'maxConcurrent' | 'isTest'>;
  model: string;
  input: JsonObject;
}

/**
 * Where a worker waits for a task, its claim and its intent are booked with it, and it begins without the queue. Tasks of keys with a limit
 * wait for a slot first, and a worker must not wait with them; channels of tests are offered by nobody.
 */
export function beginAtOnce(
  { caller, model, input }: Begun,
  deps: { takeWorker: TakeWorker },
): BeginAtOnce | undefined {
  if (caller.maxConcurrent !== undefined || caller.isTest) return undefined;
  if (JSON.stringify(input).length > HANDED_INPUT_MAX_CHARACTERS) return undefined;
  const worker = deps.takeWorker(model);
  if (worker === undefined) return undefined;
  const { leaseMs, channelId, protocol } = worker;
  const begun = { leaseMs, channelId, protocol, attemptId: `att_${timeOrderedId()}` };
  return {
    begun,
    handOver: (booked) => ({ worker, task: handedTask(booked, begun) }),
    leave: () => worker.leave(),
  };
}

/** The first claim of a task has this. */
const FIRST_FENCE = 1;

function handedTask(booked: Submission, { attemptId, channelId }: BeginAtOnce['begun']): HandedTask {
  const { taskId, accountId, keyId, family, kind, model, operation, input, deadlineMs, traceContext } = booked;
  return {
    taskId,
    fence: FIRST_FENCE,
    attemptId,
    channelId,
    accountId,
    keyId,
    family,
    kind,
    model,
    operation,
    input,
    rates: Object.fromEntries(Object.entries(booked.rates).map(([unit, nano]) => [unit, nano.toString()])),
    reservedNano: booked.reservedNano.toString(),
    deadlineMs,
    traceContext,
  };
}
