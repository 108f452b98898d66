import { type Database, isPoolerUrl } from './database';

export interface RoleSettingsDeps {
  database: Pick<Database, 'query'>;
  url: string;
  logger: { warn(event: string, fields: { detail?: string; error?: unknown }): void };
}

/**
 * Through a pooler connections bring no settings of their own, so that the role must have them. Warns once, with what to run,
 * where it has not; without a pooler nothing is asked. Never throws: a service starts without its database, too.
 */
export async function warnOfRoleSettings({ database, url, logger }: RoleSettingsDeps): Promise<void> {
  if (!isPoolerUrl(url)) return;
  try {
    const missing = (await database.query<{ command: string }>(MISSING, [])).map(({ command }) => `${command};`);
    if (missing.length === 0) return;
    logger.warn('database.role_lacks_settings', { detail: `statements have no limits, run: ${missing.join(' ')}` });
  } catch (error) {
    logger.warn('database.role_not_checked', { error });
  }
}

/** What docs/deployment.md has. Zero is no limit. */
const MISSING = {
  name: 'database.missing_role_settings',
  text: `select format('ALTER ROLE %I SET %s = %L', current_user, w.name, w.wanted) as command
    from (values (1, 'statement_timeout', '0', '10s'), (2, 'lock_timeout', '0', '2s'),
      (3, 'idle_in_transaction_session_timeout', '0', '5s'), (4, 'enable_seqscan', 'on', 'off')
    ) as w(place, name, lacking, wanted)
    join pg_settings s on s.name = w.name and s.setting = w.lacking
    order by w.place`,
};
