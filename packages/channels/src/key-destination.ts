import type { Json, JsonObject } from '@mediagate/contracts';
import type { SettingStep } from '@mediagate/database';
import type { FieldFault, PartReader } from '@mediagate/settings';
import { statesFrom, type WantedSettings } from './change-settings';

interface ChannelChange {
  channelId: string;
  written: JsonObject | undefined;
  steps: readonly SettingStep[];
  wanted: WantedSettings;
}

const GIVE_AGAIN =
  'would go to another host than it was given for, now or by what is set for later: give it in the same change';

/**
 * A key goes to the host that it was given for. Where a change leads to another pair of key and host than the file has, or than
 * there was without the change, the change itself must give the key.
 */
export function keyDestinationFaults(change: ChannelChange, reader: PartReader): FieldFault[] {
  const { channelId, written, steps, wanted } = change;
  if (!('base_url' in wanted.fields || 'api_key' in wanted.fields)) return [];
  const part = { section: 'channels', name: channelId, steps } as const;
  const without = statesFrom({ ...wanted, fields: {} }, part);
  const isSilent = statesFrom(wanted, part).some(({ channels }, index) => {
    const next: JsonObject = { ...written, ...channels.get(channelId), id: channelId };
    const key = next['api_key'];
    if (key === undefined || key === wanted.fields['api_key']) return false;
    const before: JsonObject = { ...written, ...without[index]?.channels.get(channelId), id: channelId };
    const inFile: JsonObject = { ...written, id: channelId };
    const known = [before, inFile].filter((source) => source['api_key'] === key);
    const origin = originOf(next, reader);
    return !known.some((source) => originOf(source, reader) === origin);
  });
  return isSilent ? [{ field: 'api_key', message: GIVE_AGAIN }] : [];
}

/** As written where the channel cannot be opened. */
function originOf(source: JsonObject, reader: PartReader): Json | undefined {
  const opened = reader.channel({ ...source, state: 'draining' });
  return 'channel' in opened ? new URL(opened.channel.baseUrl).origin : source['base_url'];
}
