import type { RecordedTask } from '@mediagate/contracts';
import {
  type AttemptResult,
  type AttemptToStart,
  type ClaimedDelivery,
  createRowBatcher,
  type Database,
  type DeliveryClaim,
  type DueForAttempt,
  retrySafely,
  type StartedAttempt,
  toDueForAttempt,
} from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { createMessages, type Messages, type Translator } from '@mediagate/languages';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Callbacks } from './callbacks';
import { DeliveryLine } from './delivery-line';
import type { PostedCallback } from './post-callback';

/** The means of sending callbacks. Its four statements take one delivery each; calls that come together share a statement. */
export interface Sender extends Pick<Callbacks, 'database' | 'queue' | 'rules'> {
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Reads a delivery that could be claimed now, as it is. Undefined: as for `claim`. */
  read(deliveryId: string): Promise<DueForAttempt | undefined>;
  /** Takes a due delivery for this process. Undefined: it has ended, is not due yet, or is leased. Of several callers, one gets it. */
  claim(deliveryId: string): Promise<ClaimedDelivery | undefined>;
  /**
   * Counts an attempt and stores its body before anything is sent: if the process dies between sending and recording, the row
   * alone leads to a repetition with the same bytes and id, and never to more requests than the schedule allows.
   *
   * Only the fence guards it, not the lease: a lease that has lapsed unclaimed is extended. Undefined: another process has
   * claimed the delivery since, or it is not as it was read any more, so nothing may be sent.
   */
  start(attempt: AttemptToStart): Promise<StartedAttempt | undefined>;
  /**
   * Ends an attempt and moves its delivery on, by the database's clock. The attempt's own row is written even by a process that lost
   * the delivery meanwhile, as evidence of what was sent; the delivery's state only under the fence. True: it was moved.
   */
  record(result: AttemptResult): Promise<boolean>;
  line: DeliveryLine<Target>;
  /** Says in the language of the submission why a task failed. */
  messages: Messages;
  metrics: DeliveryMetrics;
  creditsPerUnit: number;
}

export interface SenderOptions extends Pick<Sender, 'database' | 'queue' | 'rules' | 'logger' | 'creditsPerUnit'> {
  metrics: Registry;
  /** Translates words that are not the platform's own; absent: they stay as they are. */
  translator?: Translator | undefined;
  /** Callbacks in flight at once. */
  concurrency: number;
}

export function openSender({ metrics, translator, concurrency, ...parts }: SenderOptions): Sender {
  const { database, logger } = parts;
  const line = new DeliveryLine<Target>(concurrency, () =>
    logger.warn('webhook.line_full', { detail: 'callbacks are left to the reconciler' }),
  );
  return {
    ...parts,
    ...batches(database),
    line,
    // A delivery occupies its slot while it waits for a translation, so at most a quarter of the slots may wait.
    messages: createMessages({
      ...(translator && { translator }),
      maxWaiting: Math.ceil(concurrency / 4),
      onFailure: (error) => logger.warn('translation.failed', { error }),
    }),
    metrics: createDeliveryMetrics(metrics, () => line.waitingCount),
  };
}

const BATCH = { maxItems: 64, maxWaiting: 5000 };
/** Longer than anything between a claim and the start of its attempt. */
const CLAIM_LEASE_MS = 30_000;

/** The statements of a sender. A delivery that is named twice in a batch is claimed, and started, once. */
function batches(database: Database): Pick<Sender, 'read' | 'claim' | 'start' | 'record'> {
  const batch = (name: Parameters<Database['tally']>[0]) => ({ ...BATCH, tally: database.tally(name) });
  const read = createRowBatcher({
    ...batch('delivery_reads'),
    rowsFor: (ids: string[]) => database.readDeliveriesToAttempt(ids),
    itemId: (id) => id,
    rowId: ({ deliveryId }) => deliveryId,
  });
  const claim = createRowBatcher({
    ...batch('delivery_claims'),
    rowsFor: (ids: string[]) => database.claimDeliveries(ids, CLAIM_LEASE_MS),
    itemId: (id) => id,
    rowId: ({ id }) => id,
    once: true,
  });
  const start = createRowBatcher({
    ...batch('delivery_starts'),
    rowsFor: (starts: AttemptToStart[]) => database.startDeliveryAttempts(starts),
    itemId: claimKey,
    rowId: ({ id, startedFrom }) => claimKey({ id, fence: startedFrom }),
    once: true,
  });
  const record = createRowBatcher({
    ...batch('delivery_records'),
    // Tried again when the database hesitates, because an outcome that is lost means a callback sent twice.
    rowsFor: (results: AttemptResult[]) => retrySafely(() => database.recordDeliveryAttempts(results)),
    itemId: claimKey,
    rowId: claimKey,
  });
  return {
    async read(id) {
      const row = await read(id);
      return row && toDueForAttempt(row);
    },
    claim,
    start,
    record: async (result) => (await record(result)) !== undefined,
  };
}

/** One batch may hold a lapsed claim of a delivery beside the present one, so the id alone is no key. */
function claimKey({ id, fence }: DeliveryClaim): string {
  return `${id} ${fence}`;
}

/** A delivery whose URL passed the rules, claimed or only read. */
export interface Target {
  /** The delivery's id. */
  id: string;
  accountId: string;
  host: string;
  /** Where the callback goes. */
  url: string;
  delivery: ClaimedDelivery;
  /** False: as it was read, and the attempt that starts is its claim. */
  isClaimed: boolean;
  /** The task from which its first body is made; absent: the delivery has a body. */
  task?: RecordedTask;
}

/** An attempt that is counted in the database and ready to go out. */
export interface Prepared extends Target {
  attempt: StartedAttempt;
  headers: Record<string, string>;
}

/** An attempt that has ended, one way or another. */
export type Sent = Prepared & PostedCallback;

/** How an attempt can end. */
const OUTCOMES = ['delivered', 'rejected', 'dropped', 'exhausted', 'retry'] as const;

export interface DeliveryMetrics {
  claimed(overdueMs: number): void;
  attempted(outcome: (typeof OUTCOMES)[number], durationMs: number): void;
}

function createDeliveryMetrics(registry: Registry, countWaiting: () => number): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'mediagate_webhook_attempts_total',
    help: 'Attempts to send callbacks, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  // An alert compares with what was before, so that there has to be something.
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  const duration = new Histogram({
    name: 'mediagate_webhook_attempt_duration_seconds',
    help: 'Time from connecting to the status line of the answer, or to giving up.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const lag = new Histogram({
    name: 'mediagate_webhook_due_lag_seconds',
    help: 'Time from when a callback was due until a process claimed it.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600],
    registers,
  });
  new Gauge({
    name: 'mediagate_webhook_waiting',
    help: 'Callbacks that wait in this process because their host or account has as many in flight as it may.',
    registers,
    collect() {
      this.set(countWaiting());
    },
  });
  return {
    claimed: (overdueMs) => lag.observe(overdueMs / 1000),
    attempted(outcome, durationMs) {
      attempts.inc({ outcome });
      duration.observe(durationMs / 1000);
    },
  };
}
