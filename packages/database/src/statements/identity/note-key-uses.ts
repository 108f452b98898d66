import type { Statement } from '../../statement';

export interface KeyUse {
  keyId: string;
  usedAt: Date;
}

/**
 * Writes a key's row once a minute at most, however many processes note its use; a clock that is ahead writes no time to come. It writes in
 * the order of the ids, so that two processes never wait for each other in a circle.
 */
export const noteKeyUses: Statement<[uses: readonly KeyUse[]], object> = {
  text: `
insert into api_key_uses as u (key_id, last_used_at)
select i.key_id, least(i.used_at, now()) from unnest($1::text[], $2::timestamptz[]) as i(key_id, used_at) order by i.key_id
on conflict (key_id) do update set last_used_at = excluded.last_used_at
where u.last_used_at <= excluded.last_used_at - interval '1 minute'`,
  values: (uses) => [uses.map(({ keyId }) => keyId), uses.map(({ usedAt }) => usedAt)],
};
