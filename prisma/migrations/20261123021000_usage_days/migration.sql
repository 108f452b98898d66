-- AlterTable
ALTER TABLE "reservations" ADD COLUMN     "units" JSONB;

-- CreateTable
CREATE TABLE "usage_progress" (
    "id" INTEGER NOT NULL,
    "summed_to" TEXT NOT NULL DEFAULT '',
    "newest_at" TIMESTAMPTZ(3),

    CONSTRAINT "usage_progress_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_days" (
    "id" BIGSERIAL NOT NULL,
    "account_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "ended_on" DATE NOT NULL,
    "key_id" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "completed" BIGINT NOT NULL,
    "failed" BIGINT NOT NULL,
    "charged_nano" BIGINT NOT NULL,
    "refunded_nano" BIGINT NOT NULL,
    "cost_nano" DECIMAL NOT NULL,
    "cost_unknown" BIGINT NOT NULL,

    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_units" (
    "day_id" BIGINT NOT NULL,
    "unit" TEXT NOT NULL,
    "quantity" DECIMAL NOT NULL,

    CONSTRAINT "usage_units_pkey" PRIMARY KEY ("day_id","unit")
);

-- CreateIndex
CREATE INDEX "usage_days_account_id_ended_on_idx" ON "usage_days"("account_id", "ended_on");

-- CreateIndex
CREATE INDEX "usage_days_day_idx" ON "usage_days"("day");

-- CreateIndex
CREATE UNIQUE INDEX "usage_days_account_id_day_ended_on_key_id_family_model_chan_key" ON "usage_days"("account_id", "day", "ended_on", "key_id", "family", "model", "channel_id");

-- The one row that is locked.
INSERT INTO "usage_progress" ("id") VALUES (1);
ALTER TABLE "usage_progress" ADD CONSTRAINT "usage_progress_one_row" CHECK (id = 1);

-- Adds the next reservations, in the order of their tasks' ids, to the sums of their days: before `before_id`, `max_tasks` at most, and none
-- from the first on that is still held. Answers how many were counted, and how many it looked at.
--
-- The row of `usage_progress` is locked first. Each command of a function sees what was committed before it began, so that what is counted
-- here is what the last holder of that lock left behind: another run of this function, or who has changed a reservation. Whoever changes one
-- later finds it counted, and corrects its day. A resolved reservation never opens again, so that no submission and no end of a task waits here.
CREATE OR REPLACE FUNCTION sum_reservations(before_id text, max_tasks int)
RETURNS TABLE (counted bigint, looked_at bigint) LANGUAGE plpgsql AS $$
DECLARE
  after_id text;
BEGIN
SELECT p.summed_to INTO STRICT after_id FROM usage_progress p FOR UPDATE;
RETURN QUERY
with next as materialized (
  select r.* from reservations r where r.task_id > after_id and r.task_id < before_id order by r.task_id limit max_tasks
),
piece as materialized (
  select n.*, (n.created_at at time zone 'UTC')::date as day,
    (coalesce(n.resolved_at, n.created_at) at time zone 'UTC')::date as ended_on
  from next n
  where n.task_id < coalesce((select min(h.task_id) from next h where h.state = 'held'), before_id)
),
refund as materialized (
  select l.task_id, l.amount_nano from ledger_entries l
  where l.kind = 'adjust' and l.task_id is not null and l.task_id > after_id and l.task_id <= (select max(p.task_id) from piece p)
),
summed as (
  insert into usage_days as u (account_id, day, ended_on, key_id, family, model, channel_id, completed, failed, charged_nano,
    refunded_nano, cost_nano, cost_unknown)
  select p.account_id, p.day, p.ended_on, p.key_id, coalesce(p.family, ''), coalesce(p.model, ''), coalesce(p.channel_id, ''),
    count(*) filter (where p.state = 'settled'), count(*) filter (where p.state = 'refunded'), coalesce(sum(p.settled_nano), 0),
    coalesce(sum(f.amount_nano), 0), coalesce(sum(p.cost_nano), 0), count(*) filter (where p.cost_nano is null)
  from piece p left join refund f on f.task_id = p.task_id
  where not p.is_test
  group by 1, 2, 3, 4, 5, 6, 7
  on conflict (account_id, day, ended_on, key_id, family, model, channel_id) do update
    set completed = u.completed + excluded.completed, failed = u.failed + excluded.failed,
      charged_nano = u.charged_nano + excluded.charged_nano, refunded_nano = u.refunded_nano + excluded.refunded_nano,
      cost_nano = u.cost_nano + excluded.cost_nano, cost_unknown = u.cost_unknown + excluded.cost_unknown
  returning u.id, u.account_id, u.day, u.ended_on, u.key_id, u.family, u.model, u.channel_id
),
measured as (
  insert into usage_units as u (day_id, unit, quantity)
  select s.id, q.unit, sum(q.quantity::numeric)
  from piece p
  join summed s on s.account_id = p.account_id and s.day = p.day and s.ended_on = p.ended_on and s.key_id = p.key_id
    and s.family = coalesce(p.family, '') and s.model = coalesce(p.model, '') and s.channel_id = coalesce(p.channel_id, '')
  cross join lateral jsonb_each_text(p.units) as q(unit, quantity)
  where not p.is_test
  group by 1, 2
  on conflict (day_id, unit) do update set quantity = u.quantity + excluded.quantity
),
moved as (
  update usage_progress p set summed_to = c.last_id, newest_at = greatest(p.newest_at, c.newest_at)
  from (select max(task_id) as last_id, max(created_at) as newest_at from piece) c
  where c.last_id is not null
)
select (select count(*) from piece), (select count(*) from next);
END $$;
