import { exactSecondsOrNull, FAMILIES, FAMILY_TRAITS, type Family, WORKER_FAMILIES } from '@mediagate/contracts';
import type { AccountBacklog, CallbackQueue, Database, QueueDepth } from '@mediagate/database';
import type { QueueCounts } from '@mediagate/queue';

interface FamilyQueue extends Omit<QueueDepth, 'awaitingKeySlot'> {
  /** Tasks for which their key, or every channel of their model, has no slot. */
  awaitingSlot: number;
  /** How long the oldest task has been due that nobody is at; null: there is none. */
  oldestSeconds: number | null;
  submitted: number;
  ended: number;
  /** Null: the family has no queue, or Redis does not answer. */
  jobs: QueueCounts | null;
}

interface ListedQueues {
  families: FamilyQueue[];
  /** The accounts with the most open tasks. */
  accounts: AccountBacklog[];
  callbacks: CallbackQueue & { jobs: QueueCounts | null };
  /** How far back `submitted` and `ended` count. */
  recentSeconds: number;
  redisAnswers: boolean;
}

const RECENT = { seconds: 300, entries: 10_000 };
const CALLBACKS = 'deliveries';

/**
 * Counts waiting and running work by rows, which are the truth, beside the jobs that Redis has.
 *
 * @param countJobs undefined: Redis does not answer.
 */
export async function listQueues(
  database: Database,
  countJobs: () => Promise<readonly QueueCounts[] | undefined>,
): Promise<ListedQueues> {
  const [depths, accounts, awaited, backlogs, bookings, [callbacks], counted] = await Promise.all([
    database.readQueueDepths(FAMILIES),
    database.readAccountBacklogs(FAMILIES),
    database.listAwaitedModels(),
    database.readDueBacklogs(WORKER_FAMILIES),
    database.countBookings(FAMILIES, RECENT),
    database.readCallbackQueue(),
    countJobs(),
  ]);
  if (!callbacks) throw new Error('a sum without a row');
  const jobs = new Map(counted?.map((each) => [each.name, each]));
  const oldest = new Map(backlogs.map(({ family, oldestSeconds }) => [family, oldestSeconds]));
  const booked = new Map(bookings.map((each) => [each.family, each]));
  return {
    families: depths.map(({ awaitingKeySlot, ...depth }) => ({
      ...depth,
      awaitingSlot: awaited.reduce(
        (sum, { family, tasks }) => sum + (family === depth.family ? tasks : 0),
        awaitingKeySlot,
      ),
      oldestSeconds: oldest.get(depth.family) ?? null,
      submitted: booked.get(depth.family)?.submitted ?? 0,
      ended: booked.get(depth.family)?.ended ?? 0,
      jobs: hasQueue(depth.family) ? (jobs.get(depth.family) ?? null) : null,
    })),
    accounts,
    callbacks: { ...callbacks, jobs: jobs.get(CALLBACKS) ?? null },
    recentSeconds: bookings[0]?.seconds ?? RECENT.seconds,
    redisAnswers: counted !== undefined,
  };
}

function hasQueue(family: Family): boolean {
  return FAMILY_TRAITS[family].hasWorker;
}

/** Describes the queues for operators, with times in Unix seconds. */
export function describeQueues({ families, accounts, callbacks, recentSeconds, redisAnswers }: ListedQueues) {
  return {
    families: families.map(
      ({ family, waiting, running, awaitingSlot, oldestSeconds, nextDueAt, submitted, ended, jobs }) => ({
        family,
        has_queue: hasQueue(family),
        waiting,
        running,
        awaiting_slot: awaitingSlot,
        oldest_seconds: roundedOrNull(oldestSeconds),
        next_due_at: exactSecondsOrNull(nextDueAt),
        submitted,
        ended,
        jobs: jobs && describeJobs(jobs),
      }),
    ),
    accounts: accounts.map(({ accountId, ...tasks }) => ({ account_id: accountId, ...tasks })),
    callbacks: {
      pending: callbacks.pending,
      due: callbacks.due,
      oldest_seconds: roundedOrNull(callbacks.oldestSeconds),
      next_due_at: exactSecondsOrNull(callbacks.nextDueAt),
      jobs: callbacks.jobs && describeJobs(callbacks.jobs),
    },
    recent_seconds: Math.round(recentSeconds * 1000) / 1000,
    redis_answers: redisAnswers,
  };
}

function describeJobs({ waiting, starts, active, delayed, paused, workers }: QueueCounts) {
  return { waiting, starts, active, delayed, paused, workers };
}

function roundedOrNull(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1000) / 1000;
}
