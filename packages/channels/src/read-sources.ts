import type { JsonObject } from '@mediagate/contracts';
import type { Database, SettingStep, StoredSettings } from '@mediagate/database';
import type { Sealer } from '@mediagate/identity';
import type { PartReader, Settings } from '@mediagate/settings';
import { applyOverrides, type SettingsInForce, sourcesInForce } from './apply-overrides';
import { inEffect, readStored } from './change-settings';
import { foldSteps, type Overrides } from './setting-schedule';
import { openerOf } from './vendor-secrets';

/** Every channel as it counts now, as a file would have it, by id. */
export async function readSources(
  database: Pick<Database, 'readSettings'>,
  inFile: ReadonlyMap<string, JsonObject>,
): Promise<Map<string, JsonObject>> {
  const { steps } = await readStored(database);
  return sourcesInForce(inFile, foldSteps(inEffect(steps)));
}

/** The settings that count now, of the file and of operators together. */
export interface ChannelSourcesInForce {
  version: bigint;
  /** As a file would have them: first the file's channels in its order, then the others. */
  channels: JsonObject[];
  /** The part that operators have set. */
  overrides: Overrides;
  /** The steps that take effect later. */
  scheduled: SettingStep[];
  /** Keys of vendors, sealed. */
  secrets: StoredSettings['secrets'];
}

export async function readInForce(
  database: Pick<Database, 'readSettings'>,
  inFile: ReadonlyMap<string, JsonObject>,
): Promise<ChannelSourcesInForce> {
  const { version, steps, secrets } = await readStored(database);
  const overrides = foldSteps(inEffect(steps));
  return {
    version,
    channels: [...sourcesInForce(inFile, overrides).values()],
    overrides,
    scheduled: steps.filter(({ effectiveInMs }) => effectiveInMs > 0),
    secrets,
  };
}

/** Reads and opens the channels that count now, with the faults that keep others from being opened. */
export async function readSettingsInForce(
  database: Pick<Database, 'readSettings'>,
  settings: Settings,
  { reader, sealer }: { reader: PartReader; sealer: Sealer | undefined },
): Promise<SettingsInForce & { version: bigint }> {
  const { version, steps, secrets } = await readStored(database);
  const ofDatabase = openerOf(secrets, sealer);
  return { version, ...applyOverrides(settings, foldSteps(inEffect(steps)), { reader, ofDatabase }) };
}
