import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface ChannelToRemember {
  id: string;
  /** Digest of where it leads. */
  destination: string;
  source: JsonObject;
  /** Neither the file nor the environment names its origin. */
  originByOperator: boolean;
}

/** Names of models that the channel served before are kept: a task of one of them may still be there. */
const WITH_FORMER_MODELS = `excluded.source || jsonb_build_object('models', (d.source->'models') || (excluded.source->'models'))`;

const UNLESS_KNOWN = `updated_at = now(), origin_by_operator = excluded.origin_by_operator, source = ${WITH_FORMER_MODELS}
where d.updated_at < now() - interval '1 day'
  or (d.source, d.origin_by_operator) is distinct from (${WITH_FORMER_MODELS}, excluded.origin_by_operator)`;

/** Keeps the channel by its destination; and as it is now, for attempts whose destination was not written. */
export const rememberChannel: Statement<[channel: ChannelToRemember], object> = {
  text: `
with destination as (
  insert into channel_destinations as d (channel_id, destination, source, origin_by_operator)
  values ($1, $2, $3::text::jsonb, $4)
  on conflict (channel_id, destination) do update set ${UNLESS_KNOWN}
)
insert into channel_definitions as d (id, source, origin_by_operator) values ($1, $3::text::jsonb, $4)
on conflict (id) do update set ${UNLESS_KNOWN}`,
  values: ({ id, destination, source, originByOperator }) => [
    id,
    destination,
    JSON.stringify(source),
    originByOperator,
  ],
};

/**
 * Forgets where channels led when no attempt went there since, and none is open there: `rememberChannel` writes what is in use once a day.
 * Open attempts are found by their channel.
 */
export const pruneDestinations: Statement<[unusedDays: number, limit: number], { destination: string }> = {
  text: `
with old as materialized (
  select d.channel_id, d.destination from channel_destinations d
  where d.updated_at < now() - make_interval(days => $1)
    and not exists (
      select from task_attempts a
      where a.channel_id = d.channel_id and a.state in ('starting', 'accepted') and a.destination = d.destination
    )
  limit $2 for update of d skip locked
)
delete from channel_destinations d using old o
where d.channel_id = o.channel_id and d.destination = o.destination returning d.destination`,
  values: (unusedDays, limit) => [unusedDays, limit],
};
