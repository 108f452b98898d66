import type { ChannelOverride } from '@mediagate/database';
import type { Channel, Settings } from '@mediagate/settings';

type Channels = Pick<Settings, 'channels' | 'closedChannels'>;

/**
 * The channels of the file with what operators have set over them: who is drained or disabled takes no new tasks, and what it
 * has accepted is still checked. What the file has closed stays closed.
 */
export function overrideChannels(
  { channels, closedChannels }: Channels,
  overrides: readonly ChannelOverride[],
): Channels {
  const byId = new Map(overrides.map((override) => [override.channelId, override]));
  const weighed = channels.map((channel): Channel => {
    const weight = byId.get(channel.id)?.weight ?? channel.weight;
    return { ...channel, weight };
  });
  const isClosed = ({ id }: Channel) => (byId.get(id)?.state ?? null) !== null;
  return {
    channels: weighed.filter((channel) => !isClosed(channel)),
    closedChannels: [...closedChannels, ...weighed.filter(isClosed)],
  };
}
