import type { Channel } from '@mediagate/settings';
import type { Endpoint } from '@mediagate/upstreams';

/** @throws Error when the channel does not serve the model: choosing it was a bug. */
export function endpointOf(channel: Channel, model: string): Endpoint {
  const vendorModel = channel.models.get(model);
  if (vendorModel === undefined) throw new Error(`channel ${channel.id} does not serve ${model}`);
  const { id: channelId, baseUrl, apiKey, options } = channel;
  return { channelId, baseUrl, apiKey, model: vendorModel, options };
}
