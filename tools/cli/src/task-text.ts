import type { describeTaskHistory } from '@mediagate/tasks';
import { decimalText } from './decimal-text';
import { printable, textTable } from './text-table';
import { timeText } from './time-text';

export type ShownTask = ReturnType<typeof describeTaskHistory>;

/** For people: what it is and where it stands, then its money, then each try. */
export function taskText(task: ShownTask): string {
  const { reservation } = task;
  const facts: [string, string | number | null | undefined][] = [
    ['task', task.id],
    ['account', task.account_id],
    ['key', task.key_id],
    ['model', `${task.model} (${task.family})`],
    ['status', `${task.status}, ${task.progress} %`],
    ['created', timeText(task.created)],
    ['next step', task.completed === undefined ? timeText(task.next_step_at) : undefined],
    ['leased until', task.completed === undefined ? timeText(task.lease_until) || undefined : undefined],
    ['deadline', task.completed === undefined ? timeText(task.deadline_at) : undefined],
    ['failed steps', task.failed_steps === 0 ? undefined : task.failed_steps],
    ['ended', task.completed === undefined ? undefined : timeText(task.completed)],
    ['cost', task.cost],
    ['error', task.error === undefined ? undefined : String(task.error['message'])],
    ['reservation', reservation && `${reservation.state} ${reservation.amount}${settledText(reservation.settled)}`],
  ];
  return [
    facts
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => `${name.padEnd(14)}${printable(String(value))}`)
      .join('\n'),
    ledgerText(task),
    attemptsText(task),
    timelineText(task),
  ].join('\n\n');
}

/** Says what a task that an operator ended gave back: one that keeps its end in advance is settled, and gives back the rest. */
export function endedText({ id, status, account_id: accountId, reservation }: EndedTask): string {
  const back = reservation === null ? 0 : reservation.amount - (reservation.settled ?? 0);
  return `task ${id} has ${status}; ${decimalText(back)} refunded to account ${accountId}`;
}

type EndedTask = Pick<ShownTask, 'id' | 'status' | 'account_id'> & {
  reservation: Pick<NonNullable<ShownTask['reservation']>, 'amount' | 'settled'> | null;
};

function settledText(settled: number | null): string {
  return settled === null ? '' : `, of which ${settled} settled`;
}

function timelineText({ timeline }: ShownTask): string {
  const rows = timeline.map(({ at, event, number, channel, outcome, amount }) => [
    timeText(at),
    event,
    String(number ?? ''),
    channel ?? '',
    outcome ?? '',
    String(amount ?? ''),
  ]);
  return `timeline\n${textTable(['TIME', 'EVENT', 'NO', 'CHANNEL', 'OUTCOME', 'AMOUNT'], rows)}`;
}

function ledgerText({ ledger }: ShownTask): string {
  const rows = ledger.map(({ kind, amount, created }) => [kind, String(amount), timeText(created)]);
  return `ledger\n${textTable(['KIND', 'AMOUNT', 'TIME'], rows)}`;
}

function attemptsText({ attempts }: ShownTask): string {
  const rows = attempts.map((attempt) => [
    String(attempt.number),
    attempt.channel,
    attempt.protocol,
    attempt.state,
    attempt.fault ?? '',
    attempt.external_id ?? '',
    timeText(attempt.started_at),
    timeText(attempt.ended_at),
    attempt.detail ?? '',
  ]);
  const heads = ['NO', 'CHANNEL', 'PROTOCOL', 'STATE', 'FAULT', 'UPSTREAM ID', 'STARTED', 'ENDED', 'DETAIL'];
  return `attempts\n${textTable(heads, rows)}`;
}
