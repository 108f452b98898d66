import { type Channels, openVendorSealer, readSources } from '@mediagate/channels';
import type { Database } from '@mediagate/database';
import { createPartReader, type Settings } from '@mediagate/settings';
import { openConfiguration } from './open-configuration';
import type { Session } from './session';

export interface OpenedChannels {
  /** Where the file is. */
  path: string;
  settings: Settings;
  channels: Channels;
}

/** The file, and the domain of channels over it. @throws FaultyAnswer */
export async function openFileAndChannels(session: Session): Promise<OpenedChannels> {
  const { settings } = openConfiguration(session);
  const database = await session.openDatabase();
  return {
    path: session.deployment.configuration().path,
    settings,
    channels: openChannels(session, database, settings),
  };
}

/** The domain of channels for one command: the file, and the database over it. */
export function openChannels(session: Session, database: Database, settings: Settings): Channels {
  const { env, allowOrigins } = session.deployment.configuration();
  const reading = { allowOrigins, models: () => settings.models };
  return {
    database,
    inFile: () => settings.channelSources,
    sources: () => readSources(database, settings.channelSources),
    webhooksInFile: () => settings.webhooks,
    // Keys are each process's own: `channel check` is about those of this one.
    reader: createPartReader(env, { ...reading, keysOf: new Set() }),
    keys: createPartReader(env, reading),
    sealer: openVendorSealer(session.deployment.sealing()),
  };
}
