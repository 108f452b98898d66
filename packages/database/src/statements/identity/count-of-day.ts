import type { Statement } from '../../statement';

/** Counts one more on its day of UTC. No row: there are as many as there may be on a day, and nothing is counted. */
export const countOfDay: Statement<[owner: string, maxPerDay: number], { count: number }> = {
  text: `
insert into storage_usages as u (owner, day, day_files) values ($1, (now() at time zone 'utc')::date, 1)
on conflict (owner) do update set day = excluded.day, day_files = case when u.day = excluded.day then u.day_files else 0 end + 1
where u.day < excluded.day or u.day_files < $2
returning day_files as count`,
  values: (owner, maxPerDay) => [owner, maxPerDay],
};
