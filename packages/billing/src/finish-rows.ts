import { timeOrderedId } from '@mediagate/contracts';
import type { FinishRow, TaskToFinish } from '@mediagate/database';
import type { AttemptEnd, CallMade, FinishOutcome, FinishRequest, SettledUnits } from './finish-request';

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
  return {
    taskId,
    fence: fence === 'any' ? null : fence,
    onlyUnpaid,
    deliveryId,
    status: outcome.kind,
    ...(outcome.kind === 'completed'
      ? { ...settledOf(outcome), result: outcome.result }
      : { costNano: '0', error: outcome.error }),
    attempt: attempt && withCost(attempt),
    calls: calls?.map(toAttempt),
  };
}

/** Numbers of JSON would lose digits. */
export function settledOf({ costNano, units, usage }: Extract<FinishRequest['outcome'], { kind: 'completed' }>) {
  return { costNano: String(costNano), units: units && asTexts(units), usage };
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

function asTexts(units: SettledUnits): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const unit in units) texts[unit] = String(units[unit]);
  return texts;
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

/** More ends than a process has in flight; the oldest are forgotten. */
const MAX_KEPT = 10_000;

/** An end under the name that no other end has. */
export interface NamedFinish extends FinishRequest {
  /** The id of its callback, should the task have one. */
  deliveryId: string;
}

/**
 * Ends that were sent to the database and not answered. A process sends such an end again under the same name, and may find that it
 * was its own. An end without a fence is not kept, because another process may have ended the task alike.
 */
export class DoubtfulEnds {
  readonly #deliveryIds = new Map<string, string>();

  /** The id that the end was sent under before; undefined: it was not. */
  deliveryIdOf(end: FinishRequest): string | undefined {
    return this.#deliveryIds.get(nameOf(end));
  }

  add(ends: readonly NamedFinish[]): void {
    for (const end of ends) if (end.fence !== 'any') this.#deliveryIds.set(nameOf(end), end.deliveryId);
    for (const oldest of this.#deliveryIds.keys()) {
      if (this.#deliveryIds.size <= MAX_KEPT) return;
      this.#deliveryIds.delete(oldest);
    }
  }

  /** The end is not in doubt any more. True for the first of several that ask for one end at once. */
  delete(end: FinishRequest): boolean {
    return this.#deliveryIds.delete(nameOf(end));
  }
}

function nameOf({ taskId, fence }: FinishRequest): string {
  return `${taskId}:${fence}`;
}
