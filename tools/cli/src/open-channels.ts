import { type Channels, openVendorSealer, readSources } from '@mediagate/channels';
import { createPartReader, type Settings, SettingsError } from '@mediagate/settings';
import { open, toFaults } from './open-configuration';
import type { Answer, Session } from './session';

export interface OpenedChannels {
  /** Where the file is. */
  path: string;
  settings: Settings;
  channels: Channels;
}

/** The domain of channels for one command: the file, and the database over it. Faults of the file where it has any. */
export async function openChannels(session: Session): Promise<OpenedChannels | Answer> {
  const { path, env, allowOrigins } = session.deployment.configuration();
  const opened = open(path, env);
  if (opened instanceof SettingsError) return toFaults(path, opened.faults);
  const { settings } = opened;
  const database = await session.openDatabase();
  const reading = { allowOrigins, models: () => settings.models };
  const channels = {
    database,
    inFile: () => settings.channelSources,
    sources: () => readSources(database, settings.channelSources),
    webhooksInFile: () => settings.webhooks,
    // Keys are each process's own: `channel check` is about those of this one.
    reader: createPartReader(env, { ...reading, keysOf: new Set() }),
    keys: createPartReader(env, reading),
    sealer: openVendorSealer(session.deployment.sealing()),
  };
  return { path, settings, channels };
}
