import type { Slots } from '@mediagate/concurrency';
import { GatewayError, isTerminal, type Message, message, type Owner } from '@mediagate/contracts';
import { cancelUnbegun, type TaskRow, type Tasks } from '@mediagate/tasks';
import type { Request } from 'express';
import type { Api } from '../../../api';
import type { Call } from '../../../http/exchange';
import { Query } from '../../../http/fields/query';
import { TASK_WAIT_MAX_SECONDS } from '../../../request-limits';
import { CallerLeftError } from '../../../use-cases/caller-connection';
import type { Acknowledgement } from '../../../use-cases/submit-task';

/** The part of `Api` by which callers of this process wait for a task. */
export type Waiting = Pick<Api, 'tasks' | 'taskWatch' | 'waitSlots'>;

/** Slots for callers of this process who wait for a task. */
export type WaitSlots = Pick<Slots, 'tryTake' | 'areAllTaken'>;

const RETRY_AFTER_SECONDS = 5;
/** @throws GatewayError `invalid_request`, naming `wait`. */
export function readWaitMs({ query: { wait } }: Pick<Request, 'query'>): number {
  if (wait === undefined) return 0;
  const query = new Query({ query: { wait } });
  const seconds = query.integer('wait', { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 });
  query.end();
  return boundedMs(seconds);
}

/** The wait that `Prefer: wait=60` (RFC 7240) asks for, as far as it can be met. */
export interface PreferredWait {
  timeoutMs: number;
  /** Says what of it cannot be met, so that nobody waits. */
  ignored: Message[];
}

/** The value of `wait`; of several the first counts. */
const WAIT = /(?:^|[,;\s])wait(?![\w-])\s*(?:=\s*("[^"]*"|[^,;\s]*))?/i;
const CANCEL = /(?:^|[,;\s])cancel-on-hangup(?:$|[,;\s])/i;
const CANCEL_ALONE = message('ignored_without', { field: 'Prefer: cancel-on-hangup', other: 'wait=60' });
const SECONDS = /^(?:\d+|"\d+")$/;

export function readPreferredWait({ headers: { prefer } }: Pick<Request, 'headers'>): PreferredWait {
  const wait = prefer === undefined ? null : WAIT.exec(String(prefer));
  if (wait === null) return { timeoutMs: 0, ignored: CANCEL.test(String(prefer ?? '')) ? [CANCEL_ALONE] : [] };
  const [, value = ''] = wait;
  if (SECONDS.test(value)) return { timeoutMs: boundedMs(Number(value.replaceAll('"', ''))), ignored: [] };
  const problem = message('must_be_whole_seconds', { field: 'wait', example: 'wait=60' });
  return { timeoutMs: 0, ignored: [message('ignored_for_problem', { field: 'Prefer', problem })] };
}

/**
 * `Prefer: wait=60, cancel-on-hangup`: nobody wants the task once its caller has left. Under an `Idempotency-Key` another request may wait
 * for the same task at another process, so that it goes on.
 */
export function prefersCancel({ headers }: Pick<Request, 'headers'>): boolean {
  const isAsked = CANCEL.test(String(headers['prefer'] ?? ''));
  return isAsked && headers['idempotency-key'] === undefined;
}

interface EndedWait {
  /** The reason why the wait ended. */
  error: unknown;
  accepted: Pick<Acknowledgement, 'taskId' | 'replayed'>;
}

/**
 * Throws the error that ended a wait. Where it is that the caller has left, who prefers so, the task is cancelled before, unless work on
 * it has begun, or others wait for it: another caller of this process, or whoever it was booked for.
 */
export async function cancelIfLeft(
  { request, caller }: Call,
  { error, accepted: { taskId, replayed } }: EndedWait,
  { taskWatch, tasks }: Omit<Waiting, 'waitSlots'>,
): Promise<never> {
  const isUnwanted = error instanceof CallerLeftError && prefersCancel(request) && !replayed;
  if (isUnwanted && !taskWatch.isFollowed(taskId)) {
    await cancelUnbegun(tasks, { taskId, accountId: caller.accountId });
  }
  throw error;
}

function boundedMs(seconds: number): number {
  return Math.min(seconds, TASK_WAIT_MAX_SECONDS) * 1000;
}

/**
 * The task as soon as it has ended, else after `timeoutMs`, or at the end of the process, as it is then. Whoever calls has a
 * slot to wait in.
 *
 * @throws CallerLeftError
 */
export async function waitForEnd(
  call: Call,
  { row, timeoutMs }: { row: TaskRow; timeoutMs: number },
  { taskWatch, tasks }: Omit<Waiting, 'waitSlots'>,
): Promise<TaskRow> {
  const { response, memory } = call;
  // The memory of the body is free for others while this caller waits.
  memory.release();
  response.setTimeout(2 * timeoutMs);
  const last = await taskWatch.untilEnded(row, { timeoutMs, connection: response });
  if (response.destroyed) throw new CallerLeftError();
  return withCallback(last, tasks);
}

/**
 * Counted by account: one with many keys must leave slots for others.
 *
 * @throws GatewayError `rate_limited`: the account has its share; `unavailable`: all are taken.
 */
export function takeWaitSlot(waitSlots: WaitSlots, owner: Owner): () => void {
  const slot = waitSlots.tryTake({ owner });
  if (slot !== undefined) return slot.release;
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  if (waitSlots.areAllTaken) {
    const internal = 'every slot for a waiting caller is taken';
    throw new GatewayError('unavailable', message('service_unavailable'), { retryAfterSeconds, internal });
  }
  throw new GatewayError('rate_limited', message('too_many_waiting_of_account'), { retryAfterSeconds });
}

/** Looks at many tasks leave out how callbacks stand, which only begin when the task has ended. */
export async function withCallback(row: TaskRow, tasks: Pick<Tasks, 'database'>): Promise<TaskRow> {
  const isLacking = isTerminal(row.status) && row.webhook !== null && row.callback === undefined;
  return isLacking ? ((await tasks.database.readTask(row.id)) ?? row) : row;
}
