import type { Statement } from '../../statement';
import { BALANCE_CHANGE } from '../billing/list-ledger';
import { TASK_COLUMNS, type TaskRow } from './task-row';

/** A task with its money and its attempts, all as they stood at one moment. Amounts in nano-units, as decimal text. */
export interface TaskHistory extends TaskRow {
  nextStepAt: Date;
  leaseUntil: Date | null;
  failedSteps: number;
  reservation: ReservationRow | null;
  ledger: readonly EntryRow[];
  attempts: readonly AttemptRow[];
  /** Null: it has no callback, or has not ended. */
  delivery: DeliveryRow | null;
  requestId: string | null;
}

interface ReservationRow {
  state: 'held' | 'settled' | 'refunded';
  amount: string;
  settled: string | null;
  expires_at: string;
  resolved_at: string | null;
}

interface EntryRow {
  id: string;
  kind: string;
  amount: string;
  /** How it changed the money that the account could spend. */
  change: string;
  /** Null: booked by a release that did not write it. */
  balance_after: string | null;
  key_id: string | null;
  created_at: string;
}

interface AttemptRow {
  id: string;
  number: number;
  channel: string;
  protocol: string;
  state: string;
  external_id: string | null;
  fault: string | null;
  detail: string | null;
  request_ids: string[];
  usage: object | null;
  /** The vendor's last answer, redacted; null: nothing was kept. */
  answer: string | null;
  resolution: 'paid' | 'not_paid' | null;
  cost: string | null;
  cost_origin: 'declared' | 'reported' | 'resolved' | null;
  started_at: string;
  ended_at: string | null;
}

interface DeliveryRow {
  id: string;
  url: string;
  state: string;
  reason: string | null;
  created_at: string;
  ended_at: string | null;
  attempts: readonly DeliveryAttemptRow[];
}

interface DeliveryAttemptRow {
  number: number;
  started_at: string;
  ended_at: string | null;
  status: number | null;
  error: string | null;
}

/** One statement sees one moment: a completed task is never shown with money still held. */
export const readTaskHistory: Statement<[id: string], TaskHistory> = {
  text: `
select ${TASK_COLUMNS}, t.next_step_at as "nextStepAt", t.lease_until as "leaseUntil", t.failed_steps as "failedSteps",
  t.request_id as "requestId",
  (
    select json_build_object('state', r.state, 'amount', r.amount_nano::text, 'settled', r.settled_nano::text,
      'expires_at', r.expires_at, 'resolved_at', r.resolved_at)
    from reservations r where r.task_id = t.id
  ) as reservation,
  (
    select coalesce(json_agg(json_build_object('id', e.id::text, 'kind', e.kind, 'amount', e.amount_nano::text,
      'change', (${BALANCE_CHANGE})::text, 'balance_after', e.balance_after_nano::text, 'key_id', e.key_id,
      'created_at', e.created_at) order by e.id), '[]')
    from ledger_entries e left join reservations r on r.task_id = e.task_id where e.task_id = t.id
  ) as ledger,
  (
    select coalesce(json_agg(json_build_object('id', a.id, 'number', a.number, 'channel', a.channel_id, 'protocol', a.protocol,
      'state', a.state, 'external_id', a.external_id, 'fault', a.fault, 'detail', a.detail, 'request_ids', a.request_ids,
      'usage', a.usage, 'answer', a.answer, 'resolution', a.resolution, 'cost', a.cost_nano::text, 'cost_origin', a.cost_origin,
      'started_at', a.started_at, 'ended_at', a.ended_at) order by a.number), '[]')
    from task_attempts a where a.task_id = t.id
  ) as attempts,
  (
    select json_build_object('id', d.id, 'url', d.url, 'state', d.state, 'reason', d.reason, 'created_at', d.created_at,
      'ended_at', d.ended_at, 'attempts', (
        select coalesce(json_agg(json_build_object('number', w.number, 'started_at', w.started_at, 'ended_at', w.ended_at,
          'status', w.http_status, 'error', w.error) order by w.number), '[]')
        from (
          select * from webhook_attempts w where w.delivery_id = d.id order by w.number desc limit 100
        ) w
      ))
    from webhook_deliveries d where d.task_id = t.id
  ) as delivery
from tasks t where t.id = $1`,
  values: (id) => [id],
};
