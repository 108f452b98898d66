import { setTimeout as delay } from 'node:timers/promises';
import type { Done, Fault, FaultCode, Output, Refused, Usage } from '@mediagate/contracts';
import { present } from './json-guards';
import { refused } from './vendor-call';

export type OneOutcome = ({ ok: true; output: Output; usage: Usage } | { ok: false; fault: Fault }) & {
  requestId?: string;
};

/** Calls of one task at once. */
const CALLS_AT_ONCE = 5;

/**
 * The first of these faults speaks for a task when no call gave anything. A lost answer comes first, since work that may have
 * been billed must never be sent again; then faults that end the task; then faults that another channel may not have.
 */
const FAULT_ORDER: readonly FaultCode[] = [
  'outcome_unknown',
  'content_policy',
  'bad_request',
  'generation_failed',
  'cannot_carry',
  'operator',
  'upstream_fault',
  'rate_limited',
  'not_accepted',
];

/** Nothing was started, so the call may be made again once the vendor has a free slot. */
const NOT_STARTED: ReadonlySet<FaultCode> = new Set(['rate_limited', 'not_accepted']);
/** Rounds after the first for calls that the vendor throttled, while others of the task succeeded. */
const MAX_MORE_ROUNDS = 6;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

export interface FanOutOptions {
  signal: AbortSignal;
  /** Resolves early, without throwing, when the signal comes. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * For vendors whose call makes one thing: `calls` calls, at most five at once, in order. After a fault no further call
 * begins; those under way are awaited, because they are paid for.
 *
 * A vendor that accepted some calls and throttled others is asked again for those: what was made cannot move to another
 * channel, and the rest must not be lost to a moment's limit. Where nothing was made the task may go elsewhere at once.
 * What exists in the end counts: some outputs are a success, with the usage of the calls that gave them.
 */
export async function fanOut(
  calls: number,
  call: (index: number) => Promise<OneOutcome>,
  { signal, pause = wait }: FanOutOptions,
): Promise<Done | Refused> {
  const outcomes: OneOutcome[] = [];
  let missing = Array.from({ length: calls }, (_, index) => index);
  for (let round = 0; missing.length > 0; round += 1) {
    await runRound(missing, call, outcomes);
    missing = missing.filter((index) => !outcomes[index]?.ok);
    const faults = outcomes.flatMap((outcome) => (outcome?.ok === false ? [outcome.fault] : []));
    const someMade = outcomes.some((outcome) => outcome?.ok);
    const areAllTurnedAway = faults.every(({ code }) => NOT_STARTED.has(code));
    if (!someMade || !areAllTurnedAway || round >= MAX_MORE_ROUNDS || signal.aborted) break;
    if (missing.length > 0) await pause(pauseBefore(round, faults), signal);
  }
  return combine(outcomes.filter((outcome) => outcome !== undefined));
}

async function runRound(
  indexes: readonly number[],
  call: (index: number) => Promise<OneOutcome>,
  outcomes: OneOutcome[],
): Promise<void> {
  let next = 0;
  let stopped = false;
  const startNext = async () => {
    for (let index = indexes[next]; index !== undefined && !stopped; index = indexes[next]) {
      next += 1;
      const outcome = await call(index);
      outcomes[index] = outcome;
      if (!outcome.ok) stopped = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(indexes.length, CALLS_AT_ONCE) }, startNext));
}

/** The vendor's own wish, or a doubling pause. */
function pauseBefore(round: number, faults: readonly Fault[]): number {
  const wished = Math.max(0, ...faults.map(({ retryAfterMs }) => retryAfterMs ?? 0));
  return Math.min(wished > 0 ? wished : FIRST_PAUSE_MS * 2 ** round, MAX_PAUSE_MS);
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

function combine(outcomes: OneOutcome[]): Done | Refused {
  const requestIds = outcomes.flatMap(({ requestId }) => requestId ?? []);
  const made = outcomes.filter((outcome) => outcome.ok);
  if (made.length === 0) {
    const faults = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.fault]));
    return refused(weightiest(faults), requestIds);
  }
  return present<Done>({
    kind: 'done',
    outputs: made.map(({ output }) => output),
    usage: { ...sumUsage(made.map(({ usage }) => usage)), images: made.length },
    requestIds: requestIds.length === 0 ? undefined : requestIds,
  });
}

function weightiest(faults: Fault[]): Fault {
  const [first, ...rest] = faults;
  if (first === undefined) throw new RangeError('a fan-out of no calls');
  return rest.reduce((a, b) => (FAULT_ORDER.indexOf(b.code) < FAULT_ORDER.indexOf(a.code) ? b : a), first);
}

function sumUsage(usages: Usage[]): Usage {
  const sum: Usage = {};
  for (const usage of usages) {
    for (const [key, value] of Object.entries(usage) as [keyof Usage, number][]) sum[key] = (sum[key] ?? 0) + value;
  }
  return sum;
}
