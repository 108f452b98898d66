import { RepeatedLook } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import type { Channel } from '@mediagate/settings';
import type { Protocols, Sighting } from '@mediagate/upstreams';
import type { FollowedSettings } from './follow-settings';
import { seeChannel } from './probe-channel';

/** Between two looks for channels whose names nobody has compared for a day, or that have new names. */
const EVERY_MS = 600_000;

export interface NamesDeps {
  database: Pick<Database, 'claimNamesLook' | 'noteUnlisted'>;
  /** The channels that take tasks now. */
  channels(): readonly Channel[];
  /** Asks the channel's vendor, within a time of its own. */
  see(channel: Channel, signal: AbortSignal): Promise<Pick<Sighting, 'models'>>;
}

export interface KeepComparingOptions extends Pick<NamesDeps, 'database'> {
  followed: Pick<FollowedSettings<never>, 'inForce' | 'lookupFor'>;
  protocols: Protocols;
}

/** Compares names now and then, until the scope closes. By processes that have vendors' keys: the claim is for all of them. */
export function keepComparingNames(
  scope: Pick<Scope, 'defer' | 'logger'>,
  { database, followed, protocols }: KeepComparingOptions,
): void {
  const channels = () => followed.inForce().channels;
  const closing = new AbortController();
  const see: NamesDeps['see'] = (channel, signal) =>
    seeChannel(channel, { protocols, lookupFor: followed.lookupFor, signal });
  let comparing: Promise<void> | undefined;
  const looks = new RepeatedLook({
    everyMs: EVERY_MS,
    unref: true,
    isWanted: () => true,
    look() {
      comparing = compareNames({ database, channels, see }, closing.signal);
      return comparing;
    },
    onError: (error) => scope.logger.warn('channel.names_not_compared', { error }),
  });
  looks.start();
  scope.defer('names of channels', async () => {
    looks.stop();
    closing.abort();
    // A failure was reported.
    await comparing?.catch(() => undefined);
  });
}

/**
 * Compares the vendor's names of channels with its own list, one channel after the other, each once a day. A vendor that has no list, or
 * whose list cannot be read now, says nothing of them: what was known stays.
 */
export async function compareNames({ database, channels, see }: NamesDeps, signal: AbortSignal): Promise<void> {
  for (const channel of channels()) {
    if (signal.aborted) return;
    if (channel.isTest || channel.apiKey === '') continue;
    const asked = { channelId: channel.id, names: [...new Set(channel.models.values())].sort() };
    const [claimed] = await database.claimNamesLook(asked);
    if (claimed === undefined) continue;
    const { models } = await see(channel, signal);
    if (models === undefined) continue;
    const unlisted = models.filter(({ known }) => !known).map(({ name }) => name);
    await database.noteUnlisted(asked, unlisted);
  }
}
