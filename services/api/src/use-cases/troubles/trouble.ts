import { exactSecondsOrNull, type Nano, nanoToNumber, type TroubleCause, type TroubleKind } from '@mediagate/contracts';

const URGENCIES = ['critical', 'warning', 'info'] as const;

/** Something that an operator should look at. */
export interface Trouble {
  kind: TroubleKind;
  urgency: (typeof URGENCIES)[number];
  /** The queue, channel, account or place; null: the deployment. */
  subject: string | null;
  since: Date | null;
  cause: TroubleCause;
  /** A file of `docs/runbooks`. Default: that of the cause. */
  runbook?: string;
  /** The finding, in the words of a notice, an operator or a vendor's fault; null: the figures say all. */
  detail: string | null;
  /** Tasks, attempts or callbacks that it touches. */
  touched: number;
  /** The total that `touched` is part of; null: there is no such number. */
  of: number | null;
  /** Null: not counted. */
  accounts: number | null;
  /** Its cost to the platform, as far as that is known; null: nothing says. */
  costNano: Nano | null;
}

/** Each cause with the one action that ends the loss, and its runbook. */
const CAUSES = {
  books: ['Look at the violations, and correct no balance by hand.', 'audit-violation.md'],
  our_storage: ['Make the storage writable again: free space, or restore access to it.', 'storage-full.md'],
  our_redis: ['Bring Redis back; what was accepted is in the database and goes on.', 'redis-lost.md'],
  our_database: ['Give PostgreSQL more space; what was refused meanwhile was not booked.', 'postgres-down.md'],
  our_clock: ['Set the clock of the machine, and have it kept (NTP).', 'process-down.md'],
  redis_policy: ['Set maxmemory-policy to noeviction, and give Redis enough memory.', 'redis-lost.md'],
  one_account: ['Nothing, if its work is meant; else suspend the account, and cancel its tasks.', 'growing-queue.md'],
  paused: ['Resume the queue.', 'stuck-tasks.md'],
  no_worker: [
    'Start a worker of this queue; if it ends at once after a deploy, roll the deploy back.',
    'process-down.md',
  ],
  not_enqueued: ['Look at the reconciler: it enqueues what waits.', 'stuck-tasks.md'],
  workers_busy: ['Add workers, or find what holds those that run.', 'growing-queue.md'],
  our_settings: ['Correct the fields that do not fit, or reset the channel.', 'upstream-down.md'],
  closed_by_operator: ['Reset the channel when the reason has passed.', 'upstream-down.md'],
  our_key: ['Check the key and the money at the vendor, store a new key, and probe the channel.', 'upstream-down.md'],
  our_limit: ['Lower max_concurrency, or have the vendor raise the limit.', 'upstream-down.md'],
  name_gone: ['Probe the channel, and correct the vendor’s name of the model.', 'model-retired.md'],
  their_outage: ['Drain the channel until its vendor works again; others take its tasks.', 'upstream-down.md'],
  their_delay: ['Drain the channel until its vendor is quick again; others take its tasks.', 'upstream-down.md'],
  their_files: ['Drain the channel, and show its vendor the attempts: its files are no results.', 'tasks-failing.md'],
  answers_lost: ['Drain the channel, and ask the vendor about its quarantined attempts.', 'quarantine.md'],
  not_known: ['Probe the channel, and look at its attempts.', 'upstream-down.md'],
  all_slots_taken: ['Raise max_concurrency if the vendor allows more, or add a channel.', 'channel-full.md'],
  outcome_unknown: ['Ask the vendors, and resolve the attempts.', 'quarantine.md'],
  of_accounts: ['Read the notices, and tell the accounts.', 'notices.md'],
  month_open: ['End what the notice names.', 'notices.md'],
  vendor_ends_model: ['Map the model to its successor, or to another channel.', 'model-retired.md'],
} as const satisfies Readonly<Record<TroubleCause, readonly [action: string, runbook: string]>>;

/** The most urgent first; among them by money, then by accounts and work touched, then the oldest. */
export function rankTroubles(troubles: readonly Trouble[]): Trouble[] {
  const order = (one: Trouble, other: Trouble) =>
    URGENCIES.indexOf(one.urgency) - URGENCIES.indexOf(other.urgency) ||
    Number((other.costNano ?? 0n) - (one.costNano ?? 0n)) ||
    (other.accounts ?? 0) - (one.accounts ?? 0) ||
    other.touched - one.touched ||
    (one.since?.getTime() ?? Number.MAX_SAFE_INTEGER) - (other.since?.getTime() ?? Number.MAX_SAFE_INTEGER);
  return troubles.toSorted(order);
}

/** As operators see it. Amounts in currency units, times in Unix seconds. */
export function describeTrouble({ since, costNano, cause, runbook: ownRunbook, ...same }: Trouble) {
  const [action, runbook] = CAUSES[cause];
  return {
    ...same,
    since: exactSecondsOrNull(since),
    cost: costNano === null ? null : nanoToNumber(costNano),
    cause,
    action,
    runbook: `docs/runbooks/${ownRunbook ?? runbook}`,
  };
}
