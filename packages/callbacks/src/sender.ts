import type { RecordedTask } from '@mediagate/contracts';
import type { ClaimedDelivery, DeliveryToAttempt, StartedAttempt } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { createMessages, type Messages, type Translator } from '@mediagate/languages';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Callbacks } from './callbacks';
import { DeliveryLine } from './delivery-line';
import type { PostedCallback } from './post-callback';

/** The means of sending callbacks. */
export interface Sender extends Pick<Callbacks, 'database' | 'queue' | 'rules'> {
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
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
  const { logger } = parts;
  const line = new DeliveryLine<Target>(concurrency, () =>
    logger.warn('webhook.line_full', { detail: 'callbacks are left to the reconciler' }),
  );
  return {
    ...parts,
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

/** A delivery that nobody has claimed, with its fence as it was read: an attempt that starts from it is its claim, too. */
export interface DueForAttempt {
  delivery: ClaimedDelivery;
  /** The task from which its first body is made; absent: the delivery has a body. */
  task?: RecordedTask;
}

/** Reads a delivery that could be claimed now, as it is. */
export async function readDue({ database }: Pick<Sender, 'database'>, id: string): Promise<DueForAttempt | undefined> {
  const row = await database.readDeliveryToAttempt(id);
  return row && toDueForAttempt(row);
}

function toDueForAttempt(row: DeliveryToAttempt): DueForAttempt {
  const { deliveryId, ofTask, ofAccount, deliveryFence, url, body, attemptsMade, secrets, overdueMs, traceContext } =
    row;
  const kept = { url, body, attemptsMade, secrets, overdueMs, traceContext };
  const delivery = { id: deliveryId, taskId: ofTask, accountId: ofAccount, fence: deliveryFence, ...kept };
  return { delivery, ...(row.id !== null && { task: row as RecordedTask }) };
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
