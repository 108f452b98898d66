import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** Names of models that the channel served before are kept: a task of one of them may still be there. */
export const rememberChannel: Statement<[id: string, source: JsonObject], object> = {
  text: `
insert into channel_definitions as d (id, source) values ($1, $2::text::jsonb)
on conflict (id) do update set updated_at = now(),
  source = excluded.source || jsonb_build_object('models', d.source->'models' || excluded.source->'models')
where d.source is distinct from excluded.source`,
  values: (id, source) => [id, JSON.stringify(source)],
};
