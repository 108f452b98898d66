import type { JsonObject } from '@mediagate/contracts';
import type { ChannelOverride } from '@mediagate/database';
import { type ListedSetting, listChannelFields } from '@mediagate/settings';

export interface ChannelSettings {
  id: string;
  settings: ListedSetting[];
}

export interface ListChannelSettingsOptions {
  /** The channels of the file as they are written there, by id. */
  sources: ReadonlyMap<string, JsonObject>;
  overrides: readonly ChannelOverride[];
  env: Readonly<Record<string, string | undefined>>;
}

/** What each channel goes by, and who says so. */
export function listChannelSettings({ sources, overrides, env }: ListChannelSettingsOptions): ChannelSettings[] {
  const byId = new Map(overrides.map((override) => [override.channelId, override]));
  return [...sources].map(([id, source]) => ({
    id,
    settings: listChannelFields(source, { set: setOver(source, byId.get(id)), env }),
  }));
}

/** What the file has closed no override opens. */
function setOver(source: JsonObject, override: ChannelOverride | undefined): JsonObject {
  const isOpen = (source['state'] ?? 'enabled') === 'enabled';
  return {
    ...(override?.weight == null ? {} : { weight: override.weight }),
    ...(override?.state == null || !isOpen ? {} : { state: override.state }),
  };
}
