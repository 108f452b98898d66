import { type Channels, openVendorSealer, readSources } from '@mediagate/channels';
import { createPartReader, type Settings } from '@mediagate/settings';
import { openConfiguration } from './open-configuration';
import type { Session } from './session';

export interface OpenedChannels {
  /** Where the file is. */
  path: string;
  settings: Settings;
  channels: Channels;
}

/** The domain of channels for one command: the file, and the database over it. @throws FaultyAnswer */
export async function openChannels(session: Session): Promise<OpenedChannels> {
  const { path, env, allowOrigins } = session.deployment.configuration();
  const { settings } = openConfiguration(session);
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
