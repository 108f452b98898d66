import type { JsonObject } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Channel } from '@mediagate/settings';
import { LRUCache } from 'lru-cache';

/** Channels as they were when tasks went there, so that what they have accepted can be asked for once the file has them no more. */
export interface ChannelBook {
  /** Before a task goes there; written once for what the file has. */
  remember(channelId: string): Promise<void>;
  find(channelId: string): Promise<RememberedChannel>;
}

export type RememberedChannel = { channel: Channel } | { missing: string };

export interface ChannelBookDeps {
  database: Pick<Database, 'channelDefinition' | 'rememberChannel'>;
  /** The channels of the file as they are written there, by id. */
  sources(): ReadonlyMap<string, JsonObject>;
  /** A written channel with the variables of this process; throws where these do not do. */
  open(source: JsonObject): Channel;
}

const MAX_CHANNELS = 1000;
/** A variable or a definition that comes later is found as soon as that. */
const KNOWN_MS = 10_000;

export function createChannelBook({ database, sources, open }: ChannelBookDeps): ChannelBook {
  const remembered = new Map<string, JsonObject>();
  const found = new LRUCache<string, RememberedChannel>({ max: MAX_CHANNELS, ttl: KNOWN_MS });

  async function look(id: string): Promise<RememberedChannel> {
    const row = await database.channelDefinition.findUnique({ where: { id }, select: { source: true } });
    if (row === null) return { missing: `channel ${id} is not known` };
    try {
      return { channel: open(row.source as JsonObject) };
    } catch (error) {
      return { missing: `channel ${id} is in the file no more, and ${(error as Error).message}`.slice(0, 500) };
    }
  }

  return {
    async remember(id) {
      const source = sources().get(id);
      if (source === undefined || remembered.get(id) === source) return;
      await database.rememberChannel(id, source);
      remembered.set(id, source);
    },
    async find(id) {
      const known = found.get(id) ?? (await look(id));
      found.set(id, known);
      return known;
    },
  };
}
