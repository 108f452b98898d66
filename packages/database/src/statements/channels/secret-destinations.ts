import type { Statement } from '../../statement';

export interface SecretDestination {
  channelId: string;
  /** As it was written. */
  baseUrl: string | null;
}

/** Where attempts are under way whose channel names, as they began, this secret of the database. */
export const listSecretDestinations: Statement<[name: string], SecretDestination> = {
  text: `
select d.channel_id as "channelId", d.source->>'base_url' as "baseUrl" from channel_destinations d
where d.source->>'api_key' = $1 and exists (
  select from task_attempts a
  where a.channel_id = d.channel_id and a.destination = d.destination and a.state in ('starting', 'accepted')
)
order by d.channel_id`,
  values: (name) => [`\${secret:${name}}`],
};
