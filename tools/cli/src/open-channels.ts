import { type Channels, openVendorSealer, readSources } from '@mediagate/channels';
import type { Database } from '@mediagate/database';
import { createPartReader, protocolsOf, SettingsError } from '@mediagate/settings';
import { requireRight, type TriedConfiguration } from './open-configuration';
import type { Session } from './session';

/** The domain of channels for one command: the file, which has no channels where it has faults, and the database over it. */
export function openChannels(session: Session, database: Database, tried: TriedConfiguration): Channels {
  const { env, allowOrigins } = session.deployment.configuration();
  const settings = tried instanceof SettingsError ? undefined : tried.settings;
  const channelSources = settings?.channelSources ?? new Map();
  const reading = { allowOrigins, inFile: () => settings };
  return {
    database,
    inFile: () => channelSources,
    sources: () => readSources(database, channelSources),
    webhooksInFile: () => requireRight(session, tried).settings.webhooks,
    // Keys are each process's own: `channel check` is about those of this one.
    reader: createPartReader(env, { ...reading, keysOf: new Set() }),
    keys: createPartReader(env, reading),
    protocols: () => protocolsOf(settings ?? {}),
    sealer: openVendorSealer(session.deployment.sealing()),
  };
}
