import type { JsonObject } from '@mediagate/contracts';
import { type ChangeOutcome, type ChangeRequest, changeOnce } from '@mediagate/database';
import { lookupPublic } from '@mediagate/egress';
import type { Channel, OpenedChannel } from '@mediagate/settings';
import {
  createHttpClient,
  createProbes,
  type LookupFor,
  type Probe,
  type Protocols,
  type Sighting,
} from '@mediagate/upstreams';
import { openOverridden, sourcesInForce } from './apply-overrides';
import { inEffect, readStored } from './change-settings';
import type { Channels } from './channels';
import { foldSteps } from './setting-schedule';
import { openerOf } from './vendor-secrets';

type Probing = Pick<Channels, 'database' | 'inFile' | 'keys' | 'protocols' | 'sealer'>;

/** A vendor's answer to a question that costs nothing, asked with a channel's key; where the key is not here, nobody was asked. */
export type SeenChannel = { took_ms: number } & (ReturnType<typeof describeSighting> | typeof NOBODY_ASKED);

const NOBODY_ASKED = { reachable: null, key: 'absent' as const, detail: '', upstream_models: null, balance: null };

/** Asks a channel's vendor, and notes who did and what was seen. `unchanged`: neither the file nor an operator has the channel. */
export function probeChannel(channels: Probing, channelId: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(channels.database, request, async () => {
    const found = await openNow(channels, channelId);
    if (found === undefined) return [];
    const began = performance.now();
    const seen = await seeOpened(found.opened, { lookupFor: found.lookupFor, protocols: channels.protocols() });
    const took = { took_ms: Math.round(performance.now() - began) };
    return channels.database.noteSeen(
      { action: 'channel.probe', subject: channelId, seen: { ...seen, ...took } as JsonObject },
      request,
    );
  });
}

interface Found {
  opened: OpenedChannel;
  lookupFor: LookupFor;
}

async function openNow({ database, inFile, keys, sealer }: Probing, id: string): Promise<Found | undefined> {
  const stored = await readStored(database);
  const overrides = foldSteps(inEffect(stored.steps));
  const source = sourcesInForce(inFile(), overrides).get(id);
  if (source === undefined) return undefined;
  const ofDatabase = openerOf(stored.secrets, sealer);
  const part = { source, set: overrides.channels.get(id), written: inFile().get(id) };
  const named = new Set([...inFile().values()].map(originOf));
  const isFree = part.set?.['base_url'] === undefined || named.has(originOf(source));
  return {
    opened: openOverridden(part, { reader: keys, ofDatabase }),
    // Where operators alone lead a channel, a process connects to public addresses.
    lookupFor: (origin) => (isFree || keys.allowOrigins.has(origin) ? undefined : lookupPublic),
  };
}

function originOf({ base_url: text }: JsonObject): string | undefined {
  return URL.parse(String(text))?.origin;
}

async function seeOpened(opened: OpenedChannel, means: Means): Promise<Omit<SeenChannel, 'took_ms'>> {
  switch (opened.kind) {
    case 'open':
    case 'closed':
      return opened.channel.apiKey === '' ? NOBODY_ASKED : describeSighting(await seeChannel(opened.channel, means));
    case 'faulty':
      return { ...NOBODY_ASKED, detail: opened.faults.map(({ field, message }) => `${field}: ${message}`).join('; ') };
    case 'keyless':
      return NOBODY_ASKED;
    default:
      return opened satisfies never;
  }
}

/** Asks the vendor of one channel, with its key, what costs nothing. */
export async function seeChannel(channel: Channel, means: Means): Promise<Sighting> {
  return (await seeChannels([channel], means)).get(channel.id) ?? NO_PROBE;
}

interface Means {
  protocols: Protocols;
  /** Undefined: the file alone says where channels lead. */
  lookupFor: LookupFor | undefined;
  signal?: AbortSignal;
}

/** Asks each channel's vendor, with its key, what costs nothing. At once: a channel that does not answer holds up none. */
export async function seeChannels(
  channels: readonly Channel[],
  { protocols, lookupFor, signal = new AbortController().signal }: Means,
): Promise<ReadonlyMap<string, Sighting>> {
  const http = createHttpClient({ lookupFor });
  try {
    const probes = createProbes({ http }, protocols);
    const seen = channels.map(async (channel) => [channel.id, await ask(channel, { probes, signal })] as const);
    return new Map(await Promise.all(seen));
  } finally {
    await http.close();
  }
}

const NO_PROBE: Sighting = { reachable: true, key: 'unproved', detail: 'its protocol has nothing to ask' };

async function ask(
  channel: Channel,
  { probes, signal }: { probes: ReadonlyMap<string, Probe>; signal: AbortSignal },
): Promise<Sighting> {
  const { id: channelId, protocol, baseUrl, apiKey, options } = channel;
  const models = [...new Set(channel.models.values())];
  const endpoint = { channelId, baseUrl, apiKey, options, model: models[0] ?? '' };
  return (await probes.get(protocol)?.({ endpoint, models, signal })) ?? NO_PROBE;
}

/** As operators see it. */
export function describeSighting({ reachable, key, detail, models, balance }: Sighting) {
  return {
    reachable,
    key,
    detail,
    upstream_models:
      models?.map(({ name, known, servedUntil }) => ({ name, known, served_until: servedUntil ?? null })) ?? null,
    balance: balance ?? null,
  };
}
