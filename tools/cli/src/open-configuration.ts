import { openSettings, SettingsError } from '@mediagate/settings';
import type { Answer, Session } from './session';
import { printable } from './text-table';

/** The settings and the catalogue that `open` gives. */
export type OpenedConfiguration = ReturnType<typeof openSettings>;

/** The configuration file and the catalogue; its faults, where it has any. */
export function open(path: string, env: Session['env']): OpenedConfiguration | SettingsError {
  try {
    return openSettings(path, env);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}

export function toFaults(path: string, faults: readonly string[]): Answer {
  return {
    json: { config: path, channels: [], uncovered: [], faults },
    text: faults.map(printable).join('\n'),
    faulty: true,
  };
}
