import type { ClaimedTask } from '@mediagate/tasks';

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

const RETURNED = { fromMs: 1000, toMs: 15_000 };

/** The pause before a task that was given back is tried again; short at first, because a release that is replaced is gone within minutes. */
export function returnedPauseMs(task: Aged): number {
  return checkPauseMs(RETURNED, ageMs(task));
}

type Aged = Pick<ClaimedTask, 'deadlineAt' | 'createdAt' | 'msToDeadline'>;

/** How old the task was when it was claimed, by the database's clock alone. */
export function ageMs({ deadlineAt, createdAt, msToDeadline }: Aged): number {
  return deadlineAt.getTime() - createdAt.getTime() - msToDeadline;
}
