import { nanoToNumber } from '@mediagate/contracts';
import type { TaskHistory } from '@mediagate/database';

/** Something that happened to a task, to its money, or to its callback. */
export interface TaskEvent {
  at: string;
  /** For example `attempt.ended`. */
  event: string;
  channel?: string;
  /** The number of an attempt, or of a request of the callback. */
  number?: number;
  /** How an attempt, a request of the callback or the delivery ended. */
  outcome?: string;
  /** The amount of a ledger entry, in currency units. */
  amount?: number;
}

/** All that is known of a task in the order of time; what happened in one statement in the order of cause and effect. */
export function timelineOf(task: TaskHistory): TaskEvent[] {
  const money = task.ledger.map(
    ({ kind, amount, created_at: at }): TaskEvent => ({
      at,
      event: `ledger.${kind}`,
      amount: nanoToNumber(BigInt(amount)),
    }),
  );
  const isHold = ({ event }: TaskEvent) => event === 'ledger.hold';
  const events = [
    { at: task.createdAt.toISOString(), event: 'task.submitted' },
    ...money.filter(isHold),
    ...(task.startedAt ? [{ at: task.startedAt.toISOString(), event: 'task.started' }] : []),
    ...task.attempts.flatMap(attemptEvents),
    ...(task.completedAt ? [{ at: task.completedAt.toISOString(), event: `task.${task.status}` }] : []),
    ...money.filter((event) => !isHold(event)),
    ...deliveryEvents(task),
  ];
  return events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function attemptEvents({
  number,
  channel,
  state,
  fault,
  started_at,
  ended_at,
}: TaskHistory['attempts'][number]): TaskEvent[] {
  const began = { at: started_at, event: 'attempt.began', channel, number };
  if (ended_at === null) return [began];
  return [began, { at: ended_at, event: 'attempt.ended', channel, number, outcome: fault ?? state }];
}

function deliveryEvents({ delivery }: TaskHistory): TaskEvent[] {
  if (delivery === null) return [];
  const { created_at, ended_at, state, reason, attempts } = delivery;
  const ended = ended_at === null ? [] : [{ at: ended_at, event: 'callback.ended', outcome: reason ?? state }];
  const requests = attempts.flatMap(({ number, started_at, ended_at: answered_at, status, error }): TaskEvent[] => {
    const sent = { at: started_at, event: 'callback.sent', number };
    if (answered_at === null) return [sent];
    const outcome = status === null ? (error ?? 'no answer') : `http_${status}`;
    return [sent, { at: answered_at, event: 'callback.answered', number, outcome }];
  });
  return [{ at: created_at, event: 'callback.due' }, ...requests, ...ended];
}
