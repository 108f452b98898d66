/** The rows that were made, and where searches find some. Tasks, accounts and keys are numbered from 1 in the order of time. */
export interface ListRows {
  tasks: number;
  accounts: number;
  begin: Date;
  /** Milliseconds from one task to the next. */
  stepMs: number;
  /** The last tasks have not ended. */
  open: number;
}

export interface Owner {
  accountId: string;
  keyId: string;
}

export interface Submission {
  model: string;
  prompt: string;
  [field: string]: unknown;
}

export interface FillStatements {
  once: readonly string[];
  /** Statements that take the first and the last number of some tasks. */
  ofTasks: readonly string[];
  /** Statements that sum up what all tasks left. */
  atLast: readonly string[];
}

/** The price of a task, in billionths. */
const COST = 5_880_000;
/** Each small account has paid in so much. */
const PAID_IN = 1_000_000_000_000;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MS_DIGITS = [45, 40, 35, 30, 25, 20, 15, 10, 5, 0]
  .map((shift) => `substr('${ALPHABET}', ((ms >> ${shift}) & 31)::int + 1, 1)`)
  .join(' || ');

/** The numbers of the tasks of one statement. */
const SERIES = 'generate_series($1::bigint, $2::bigint) n';

export function fillStatements(
  rows: ListRows,
  { hot, submission }: { hot: Owner; submission: Submission },
): FillStatements {
  const { tasks, accounts, open, begin, stepMs } = rows;
  const beginMs = begin.getTime();
  const functions = [
    'create schema bench',
    `create function bench.ms(n bigint) returns bigint language sql immutable as
      $$ select floor(${beginMs} + n * ${stepMs}::float8)::bigint $$`,
    `create function bench.made_at(n bigint) returns timestamptz language sql immutable as $$ select to_timestamp(bench.ms(n) / 1000.0) $$`,
    `create function bench.id(ms bigint, n bigint) returns text language sql immutable as
      $$ select ${MS_DIGITS} || lpad(to_hex(n), 16, '0') $$`,
    `create function bench.task(n bigint) returns text language sql immutable as $$ select 'task_' || bench.id(bench.ms(n), n) $$`,
    `create function bench.account(n bigint) returns text language sql immutable as
      $$ select case when n % 10 = 0 then 'acct_' || bench.id(${beginMs}, 1 + (n / 10) % ${accounts}) else '${hot.accountId}' end $$`,
    `create function bench.key(n bigint) returns text language sql immutable as
      $$ select case when n % 10 = 0 then 'k' || lpad(to_hex(1 + (n / 10) % ${accounts}), 11, '0') else '${hot.keyId}' end $$`,
    `create function bench.status(n bigint) returns text language sql immutable as
      $$ select case when n > ${tasks - open} then case n % 3 when 0 then 'submitted' when 1 then 'pending' else 'processing' end
        when n % 20 = 7 then 'failed' else 'completed' end $$`,
    `create function bench.request_id(n bigint) returns text language sql immutable as
      $$ select case when n % 10 = 9 then 'case-' || n else regexp_replace(lpad(to_hex(bench.ms(n)), 12, '0'), '^(.{8})(.{4})$', '\\1-\\2')
        || '-7000-8000-' || lpad(to_hex(n), 12, '0') end $$`,
  ];
  return {
    once: [...functions, ...owners(rows)],
    ofTasks: [...tasksAndReservations(rows, submission), entriesOfTasks(rows), ...recordsOfTasks(rows)],
    atLast: SUMS,
  };
}

/** Accounts and keys get what they hold and have paid, by their reservations. */
const SUMS = [
  ['accounts', 'account_id'],
  ['api_keys', 'key_id'],
].map(
  ([table, owner]) => `update ${table} o set held_nano = r.held, settled_nano = r.settled
    from (
      select ${owner} as id, coalesce(sum(amount_nano) filter (where state = 'held'), 0) as held, coalesce(sum(settled_nano), 0) as settled
      from reservations group by ${owner}
    ) r
    where r.id = o.id`,
);

/** Accounts with what they paid in, a key of each, and the audit log. */
function owners({ accounts, tasks, begin }: ListRows): string[] {
  const id = `'acct_' || bench.id(${begin.getTime()}, i)`;
  const keyId = `'k' || lpad(to_hex(i), 11, '0')`;
  return [
    `insert into accounts (id, name, topped_up_nano, webhook_secret, state, created_at)
    select ${id}, 'Studio ' || md5(i::text), ${PAID_IN}, 'unused', case when i % 1000 = 0 then 'suspended' else 'active' end,
      to_timestamp(${begin.getTime()} / 1000.0) + i * interval '1 millisecond'
    from generate_series(1, ${accounts}::bigint) i`,
    `insert into ledger_entries (account_id, kind, amount_nano, balance_after_nano, created_at)
    select ${id}, 'top_up', ${PAID_IN}, ${PAID_IN}, to_timestamp(${begin.getTime()} / 1000.0) from generate_series(1, ${accounts}::bigint) i`,
    `insert into api_keys (id, account_id, name, secret_hash, last_four, created_at, revoked_at)
    select ${keyId}, ${id}, 'website', sha256(i::text::bytea), 'abcd',
      to_timestamp(${begin.getTime()} / 1000.0) + i * interval '1 millisecond', case when i % 50 = 0 then now() end
    from generate_series(1, ${accounts}::bigint) i`,
    `insert into api_key_uses (key_id, last_used_at) select ${keyId}, now() from generate_series(1, ${accounts}::bigint) i`,
    `insert into audit_log (actor, action, subject, detail, created_at)
    select 'operator:' || i % 7, 'account.update', 'acct_' || bench.id(${begin.getTime()}, 1 + i % ${accounts}),
      '{"before": {"submit_per_minute": 100}, "after": {"submit_per_minute": 200}}', bench.made_at(i * 20)
    from generate_series(1, ${Math.ceil(tasks / 20)}::bigint) i`,
  ];
}

/** Inserts tasks and their reservations. Of 100, 55 are images, 20 videos, 15 music, 10 the image tool's; eighty in all are of one rare model. Every fifth continues the one before. */
function tasksAndReservations({ tasks, open }: ListRows, { model, ...input }: Submission): string[] {
  const every = (share: number) => Math.max(1, Math.floor(tasks / share));
  const ended = `n <= ${tasks - open}`;
  return [
    `insert into tasks (id, account_id, key_id, family, kind, model, operation, status, progress, input, rates, catalogue_version, webhook,
      parent_task_id, request_id, metadata, reserved_nano, cost_nano, result, error, created_at, started_at, completed_at, next_step_at, deadline_at)
    select bench.task(n), bench.account(n), bench.key(n), m.family, 'image', m.model, 'images.generations', s.status,
      case when ${ended} then 100 else 0 end, '${JSON.stringify(input).replaceAll("'", "''")}', '{"image_output": "30000000000"}', 1,
      case when n % 10 = 3 then 'https://callbacks.example/mediagate' end,
      case when n % ${every(20)} = 3 then bench.task(1) when n % 5 = 4 then bench.task(n - 1) end, bench.request_id(n),
      case when n % 20 = 1 then jsonb_build_object('order', 'o' || n, 'team', case when n % ${every(10)} = 1 then 'rare' else 'usual' end) end,
      ${COST}, case s.status when 'completed' then ${COST} when 'failed' then 0 end,
      case s.status when 'completed' then jsonb_build_object('images', jsonb_build_array(jsonb_build_object(
        'url', jsonb_build_array('http://api.bench.test/v1/files/' || bench.id(bench.ms(n), n) || '.png?expires=1900000000&signature=' || md5(n::text)),
        'expires_at', 1900000000))) end,
      case s.status when 'failed' then '{"code": "task_failed", "type": "task_failed", "param": "", "message": "The task took too long.", "reason": "timeout"}'::jsonb end,
      bench.made_at(n), bench.made_at(n), case when ${ended} then bench.made_at(n) + interval '20 seconds' end,
      case when ${ended} then bench.made_at(n) else now() + interval '1 day' end,
      case when ${ended} then bench.made_at(n) + interval '1 hour' else now() + interval '1 day' end
    from ${SERIES}, lateral (select bench.status(n) as status) s, lateral (
      select case when n % 100 < 55 then 'image' when n % 100 < 75 then 'video' when n % 100 < 90 then 'music' else 'imgtool' end as family,
        case when n % ${every(80)} = 1 then 'image-rare' when n % 100 < 55 then '${model}' when n % 100 < 75 then 'videoa-3.0-video'
          when n % 100 < 90 then 'music-3' else 'imgtool-7' end as model) m`,
    `insert into task_labels (account_id, label_hash, task_id)
    select t.account_id, task_label_hashes(t.metadata), t.id from tasks t
    where t.id between bench.task($1) and bench.task($2) and t.metadata is not null`,
    `insert into reservations (task_id, account_id, key_id, family, model, amount_nano, state, settled_nano, expires_at, created_at, resolved_at,
      channel_id, cost_nano, units)
    select t.id, t.account_id, t.key_id, t.family, t.model, t.reserved_nano,
      case t.status when 'completed' then 'settled' when 'failed' then 'refunded' else 'held' end,
      case t.status when 'completed' then t.cost_nano end, t.deadline_at, t.created_at, t.completed_at,
      case when t.status in ('completed', 'failed') then 'bench' end, case t.status when 'completed' then 3000000 when 'failed' then 0 end,
      case t.status when 'completed' then '{"image_output": "196000"}'::jsonb end
    from tasks t where t.id between bench.task($1) and bench.task($2)`,
  ];
}

/** Inserts a hold for each task, and a settlement or a refund for each that has ended, with the balance that each leaves. */
function entriesOfTasks({ tasks, accounts, open }: ListRows): string {
  const heldBySmall = `n / 10 / ${accounts} + ((n / 10) % ${accounts} > 0)::int`;
  // Every twentieth has failed, and has paid nothing.
  const paidByHot = `n - n / 10 - (least(n, ${tasks - open + 1}) + 12) / 20`;
  return `insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano, balance_after_nano, created_at)
    select bench.account(n), bench.key(n), bench.task(n), e.kind, ${COST}, a.topped_up_nano - ${COST} * (
      case when n % 10 = 0 then ${heldBySmall} else ${paidByHot} end
        - (e.kind = 'refund')::int), bench.made_at(n)
    from ${SERIES} join accounts a on a.id = bench.account(n) cross join lateral (
      values (1, 'hold'), (2, case bench.status(n) when 'completed' then 'settle' when 'failed' then 'refund' end)) as e(place, kind)
    where e.kind is not null order by n, e.place`;
}

/** Inserts the records of tasks beside their money: attempts, callbacks, files and idempotency keys. */
function recordsOfTasks({ tasks, open }: ListRows): string[] {
  const ended = `n <= ${tasks - open}`;
  return [
    `insert into task_attempts (id, task_id, number, channel_id, protocol, state, external_id, started_at, ended_at)
    select 'att_' || bench.id(bench.ms(n), n), bench.task(n), 1, 'bench', 'openai-images',
      case when n % 1000 = 7 then 'unknown' else 'succeeded' end, 'x' || n, bench.made_at(n), bench.made_at(n)
    from ${SERIES} where n % 10 = 7`,
    `insert into webhook_deliveries (id, task_id, account_id, url, state, attempts_made, next_attempt_at, created_at, ended_at)
    select 'whd_' || bench.id(bench.ms(n), n), bench.task(n), bench.account(n), 'https://callbacks.example/mediagate', d.state, 1,
      case d.state when 'pending' then now() + interval '1 day' end, bench.made_at(n), case when d.state <> 'pending' then bench.made_at(n) end
    from ${SERIES}, lateral (
      select case when n > ${Math.floor(tasks * 0.9995)} then 'pending' when n % 100 = 3 then 'exhausted' when n % 1000 = 13 then 'rejected'
        else 'delivered' end as state) d
    where n % 10 = 3 and ${ended}`,
    `insert into webhook_attempts (delivery_id, number, started_at, ended_at, http_status)
    select 'whd_' || bench.id(bench.ms(n), n), 1, bench.made_at(n), bench.made_at(n), 200 from ${SERIES} where n % 10 = 3 and ${ended}`,
    `insert into media_objects (id, account_id, task_id, purpose, storage_key, content_type, bytes, sha256, created_at, expires_at, deleted_at)
    select bench.id(bench.ms(n), n), bench.account(n), bench.task(n), 'result', 'results/' || n, 'image/png', 100000, sha256(n::text::bytea),
      bench.made_at(n), e.expires_at, case when e.expires_at < now() then e.expires_at end
    from ${SERIES}, lateral (select bench.made_at(n) + interval '1 day' as expires_at) e where n % 10 = 1`,
    `insert into overruns (task_id, amount_nano, created_at)
    select bench.task(n), 1000, bench.made_at(n) from ${SERIES} where n % 20 = 1 and ${ended}`,
    `insert into idempotency_keys (key_id, idempotency_key, request_hash, task_id, expires_at)
    select bench.key(n), 'idem-' || n, sha256(n::text::bytea), bench.task(n), now() + interval '1 day'
    from ${SERIES} where n > ${Math.floor((tasks * 29) / 30)} and n % 2 = 1`,
  ];
}
