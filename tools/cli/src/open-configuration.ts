import { type OpenedSettings, openSettings, SettingsError } from '@mediagate/settings';
import { FaultyAnswer } from './faulty-answer';
import type { Session } from './session';
import { printable } from './text-table';

/** The settings and the catalogue that the configuration file makes. */
export type OpenedConfiguration = OpenedSettings;
export type TriedConfiguration = OpenedConfiguration | SettingsError;

/** @throws FaultyAnswer, which prints the faults of the file. */
export function openConfiguration(session: Session): OpenedConfiguration {
  return requireRight(session, tryConfiguration(session));
}

/** @throws FaultyAnswer, which prints the faults of the file. */
export function requireRight(session: Session, tried: TriedConfiguration): OpenedConfiguration {
  if (!(tried instanceof SettingsError)) return tried;
  const { faults } = tried;
  const json = { config: session.deployment.configuration().path, channels: [], uncovered: [], faults };
  throw new FaultyAnswer({ json, text: faults.map(printable).join('\n') });
}

/** A command that can do without the file looks at its faults itself. */
export function tryConfiguration({ deployment }: Session): TriedConfiguration {
  const { path, env } = deployment.configuration();
  try {
    return openSettings(path, env);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}
