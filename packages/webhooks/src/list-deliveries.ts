import type { TaskId } from '@mediagate/contracts';
import type { Database, Statement } from '@mediagate/database';
import type { DeliveryState } from './deliveries';

export interface ListedDelivery {
  id: string;
  taskId: TaskId;
  accountId: string;
  url: string;
  state: DeliveryState;
  reason: string | null;
  attemptsMade: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
  attempts: ListedAttempt[];
}

export interface ListedAttempt {
  number: number;
  startedAt: Date;
  /** Null: under way, or its outcome was lost. */
  endedAt: Date | null;
  httpStatus: number | null;
  error: string | null;
  /** For operators only, never for the account. */
  excerpt: string | null;
}

export interface ListDeliveriesOptions {
  accountId?: string;
  taskId?: string;
  state?: DeliveryState;
  /** The last id of the page before. */
  after?: string;
  limit: number;
}

/** Deliveries, the newest first, each with all its attempts in order. */
export async function listDeliveries(database: Database, options: ListDeliveriesOptions): Promise<ListedDelivery[]> {
  const given = FILTERS.filter(({ option }) => options[option] !== undefined);
  const values = given.map(({ option }) => options[option]);
  const rows = await database.query<DeliveryRow>(listStatement(given), [...values, options.limit]);
  return rows.map((row) => ({ ...row, attempts: row.attempts.map(toAttempt) }));
}

type DeliveryRow = Omit<ListedDelivery, 'attempts'> & { attempts: AttemptRow[] };
type AttemptRow = Omit<ListedAttempt, 'startedAt' | 'endedAt'> & { startedAt: string; endedAt: string | null };

function toAttempt(row: AttemptRow): ListedAttempt {
  return {
    ...row,
    startedAt: new Date(row.startedAt),
    endedAt: row.endedAt === null ? null : new Date(row.endedAt),
  };
}

interface Filter {
  option: 'accountId' | 'taskId' | 'state' | 'after';
  where(value: string): string;
}

const FILTERS: readonly Filter[] = [
  { option: 'accountId', where: (value) => `d.account_id = ${value}` },
  { option: 'taskId', where: (value) => `d.task_id = ${value}` },
  { option: 'state', where: (value) => `d.state = ${value}` },
  {
    option: 'after',
    where: (value) => `(d.created_at, d.id) < (select created_at, id from webhook_deliveries where id = ${value})`,
  },
];

/** One statement for each set of filters: a prepared plan that fits every set would read the whole table. */
function listStatement(given: readonly Filter[]): Statement {
  const conditions = given.map(({ where }, index) => where(`$${index + 1}`));
  return {
    name: ['webhooks.list', ...given.map(({ option }) => option)].join('.'),
    text: `
select d.id, d.task_id as "taskId", d.account_id as "accountId", d.url, d.state, d.reason,
  d.attempts_made as "attemptsMade", d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt",
  d.ended_at as "endedAt", coalesce(a.attempts, '[]'::json) as "attempts"
from webhook_deliveries d
left join lateral (
  select json_agg(json_build_object('number', number, 'startedAt', started_at, 'endedAt', ended_at,
    'httpStatus', http_status, 'error', error, 'excerpt', excerpt) order by number) as attempts
  from webhook_attempts where delivery_id = d.id
) a on true
${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
order by d.created_at desc, d.id desc
limit $${given.length + 1}`,
  };
}
