import type { Statement } from '../statement';

/** The settings that docs/deployment.md asks of the role and that it lacks, as commands: those that match `lacking`. Zero is no limit. */
export const findMissingRoleSettings: Statement<[], { command: string }> = {
  text: `
select format('ALTER ROLE %I SET %s = %L', current_user, w.name, w.wanted) as command
from (values (1, 'statement_timeout', '^0$', '10s'), (2, 'lock_timeout', '^0$', '2s'),
  (3, 'idle_in_transaction_session_timeout', '^0$', '5s'), (4, 'enable_seqscan', '^on$', 'off'),
  (5, 'jit', '^on$', 'off'), (6, 'plan_cache_mode', '^auto$', 'force_generic_plan'),
  (7, 'TimeZone', '^(?!(Etc/)?(UTC|GMT)$)', 'UTC')
) as w(place, name, lacking, wanted)
join pg_settings s on s.name = w.name and s.setting ~ w.lacking
order by w.place`,
  values: () => [],
};
