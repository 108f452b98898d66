import type { JsonObject } from '@mediagate/contracts';
import type { Database, SettingStep } from '@mediagate/database';
import { inEffect, readStored } from './change-settings';
import { laySources } from './lay-overrides';
import { foldSteps, type Overrides } from './setting-schedule';

/** Every channel as it counts now, as a file would have it, by id. */
export async function readSources(
  database: Pick<Database, 'readSettings'>,
  inFile: ReadonlyMap<string, JsonObject>,
): Promise<Map<string, JsonObject>> {
  const { steps } = await readStored(database);
  return laySources(inFile, foldSteps(inEffect(steps)));
}

/** What the file and operators come to now. */
export interface SettingsInForce {
  version: bigint;
  /** As a file would have them: those of the file in its order, then the others. */
  channels: JsonObject[];
  /** What operators have set of it. */
  overrides: Overrides;
  /** What counts only later. */
  scheduled: SettingStep[];
}

export async function readInForce(
  database: Pick<Database, 'readSettings'>,
  inFile: ReadonlyMap<string, JsonObject>,
): Promise<SettingsInForce> {
  const { version, steps } = await readStored(database);
  const overrides = foldSteps(inEffect(steps));
  return {
    version,
    channels: [...laySources(inFile, overrides).values()],
    overrides,
    scheduled: steps.filter(({ effectiveInMs }) => effectiveInMs > 0),
  };
}
