import type { Done, Fault, FaultCode, Output, Refused, Usage } from '@mediagate/contracts';
import { present } from './json-guards';
import { refused } from './vendor-call';

export type OneOutcome = ({ ok: true; output: Output; usage: Usage } | { ok: false; fault: Fault }) & {
  requestId?: string;
};

/** Calls of one task at once. */
const CALLS_AT_ONCE = 5;

/**
 * Which fault speaks for a task when no call gave anything. A lost answer first, since work that may have been billed must
 * never be sent again; then what ends the task; then what another channel may do better.
 */
const FAULT_ORDER: readonly FaultCode[] = [
  'outcome_unknown',
  'content_policy',
  'bad_request',
  'generation_failed',
  'operator',
  'upstream_fault',
  'rate_limited',
  'not_accepted',
];

/**
 * For vendors whose call makes one thing: `calls` calls, at most five at once, in order. After the first fault no further
 * call begins; those under way are awaited, because they are paid for. What exists counts: some outputs are a success,
 * with the usage of the calls that gave them.
 */
export async function fanOut(calls: number, call: (index: number) => Promise<OneOutcome>): Promise<Done | Refused> {
  const outcomes: OneOutcome[] = [];
  let next = 0;
  let stopped = false;
  const lane = async () => {
    while (next < calls && !stopped) {
      const index = next;
      next += 1;
      const outcome = await call(index);
      outcomes[index] = outcome;
      if (!outcome.ok) stopped = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(calls, CALLS_AT_ONCE) }, lane));
  return combine(outcomes.filter((outcome) => outcome !== undefined));
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
