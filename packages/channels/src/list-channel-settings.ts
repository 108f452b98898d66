import type { JsonObject } from '@mediagate/contracts';
import { type ListedSetting, listChannelFields, type SecretSources } from '@mediagate/settings';
import { sourcesInForce } from './apply-overrides';
import type { Overrides } from './setting-schedule';

export interface ChannelSettings {
  id: string;
  settings: ListedSetting[];
}

export interface ListChannelSettingsOptions {
  /** The channels of the file as they are written there, by id. */
  inFile: ReadonlyMap<string, JsonObject>;
  overrides: Overrides;
  secrets: SecretSources;
}

/** Lists the settings of each channel that count, and who set them. */
export function listChannelSettings({ inFile, overrides, secrets }: ListChannelSettingsOptions): ChannelSettings[] {
  return [...sourcesInForce(inFile, overrides).keys()].map((id) => ({
    id,
    settings: listChannelFields(inFile.get(id) ?? {}, { set: overrides.channels.get(id) ?? {}, secrets }),
  }));
}
