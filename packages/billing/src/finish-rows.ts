import { timeOrderedId } from '@mediagate/contracts';
import type { FinishRow, TaskToFinish } from '@mediagate/database';
import type { NamedFinish } from './doubtful-ends';
import type { AttemptEnd, CallMade, FinishOutcome, SettledUnits } from './finish-request';

/** An end in the form that the statement reads. */
export function toFinish({
  taskId,
  fence,
  onlyUnpaid = false,
  outcome,
  attempt,
  calls,
  deliveryId,
}: Omit<NamedFinish, 'accountId'>): TaskToFinish {
  const isCompleted = outcome.kind === 'completed';
  return {
    taskId,
    fence: fence === 'any' ? null : fence,
    onlyUnpaid,
    status: outcome.kind,
    costNano: isCompleted ? outcome.costNano : 0n,
    units: isCompleted ? toJsonText(outcome.units && asTexts(outcome.units)) : null,
    result: isCompleted ? toJsonText(outcome.result) : null,
    usage: isCompleted ? toJsonText(outcome.usage) : null,
    error: isCompleted ? null : JSON.stringify(outcome.error),
    deliveryId,
    attempt: toJsonText(attempt && withCost(attempt)),
    calls: toJsonText(calls?.map(toAttempt)),
    note: null,
  };
}

export function newDeliveryId(): string {
  return `whd_${timeOrderedId()}`;
}

/** Its times are ages, because another process may read them. */
export function toAttempt({ beganAt, endedAt, ...call }: CallMade, index: number) {
  const now = performance.now();
  const ages = { beganMsAgo: now - beganAt, endedMsAgo: now - endedAt };
  return { ...withCost(call), ...ages, id: `att_${timeOrderedId()}`, number: index + 1 };
}

/** The cost in the form that the statement reads. A vendor charges nothing for a refused call, unless it reports usage. */
export function withCost<End extends Pick<AttemptEnd, 'state' | 'usage' | 'cost'>>({ cost, ...end }: End) {
  if (cost !== undefined) return { ...end, costNano: String(cost.nano), costOrigin: cost.origin };
  return end.state === 'refused' && end.usage === undefined ? { ...end, costNano: '0' } : end;
}

/** Numbers of JSON would lose digits. */
export function asTexts(units: SettledUnits): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const unit in units) texts[unit] = String(units[unit]);
  return texts;
}

function toJsonText(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function toFinished(row: FinishRow | undefined): FinishOutcome {
  if (!row) return { won: false, overrunNano: 0n };
  const { freed_of_key: keyId, family } = row;
  return {
    won: true,
    overrunNano: row.overrun,
    ...(row.delivery_id === null ? {} : { deliveryId: row.delivery_id }),
    ...(keyId === null ? {} : { freed: { keyId, family } }),
  };
}
