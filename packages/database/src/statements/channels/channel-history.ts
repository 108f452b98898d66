import type { Statement } from '../../statement';
import type { AttemptSums } from './sum-channel-attempts';

/** The results of a channel's attempts, in one part of the time or of one model. */
export interface ChannelFigures extends AttemptSums {
  /** The number of a part from 0, or null. */
  part: number | null;
  /** Null: of every model. */
  model: string | null;
  /** There were more, in the part or in one of the parts. */
  isSampled: boolean;
}

export interface HistorySearch {
  channelId: string;
  /** The ids at which the parts begin, in the order of time; the last one is where the last part ends. */
  bounds: readonly string[];
  /** Rows that are looked at in one part, the newest of all channels. */
  scanRows: number;
  /** Attempts of the channel that count in one part. */
  partRows: number;
  /** Only attempts of this model; null: of every model. */
  model: string | null;
}

/**
 * Sums up by part, and by model over all parts. Ids of attempts sort by the time they began, so the primary key finds each part; an index
 * over channels would cost each attempt three more writes. Whatever there is, it reads `scanRows` and joins `partRows` of each part.
 */
export const readChannelHistory: Statement<[search: HistorySearch], ChannelFigures> = {
  text: `
with bound as (
  select p.number, p.from_id, lead(p.from_id) over (order by p.number) as before_id
  from (select n - 1 as number, id as from_id from unnest($2::text[]) with ordinality as u(id, n)) p
),
-- Materialized: it would be counted for each attempt again.
part as materialized (
  select p.*, (
    select count(*) from (select from task_attempts a where a.id >= p.from_id and a.id < p.before_id limit $3 + 1) a
  ) > $3 as is_cut
  from bound p where p.before_id is not null
),
found as materialized (
  select p.number as part, t.model, a.state, a.fault,
    case when a.state = 'succeeded' then extract(epoch from a.ended_at - a.started_at) * 1000 end as duration_ms,
    p.is_cut or count(*) over (partition by p.number) >= $4 as is_sampled
  from part p
  cross join lateral (
    select a.* from (
      select a.channel_id, a.task_id, a.fault, a.state, a.started_at, a.ended_at from task_attempts a
      where a.id >= p.from_id and a.id < p.before_id order by a.id desc limit $3
    ) a where a.channel_id = $1 limit $4
  ) a
  join tasks t on t.id = a.task_id
),
attempt as (select * from found where $5::text is null or model = $5),
fault as (
  select f.part, f.model, jsonb_object_agg(f.fault, f.attempts) as faults
  from (
    select part, model, fault, count(*) as attempts from attempt
    where fault is not null and state not in ('starting', 'accepted')
    group by grouping sets ((part, fault), (model, fault))
  ) f group by f.part, f.model
)
select a.part::int as part, a.model, a.attempts, a.succeeded, a.refused, a.unknown, a."medianMs", a."p95Ms", a."isSampled",
  coalesce((
    select f.faults from fault f where f.part is not distinct from a.part and f.model is not distinct from a.model
  ), '{}') as faults
from (
  select part, model, count(*)::int as attempts, count(*) filter (where state = 'succeeded')::int as succeeded,
    count(*) filter (where state = 'refused')::int as refused, count(*) filter (where state = 'unknown')::int as unknown,
    (percentile_cont(0.5) within group (order by duration_ms))::float8 as "medianMs",
    (percentile_cont(0.95) within group (order by duration_ms))::float8 as "p95Ms", bool_or(is_sampled) as "isSampled"
  from attempt group by grouping sets ((part), (model))
) a order by a.part nulls last, a.attempts desc, a.model`,
  values: ({ channelId, bounds, scanRows, partRows, model }) => [channelId, bounds, scanRows, partRows, model],
};
