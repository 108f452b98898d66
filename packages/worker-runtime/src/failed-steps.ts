import { retry } from '@mediagate/concurrency';
import { isOutage } from '@mediagate/database';
import type { ClaimedTask } from '@mediagate/tasks';

/** Steps in a row that may end without a decision before a task that no upstream has accepted is given up. */
const MAX_FAILED_STEPS = 6;

/** Steps in a row that end with their worker before a task is suspected to be the cause. An outage of the database ends some, too. */
const SUSPICIOUS_LOST_STEPS = 2;
/** So many are no coincidence: what nobody has begun to pay for is given up, and an accepted job is suspected. */
const MAX_LOST_STEPS = 5;
/** The last share of a task's whole time: a task that has not run apart from others by then never will. */
const LAST_SHARE = 0.25;
/** A share of the longest deadline: a task may have waited for much longer before it began. */
const LAST_MS = 15 * 60_000;

type Suspected = Pick<ClaimedTask, 'lostSteps' | 'attempt' | 'deadlineAt' | 'createdAt' | 'msToDeadline'>;

/** Its step waits for its turn at the gate of steps. In the last quarter of its time a suspect with an attempt runs anyway. */
export function mustRunAlone(task: Suspected): boolean {
  return isSuspect(task) && !isHopeless(task) && !isLate(task);
}

/** Nothing was sent yet, so that a refund costs nobody anything. An attempt is never given up: it is asked about until the deadline. */
export function isHopeless(task: Suspected): boolean {
  if (task.attempt) return false;
  return task.lostSteps >= MAX_LOST_STEPS || (isSuspect(task) && isLate(task));
}

function isSuspect({ lostSteps, attempt }: Suspected): boolean {
  return lostSteps >= (attempt?.state === 'accepted' ? MAX_LOST_STEPS : SUSPICIOUS_LOST_STEPS);
}

function isLate({ deadlineAt, createdAt, msToDeadline }: Suspected): boolean {
  return msToDeadline < Math.min((deadlineAt.getTime() - createdAt.getTime()) * LAST_SHARE, LAST_MS);
}

/** True while one more failed step leaves the task alive. */
export function mayFailAgain(task: Pick<ClaimedTask, 'failedSteps'>): boolean {
  return task.failedSteps + 1 < MAX_FAILED_STEPS;
}

const BASE_MS = 1000;
const CAP_MS = 30_000;

/** 1 s, 2 s, 4 s … up to 30 s, each spread over ±25 % so that tasks that failed together do not retry together. */
export function backoffMs(failedSteps: number, random: () => number = Math.random): number {
  const exact = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failedSteps, 10));
  return Math.round(exact * (0.75 + random() / 2));
}

/** Spreads a regular interval by ±20 %. */
export function jitteredMs(intervalMs: number, random: () => number = Math.random): number {
  return Math.round(intervalMs * (0.8 + random() * 0.4));
}

/** A vendor that says nothing of when to ask again, or "at once", is left alone for so long. */
const LEAST_PAUSE_MS = 1000;
const SPREAD_MS = 3000;

/** A pause that a vendor asks for, and up to a quarter more: those it turned away together must not come back together. */
export function vendorsPauseMs(askedMs: number, random: () => number = Math.random): number {
  return Math.round(Math.max(askedMs, LEAST_PAUSE_MS) * (1 + random() / 4));
}

/** The pause after a refusal: what the vendor asks for; where it asks for nothing, longer from one failure to the next. */
export function refusalPauseMs(askedMs: number | undefined, failedSteps: number): number {
  return askedMs === undefined ? backoffMs(failedSteps) : vendorsPauseMs(askedMs);
}

/** A pause until a throttled channel may be asked again, and up to 3 s more, in which tasks that wait for it take turns. */
export function turnPauseMs(waitMs: number, random: () => number = Math.random): number {
  return Math.round(waitMs + random() * SPREAD_MS);
}

/** Share of a job's age: a result is noticed late by at most a tenth of the time that it took. */
const AGE_SHARE = 0.1;

/** Pause until the next check of a job that its upstream accepted so long ago. */
export function checkPauseMs({ fromMs, toMs }: { fromMs: number; toMs: number }, ageMs: number): number {
  return Math.min(toMs, Math.max(fromMs, ageMs * AGE_SHARE));
}

/** Short, because once the database is back another worker may claim the task. A pause is spread to twice its length. */
const RETRY_MS = 200;
export const MOST_RETRY_MS = 2 * RETRY_MS;

export interface OutageOptions {
  signal?: AbortSignal;
  /** Whether the work is still wanted; default: always. */
  isWorthRetrying?(): boolean;
}

/** Repeats work for as long as the database is away and the work is wanted. */
export function outliveOutage<T>(work: () => Promise<T>, options: OutageOptions): Promise<T> {
  const { signal, isWorthRetrying = () => true } = options;
  return retry(work, {
    firstPauseMs: RETRY_MS,
    signal,
    isWorthRetrying: (error) => isOutage(error) && isWorthRetrying(),
  });
}
