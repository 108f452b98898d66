import type { Database } from '@mediagate/database';
import { loadConfig } from '@mediagate/host';
import { SettingsError } from '@mediagate/settings';
import { type OpenedConfiguration, type TriedConfiguration, tryConfiguration } from '../open-configuration';
import type { Session } from '../session';
import { NotLookedAt } from './check';
import { type DoctorConfig, doctorSettings } from './settings';

/** The deployment as this process reaches it. */
export interface Examined {
  session: Session;
  config: DoctorConfig;
  /** A check may take so long. */
  withinMs: number;
  /** The configuration file, or its faults, for the check that says them. */
  tried: TriedConfiguration;
  /** All other checks take this one. @throws NotLookedAt where it has faults. */
  opened(): OpenedConfiguration;
  /** @throws Refusal */
  databaseUrl(): string;
  /** The database, for the check that says what is wrong with it. */
  openDatabase(): Promise<Database>;
  /** All other checks take this one. @throws NotLookedAt where it cannot be used. */
  database(): Promise<Database>;
}

/**
 * Reads the file first: that takes a second without a pause, in which connections that were being opened would seem to hang.
 *
 * @param withinMs a statement that has no answer by then has none for its check, either, and would hold up the end of the command.
 */
export function examine(session: Session, withinMs: number): Examined {
  const openDatabase = async () => session.openDatabase(withinMs);
  const tried = tryConfiguration(session);
  return {
    session,
    config: loadConfig(doctorSettings, session.env as NodeJS.ProcessEnv),
    withinMs,
    tried,
    opened() {
      if (tried instanceof SettingsError) throw new NotLookedAt('the configuration file has faults');
      return tried;
    },
    databaseUrl: () => session.deployment.databaseUrl(),
    openDatabase,
    database: () =>
      openDatabase().catch(() => {
        throw new NotLookedAt('the database cannot be used');
      }),
  };
}

const SHOWN = 10;

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).join(', ');
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
}

const MEGABYTE = 1024 * 1024;

export function bytesText(bytes: number): string {
  return bytes < 1024 * MEGABYTE ? `${Math.floor(bytes / MEGABYTE)} MB` : `${(bytes / MEGABYTE / 1024).toFixed(1)} GB`;
}
