import { inEnglish, type Message, newTaskId, type TaskId, timeOrderedId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { runSql } from '@mediagate/testkit';
import { newWebhookSecret } from '../src';

export interface DeliveryRow {
  state: string;
  reason: string | null;
  body: string | null;
  attemptsMade: number;
  fence: number;
  /** Milliseconds from the end of the last attempt to the next one, exact to the millisecond of the columns. */
  nextAfterLastMs: number | null;
  /** Milliseconds from the start of the last attempt to the next one. */
  nextAfterStartMs: number | null;
  leased: boolean;
  due: boolean;
  ended: boolean;
}

export async function insertAccount(database: Database): Promise<{ accountId: string; secret: string }> {
  const [accountId, secret] = [`account-${timeOrderedId()}`, newWebhookSecret()];
  const text = 'insert into accounts (id, name, webhook_secret) values ($1, $1, $2)';
  await runSql(database, text, [accountId, secret]);
  return { accountId, secret };
}

export interface Failure {
  message: Message;
  /** The submission's language. */
  language?: string;
}

/** A completed task with its callback, or a failed one, as the finishing statement leaves them. */
export async function insertDelivery(
  database: Database,
  options: { accountId: string; url?: string; failure?: Failure },
): Promise<{ deliveryId: string; taskId: TaskId }> {
  const [deliveryId, taskId] = [timeOrderedId(), newTaskId()];
  const { message, language } = options.failure ?? {};
  await runSql(database, INSERT_DELIVERY, [
    taskId,
    options.accountId,
    deliveryId,
    options.url ?? 'https://hooks.example.org/base',
    ...(message === undefined ? ['completed', 3, RESULT, null] : ['failed', 0, null, errorOf(message)]),
    language,
  ]);
  return { deliveryId, taskId };
}

function errorOf(template: Message): object {
  const message = inEnglish(template);
  return { message, type: 'task_failed', param: '', code: 'task_failed', reason: 'bad_media', template };
}

const RESULT = { images: [{ url: 'https://files.example/é.png' }] };

const INSERT_DELIVERY = `
with task as (
  insert into tasks (id, account_id, key_id, family, kind, model, operation, status, progress, input, rates,
    catalogue_version, webhook, reserved_nano, cost_nano, result, error, language, started_at, completed_at, deadline_at)
  values ($1, $2, 'key', 'image', 'image', 'imagegen-test', 'generate', $5, 100, '{}', '{}',
    1, $4, 5, $6, $7, $8, $9, now(), now(), now())
)
insert into webhook_deliveries (id, task_id, account_id, url) values ($3, $1, $2, $4)`;

/** Lets the time pass that a lease or a delay would take. */
export async function passTime(database: Database, deliveryId: string): Promise<void> {
  const text = `update webhook_deliveries set next_attempt_at = least(next_attempt_at, now() - interval '1 s'),
    lease_until = least(lease_until, now() - interval '1 s') where id = $1`;
  await runSql(database, text, [deliveryId]);
}

export async function readDelivery(database: Database, deliveryId: string): Promise<DeliveryRow> {
  const [row] = await runSql<DeliveryRow>(database, READ_DELIVERY, [deliveryId]);
  if (!row) throw new Error(`no delivery ${deliveryId}`);
  return row;
}

const READ_DELIVERY = `
select d.state, d.reason, d.body, d.attempts_made as "attemptsMade", d.fence,
  round(extract(epoch from d.next_attempt_at - a.ended_at) * 1000)::int as "nextAfterLastMs",
  round(extract(epoch from d.next_attempt_at - a.started_at) * 1000)::int as "nextAfterStartMs",
  coalesce(d.lease_until > now(), false) as leased, coalesce(d.next_attempt_at <= now(), false) as due,
  d.ended_at is not null as ended
from webhook_deliveries d
left join lateral (select * from webhook_attempts where delivery_id = d.id order by number desc limit 1) a on true
where d.id = $1`;
