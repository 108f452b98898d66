import type { JsonObject, VendorCost } from '@mediagate/contracts';
import type { CallMade, FinishRequest, SettledUnits } from './finish-request';

/** How a task ends, but for its names and fence. */
export type ProvisionalEnd = Pick<FinishRequest, 'outcome' | 'calls'>;

/** Changes with `KeptEnd`: a release beside this one may keep ends in another form, which cannot be read here. */
const FORM = 1;

/** An end as its task's row keeps it: another process reads it, with a clock of its own, and JSON has no bigints. */
type KeptEnd = {
  form: typeof FORM;
  /** Absent: it is a refund. */
  settled?: { costNano: string; units?: Record<string, string>; usage?: JsonObject };
  calls?: KeptCall[];
};

type KeptCall = Omit<CallMade, 'cost' | 'beganAt' | 'endedAt'> & {
  cost?: { nano: string; origin: VendorCost['origin'] };
  beganMsAgo: number;
  endedMsAgo: number;
};

/** Writes an end down for whoever ends the task once its process is gone. */
export function keepEnd({ outcome, calls }: ProvisionalEnd): string {
  const kept = {
    form: FORM,
    ...(outcome.kind === 'completed' && {
      settled: { costNano: outcome.costNano, units: outcome.units, usage: outcome.usage },
    }),
    ...(calls && { calls: calls.map(toKeptCall) }),
  };
  return JSON.stringify(kept, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
}

/**
 * Reads what a process kept of a task that it abandoned: how the task is settled, and the calls that the process knew of.
 *
 * @param refund how the task ends where nothing is to be paid, or where nothing readable was kept.
 * @param keptMsAgo milliseconds since it was kept, by the database's clock.
 */
export function readEnd(
  kept: JsonObject | null,
  { refund, keptMsAgo }: { refund: ProvisionalEnd['outcome']; keptMsAgo: number },
): ProvisionalEnd {
  if (kept?.['form'] !== FORM) return { outcome: refund };
  try {
    const { settled, calls } = kept as unknown as KeptEnd;
    return {
      outcome: settled ? toOutcome(settled) : refund,
      ...(calls && { calls: calls.map((call) => fromKeptCall(call, performance.now() - keptMsAgo)) }),
    };
  } catch (error) {
    // Amounts that are none, or no list of calls. The task ends all the same, and so do those beside it.
    if (error instanceof TypeError || error instanceof SyntaxError) return { outcome: refund };
    throw error;
  }
}

function toKeptCall({ beganAt, endedAt, ...call }: CallMade) {
  const now = performance.now();
  return { ...call, beganMsAgo: now - beganAt, endedMsAgo: now - endedAt };
}

function fromKeptCall({ cost, beganMsAgo, endedMsAgo, ...call }: KeptCall, keptAt: number): CallMade {
  return {
    ...call,
    beganAt: keptAt - beganMsAgo,
    endedAt: keptAt - endedMsAgo,
    ...(cost && { cost: { ...cost, nano: BigInt(cost.nano) } }),
  };
}

function toOutcome({ costNano, units, usage }: NonNullable<KeptEnd['settled']>): ProvisionalEnd['outcome'] {
  return {
    kind: 'completed',
    costNano: BigInt(costNano),
    ...(units && { units: toUnits(units) }),
    ...(usage && { usage }),
  };
}

function toUnits(units: Record<string, string>): SettledUnits {
  return Object.fromEntries(Object.entries(units).map(([unit, amount]) => [unit, BigInt(amount)]));
}
