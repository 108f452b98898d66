import type { Statement } from '../../statement';

export interface NamesToCompare {
  channelId: string;
  /** The vendor's names of its models. */
  names: readonly string[];
}

/**
 * Takes the look of a day at the names of a channel, or one at names that are new. A row: it is the caller's to make. Names that the
 * channel asks for no more are not missed any more.
 */
export const claimNamesLook: Statement<[channel: NamesToCompare], { channelId: string }> = {
  text: `
insert into channel_names as c (channel_id, names) values ($1, $2::text[])
on conflict (channel_id) do update
  set names = excluded.names, looked_at = now(), unlisted = array(select u from unnest(c.unlisted) u where u = any (excluded.names)),
    unlisted_since = case when c.unlisted && excluded.names then c.unlisted_since end
  where c.looked_at < now() - interval '1 day' or c.names <> excluded.names
returning channel_id as "channelId"`,
  values: ({ channelId, names }) => [channelId, names],
};

/** Notes which of the names the vendor's list does not have, unless the channel has other names by now. */
export const noteUnlisted: Statement<[channel: NamesToCompare, unlisted: readonly string[]], object> = {
  text: `
update channel_names set unlisted = $3::text[],
  unlisted_since = case when cardinality($3::text[]) = 0 then null else coalesce(unlisted_since, now()) end
where channel_id = $1 and names = $2::text[]`,
  values: ({ channelId, names }, unlisted) => [channelId, names, unlisted],
};

/** A channel that nobody has looked at for so long takes no tasks, or no process has its key: nothing is known of it. */
export const IS_COMPARED = "c.looked_at > now() - interval '3 days'";

export interface UnlistedNames {
  channelId: string;
  /** Names of the channel that its vendor's list does not have. */
  unlisted: string[];
}

export const listUnlisted: Statement<[], UnlistedNames> = {
  text: `
select c.channel_id as "channelId", c.unlisted from channel_names c
where ${IS_COMPARED} and cardinality(c.unlisted) > 0 order by c.channel_id`,
  values: () => [],
};
