import { createHash } from 'node:crypto';
import type { JsonObject } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { mayBePublic } from '@mediagate/egress';
import type { Channel } from '@mediagate/settings';
import { LRUCache } from 'lru-cache';

/** Channels as they were when tasks went there, so that accepted jobs can be asked about wherever the channels lead by now. */
export interface ChannelBook {
  /**
   * Remembers the channel before a task of the model goes there; writes once a day while the channel stays as it is. Returns the
   * destination. Undefined: the channel leads elsewhere by now, or nowhere.
   */
  remember(channel: Channel, model: string): Promise<string | undefined>;
  /** The channel that an attempt was begun at. */
  find(attempt: BegunAttempt, model: string): Promise<RememberedChannel>;
}

export interface BegunAttempt {
  channelId: string;
  /** Null: it was not written. */
  destination: string | null;
}

type RememberedChannel = { channel: Channel } | { missing: string };

interface ChannelBookDeps {
  database: Pick<Database, 'channelDefinition' | 'channelDestination' | 'rememberChannel'>;
  /** The channels that count now. */
  channels: { find(id: string): Channel | undefined };
  /** The same channels as they are written, by id. */
  sources(): ReadonlyMap<string, JsonObject>;
  /** A written channel with the variables of this process; throws where these do not do. */
  open(source: JsonObject): Channel;
  origins: Origins;
}

/** Knows the origins that must lead to public addresses alone. */
interface Origins {
  mustBePublic(origin: string): boolean;
  /** From now on the origin may lead to public addresses alone, unless the file or the environment names it. */
  remember(origin: string): void;
}

const MAX_CHANNELS = 1000;
const MAX_DESTINATIONS = 20_000;
/** A channel in use is written again after this time, and so never taken for one that nobody asks about any more. */
const WRITTEN_MS = 86_400_000;
/** A variable or a definition that comes later is found within this time. */
const KNOWN_MS = 10_000;

export function createChannelBook(deps: ChannelBookDeps): ChannelBook {
  const { database, channels, sources, origins } = deps;
  const remembered = new LRUCache<string, { source: JsonObject; originByOperator: boolean }>({
    max: MAX_DESTINATIONS,
    ttl: WRITTEN_MS,
  });
  const found = new LRUCache<string, RememberedChannel>({ max: MAX_CHANNELS, ttl: KNOWN_MS });

  return {
    async remember(channel, model) {
      const { id } = channel;
      const destination = destinationOf(channel, model);
      const source = sources().get(id);
      const now = channels.find(id);
      if (source === undefined || now === undefined || destinationOf(now, model) !== destination) return undefined;
      const key = `${id} ${destination}`;
      const originByOperator = origins.mustBePublic(new URL(channel.baseUrl).origin);
      const written = remembered.get(key);
      if (written?.source === source && written.originByOperator === originByOperator) return destination;
      await database.rememberChannel({ id, destination, source, originByOperator });
      remembered.set(key, { source, originByOperator });
      return destination;
    },
    async find(attempt, model) {
      const now = channels.find(attempt.channelId);
      if (now?.models.has(model) && leadsTo(now, attempt, model)) return { channel: now };
      const key = `${attempt.channelId} ${attempt.destination}`;
      const known = found.get(key) ?? (await look(attempt, deps));
      found.set(key, known);
      return known;
    },
  };
}

async function look(attempt: BegunAttempt, deps: ChannelBookDeps): Promise<RememberedChannel> {
  const { database, channels, open } = deps;
  const { channelId } = attempt;
  const row = await readRow(attempt, database);
  if (row === null) return { missing: `channel ${channelId} is not known` };
  try {
    const channel = open(row.source as JsonObject);
    if (row.originByOperator) keepPublic(channel, deps);
    return { channel: withKeyOfNow(channel, channels.find(channelId)) };
  } catch (error) {
    const { message } = error as Error;
    return { missing: `channel ${channelId} does not lead there any more, and ${message}`.slice(0, 500) };
  }
}

/** @throws Error where the origin is a private address by itself, which no look-up judges. */
function keepPublic({ baseUrl }: Channel, { origins }: ChannelBookDeps): void {
  const url = new URL(baseUrl);
  origins.remember(url.origin);
  if (origins.mustBePublic(url.origin) && !mayBePublic(url)) throw new Error('its address is not public');
}

function readRow({ channelId, destination }: BegunAttempt, database: ChannelBookDeps['database']) {
  const select = { source: true, originByOperator: true } as const;
  return destination === null
    ? database.channelDefinition.findUnique({ where: { id: channelId }, select })
    : database.channelDestination.findUnique({
        where: { channelId_destination: { channelId, destination } },
        select,
      });
}

function leadsTo(channel: Channel, { destination }: BegunAttempt, model: string): boolean {
  return destination === null || destination === destinationOf(channel, model);
}

/** A key that was exchanged counts for what was accepted before, too; it goes to no other address than it was given for. */
function withKeyOfNow(channel: Channel, now: Channel | undefined): Channel {
  return now && addressOf(now.baseUrl) === addressOf(channel.baseUrl) ? { ...channel, apiKey: now.apiKey } : channel;
}

const DIGEST_CHARACTERS = 32;

/** Options that say how a vendor's answers are read, when it is asked, and how new jobs are asked for: a correction counts for all jobs. */
const SAYS_HOW: ReadonlySet<string> = new Set(['http_job', 'templates', 'timeout_seconds', 'max_check_seconds']);

/**
 * Names everything that decides where a model's jobs are asked about, and as what: all but the key, which may change at any moment, and
 * the options above. Channels of the same destination know the same jobs.
 */
function destinationOf({ protocol, baseUrl, options, models }: Channel, model: string): string {
  const place = Object.fromEntries(Object.entries(options).filter(([name]) => !SAYS_HOW.has(name)));
  const text = JSON.stringify([protocol, baseUrl, place, models.get(model) ?? null]);
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARACTERS);
}

/** Where a base URL leads: scheme, host and path. As written where it names variables in place of its host. */
export function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url ? `${url.origin}${url.pathname.replace(/\/+$/, '')}` : baseUrl;
}
