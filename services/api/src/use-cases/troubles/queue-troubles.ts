import type { TroubleCause } from '@mediagate/contracts';
import type { listQueues } from '@mediagate/tasks';
import type { Trouble } from './trouble';

type Queues = Awaited<ReturnType<typeof listQueues>>;
interface Queue {
  subject: string;
  runbook?: string;
  hasQueue: boolean;
  waiting: number;
  oldestSeconds: number | null;
  jobs: Queues['callbacks']['jobs'];
}

/** As long as the alerts on work that nobody takes. */
const LATE_SECONDS = 300;

/** Redis where it does not answer, and queues that are paused, have no worker, or have work that has been due for long. */
export function queueTroubles({ families, callbacks, redisAnswers }: Queues, nowMs: number): Trouble[] {
  const queues: Queue[] = [
    ...families.map((each) => ({ ...each, subject: each.family, hasQueue: each.jobs !== null })),
    { ...callbacks, subject: 'deliveries', hasQueue: true, waiting: callbacks.due, runbook: 'callbacks.md' },
  ];
  const figures = { touched: 0, of: null, accounts: null, costNano: null, since: null, detail: null };
  const silent: Trouble[] = redisAnswers
    ? []
    : [{ kind: 'redis_silent', urgency: 'critical', subject: null, cause: 'our_redis', ...figures }];
  return [...silent, ...queues.flatMap((queue) => troubleOf(queue, redisAnswers, nowMs))];
}

function troubleOf(queue: Queue, redisAnswers: boolean, nowMs: number): Trouble[] {
  const { subject, waiting, oldestSeconds, runbook } = queue;
  const cause = causeOf(queue, redisAnswers);
  if (cause === undefined) return [];
  return [
    {
      kind: 'queue',
      urgency: waiting > 0 && subject !== 'deliveries' ? 'critical' : 'warning',
      subject,
      since: oldestSeconds === null ? null : new Date(nowMs - oldestSeconds * 1000),
      cause,
      ...(runbook !== undefined && { runbook }),
      detail: null,
      touched: waiting,
      of: null,
      accounts: null,
      costNano: null,
    },
  ];
}

function causeOf({ hasQueue, waiting, oldestSeconds, jobs }: Queue, redisAnswers: boolean): TroubleCause | undefined {
  if (jobs?.paused) return 'paused';
  if (hasQueue && jobs?.workers === 0 && waiting > 0) return 'no_worker';
  if (oldestSeconds === null || oldestSeconds <= LATE_SECONDS) return undefined;
  if (!redisAnswers) return 'our_redis';
  return jobs !== null && jobs.waiting + jobs.active === 0 ? 'not_enqueued' : 'workers_busy';
}
