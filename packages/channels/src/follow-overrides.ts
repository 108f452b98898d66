import { timeOrderedId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { ChannelPaces } from './channel-paces';
import type { FollowedSettings } from './follow-settings';

/** An override counts everywhere after so long. */
const FOLLOW_MS = 5_000;

export interface OverridesScope {
  logger: { warn(event: 'channels.not_followed', fields: { error: unknown }): void };
  defer(name: string, close: () => Promise<void> | void): void;
}

export interface FollowOverridesOptions {
  database: Pick<Database, 'followChannels'>;
  followed: Pick<FollowedSettings<never>, 'channels' | 'override'>;
  paces?: Pick<ChannelPaces, 'learn'>;
  everyMs?: number | undefined;
}

/**
 * Keeps a process to the operators' overrides, and reports which breakers it has open. While the database is away the last
 * overrides stay. Resolves after the first look, so that nothing is chosen before it where the database answers.
 */
export async function followOverrides(
  scope: OverridesScope,
  { database, followed, paces, everyMs = FOLLOW_MS }: FollowOverridesOptions,
): Promise<void> {
  const processId = timeOrderedId();
  let isAway = false;

  async function look(): Promise<void> {
    try {
      const rows = await database.followChannels(processId, followed.channels.openBreakers());
      followed.override(rows.map(({ channelId, state, weight }) => ({ channelId, state, weight })));
      paces?.learn(rows.flatMap(({ channelId, isPaced }) => (isPaced ? [channelId] : [])));
      isAway = false;
    } catch (error) {
      if (!isAway) scope.logger.warn('channels.not_followed', { error });
      isAway = true;
    }
  }

  await look();
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, everyMs);
  scope.defer('channel overrides', async () => {
    clearInterval(timer);
    await looking;
  });
}
