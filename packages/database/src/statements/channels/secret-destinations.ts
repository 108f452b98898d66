import type { Statement } from '../../statement';

export interface SecretDestination {
  channelId: string;
  /** As it was written. */
  baseUrl: string | null;
}

/** Where attempts are under way whose channel names, as they began, the secret of this reference. */
export const awaitedDestinations = (reference: string) => `
select d.channel_id as "channelId", d.source->>'base_url' as "baseUrl" from channel_destinations d
where d.source->>'api_key' = ${reference} and exists (
  select from task_attempts a
  where a.channel_id = d.channel_id and a.destination = d.destination and a.state in ('starting', 'accepted')
)`;

/** As a channel names a secret of the database. */
export const referenceTo = (name: string) => `\${secret:${name}}`;

export const listSecretDestinations: Statement<[name: string], SecretDestination> = {
  text: `${awaitedDestinations('$1')} order by d.channel_id`,
  values: (name) => [referenceTo(name)],
};
