import type { JsonObject } from '@mediagate/contracts';
import {
  type ChangeOutcome,
  type ChangeRequest,
  type ChannelChange,
  changeOnce,
  type Database,
} from '@mediagate/database';

export interface OverrideDeps {
  database: Database;
  /** The channels of the file as they are written there, by id. */
  sources(): ReadonlyMap<string, JsonObject>;
}

/**
 * Sets a channel's state or weight over the file, or takes that back, for every process and until it is taken back. A channel
 * that the file has no more can only be given back to it. `unchanged`: there is no such channel.
 */
export async function overrideChannel(
  { database, sources }: OverrideDeps,
  channelId: string,
  { change, request }: { change: ChannelChange; request: ChangeRequest },
): Promise<ChangeOutcome> {
  return await changeOnce(database, request, async () => {
    if (sources().has(channelId)) await database.admitChannelOverride(channelId);
    else if (Object.values(change).some((value) => value !== null && value !== undefined)) return [];
    return await database.overrideChannel(channelId, change, request);
  });
}
