import type { Statement } from '../../statement';
import { IS_COMPARED } from '../channels/channel-names';
import { OPERATORS, type Watched, watchFor } from './watch-for';

/** Names in one sentence: as many as a reader goes through. */
const NAMED = 10;

/** Channels that ask their vendor for names which its list does not have. More of them are reported anew. */
export const watchNames: Statement<[], Watched> = {
  text: watchFor(
    'names_unlisted',
    `
holds as materialized (
  select '${OPERATORS}' as owner, c.channel_id as subject, null::text as account_id, cardinality(c.unlisted) as level,
    coalesce(c.unlisted_since, c.looked_at) as since,
    jsonb_build_object('names', array_to_string(c.unlisted[1:${NAMED}], ', '), 'count', cardinality(c.unlisted)) as figures
  from channel_names c where ${IS_COMPARED} and cardinality(c.unlisted) > 0
)`,
  ),
  values: () => [],
};
