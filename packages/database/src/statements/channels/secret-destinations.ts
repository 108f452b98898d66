import type { Statement } from '../../statement';

export interface SecretDestination {
  channelId: string;
  /** The base URL as it was written. */
  baseUrl: string | null;
}

/** Destinations of attempts under way whose channel named the secret of this reference when they began. */
export const awaitedDestinations = (reference: string) => `
select d.channel_id as "channelId", d.source->>'base_url' as "baseUrl" from channel_destinations d
where d.source->>'api_key' = ${reference} and exists (
  select from task_attempts a
  where a.channel_id = d.channel_id and a.destination = d.destination and a.state in ('starting', 'accepted')
)`;

/** The reference by which a channel names a secret of the database. */
export const referenceTo = (name: string) => `\${secret:${name}}`;

export const listSecretDestinations: Statement<[name: string], SecretDestination> = {
  text: `${awaitedDestinations('$1')} order by d.channel_id`,
  values: (name) => [referenceTo(name)],
};
