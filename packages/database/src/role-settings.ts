import { isPoolerUrl } from './connections';
import type { Database } from './database';

export interface RoleSettingsDeps {
  database: Pick<Database, 'findMissingRoleSettings'>;
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
    const missing = (await database.findMissingRoleSettings()).map(({ command }) => `${command};`);
    if (missing.length === 0) return;
    logger.warn('database.role_lacks_settings', {
      detail: `the pooler passes no settings on, so the role needs them: ${missing.join(' ')}`,
    });
  } catch (error) {
    logger.warn('database.role_not_checked', { error });
  }
}
