import type { AccountBacklog, DatabaseUse } from '@mediagate/database';
import { evictingPolicies, type RedisServer } from '@mediagate/queue';
import type { Trouble } from './trouble';

interface Backlog {
  accounts: readonly AccountBacklog[];
  families: readonly { waiting: number }[];
}

/** A disk that was full so long ago may have space again. */
const FULL_SECONDS = 60;
/** Nothing is decided wrongly by clocks that differ by less. */
const CLOCK_SECONDS = 2;
/** An account with as many waiting tasks, */
const FLOOD = 100;
/** and with this share of all that wait, holds the queue. */
const FLOOD_SHARE = 0.8;

const NO_FIGURES = { touched: 0, of: null, accounts: null, costNano: null, since: null } as const;

/** Troubles that the process met at the database: no space, or another time. */
export function databaseTroubles(use: Pick<DatabaseUse, 'fullSecondsAgo' | 'clockAheadSeconds'>): Trouble[] {
  const { fullSecondsAgo: full, clockAheadSeconds: ahead = 0 } = use;
  const troubles: Trouble[] = [];
  if (full !== undefined && full < FULL_SECONDS) {
    const about = { subject: null, cause: 'our_database', detail: null } as const;
    troubles.push({ kind: 'database_full', urgency: 'critical', ...about, ...NO_FIGURES });
  }
  if (Math.abs(ahead) > CLOCK_SECONDS) {
    const detail = `${Math.abs(ahead).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database’s clock`;
    troubles.push({ kind: 'clock_off', urgency: 'warning', subject: null, cause: 'our_clock', detail, ...NO_FIGURES });
  }
  return troubles;
}

/** A Redis that removes jobs when its memory is full. */
export function evictionTroubles(servers: readonly Pick<RedisServer, 'evictionPolicy'>[]): Trouble[] {
  const policies = evictingPolicies(servers);
  if (policies === undefined) return [];
  const detail = `maxmemory-policy: ${policies}`;
  const about = { subject: null, cause: 'redis_policy', detail } as const;
  return [{ kind: 'redis_evicts', urgency: 'warning', ...about, ...NO_FIGURES }];
}

/** The account whose tasks are nearly all that wait. Its own wait behind one another; others keep their turns. */
export function floodTroubles({ accounts, families }: Backlog): Trouble[] {
  const waiting = families.reduce((sum, family) => sum + family.waiting, 0);
  return accounts
    .filter((each) => each.waiting >= FLOOD && each.waiting >= waiting * FLOOD_SHARE)
    .map(({ accountId, waiting: touched }) => ({
      ...NO_FIGURES,
      kind: 'account_floods',
      urgency: 'info',
      subject: accountId,
      cause: 'one_account',
      detail: null,
      touched,
      of: Math.max(waiting, touched),
      accounts: 1,
    }));
}
