import { randomUUID } from 'node:crypto';
import type { Database, NoticeReach } from '@mediagate/database';
import { reportReach, watchNotices } from '@mediagate/notices';
import type { LeasedJob } from '../job';

const EVERY_MS = 15_000;
/** Another process takes over within this time and `EVERY_MS` after this one was killed. */
const LEASE_MS = 60_000;

/**
 * Looks for what somebody has to know, and writes the messages that tell it. One process at a time does so, by a lease: a second one
 * would find the same, and its statements would change nothing.
 */
export function tellNotices(database: Database, reach: () => NoticeReach, closesMonths: boolean): LeasedJob {
  const lease = { name: 'tell-notices', holder: randomUUID() };
  return {
    name: 'tell-notices',
    everyMs: EVERY_MS,
    async run() {
      const [held] = await database.takeLease(lease, LEASE_MS);
      if (!held) return { done: 0, more: false };
      await reportReach(database, reach());
      const { reported, more } = await watchNotices(database, closesMonths);
      return { done: reported, more };
    },
    async close() {
      await database.returnLease(lease);
    },
  };
}
