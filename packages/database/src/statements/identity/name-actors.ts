import type { Statement } from '../../statement';

export interface NamedActor {
  actor: string;
  /** Null: nobody is known behind it. */
  name: string | null;
}

/**
 * Finds names for actors of the audit log: a user's e-mail address, also where a token or key stands for them; else the name of the token
 * or key, or that of whoever ran the command line.
 */
export const nameActors: Statement<[actors: readonly string[]], NamedActor> = {
  text: `
select a.actor, coalesce(
  (select u.email from users u where a.actor like 'user:%' and u.id = i.id),
  (select u.email from users u where (a.actor like 'operator:%' or a.actor like 'key:%') and u.credential_id = i.id limit 1),
  (select t.name from operator_tokens t where a.actor like 'operator:%' and t.id = i.id),
  (select nullif(k.name, '') from api_keys k where a.actor like 'key:%' and k.id = i.id),
  case when a.actor like 'cli:%' then i.id end
) as name
from unnest($1::text[]) a(actor) cross join lateral (select substr(a.actor, strpos(a.actor, ':') + 1) as id) i`,
  values: (actors) => [actors],
};
