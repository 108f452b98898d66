import type { Channel } from '@mediagate/settings';
import { createHttpClient, createProbes, type Probe, type Sighting } from '@mediagate/upstreams';

/** Asks each channel's vendor, with its key, what costs nothing. At once: a channel that does not answer holds up none. */
export async function probeChannels(channels: readonly Channel[]): Promise<ReadonlyMap<string, Sighting>> {
  const http = createHttpClient();
  try {
    const probes = createProbes({ http });
    const seen = channels.map(async (channel) => [channel.id, await probeOne(channel, probes)] as const);
    return new Map(await Promise.all(seen));
  } finally {
    http.close();
  }
}

const NO_PROBE: Sighting = { reachable: true, key: 'unproved', detail: 'its protocol has nothing to ask' };

async function probeOne(channel: Channel, probes: ReadonlyMap<string, Probe>): Promise<Sighting> {
  const { id: channelId, protocol, baseUrl, apiKey, options } = channel;
  const models = [...new Set(channel.models.values())];
  const endpoint = { channelId, baseUrl, apiKey, options, model: models[0] ?? '' };
  const signal = new AbortController().signal;
  return (await probes.get(protocol)?.({ endpoint, models, signal })) ?? NO_PROBE;
}

/** Something for the operator to mend. */
export function isFaulty({ reachable, key, models = [] }: Sighting): boolean {
  return !reachable || key === 'refused' || models.some(({ known }) => !known);
}

/** In one line. */
export function sightingText({ reachable, key, detail, models = [], balance }: Sighting): string {
  const unknown = models.filter(({ known }) => !known).map(({ name }) => name);
  const ending = models.flatMap(({ name, servedUntil }) => (servedUntil ? [`${name} until ${servedUntil}`] : []));
  return [
    reachable ? `reachable (${detail})` : `unreachable (${detail})`,
    KEYS[key],
    ...(models.length > 0 && unknown.length === 0 ? ['models known'] : []),
    ...(unknown.length > 0 ? [`unknown: ${unknown.join(', ')}`] : []),
    ...(ending.length > 0 ? [`its list serves ${ending.join(', ')}`] : []),
    ...(balance === undefined ? [] : [`balance ${balance}`]),
  ].join('; ');
}

const KEYS = { taken: 'key taken', refused: 'KEY REFUSED', unproved: 'key not proved' } as const;
