import type { DeliveryJob } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { GuardedClientOptions } from '@mediagate/egress';
import type { LogFields, Logger } from '@mediagate/host';
import type { Translator } from '@mediagate/languages';
import type { QueuedDelivery } from '@mediagate/queue';
import { Registry } from 'prom-client';
import {
  type Callbacks,
  createSendingRules,
  deliver,
  openSender,
  releaseWaiting,
  type Sender,
  type WebhookSettings,
} from '../src';

/** An eighth of it, 4, is for one account. */
const CONCURRENCY = 32;

export interface Logged {
  event: string;
  fields: LogFields;
}

/** The setting of these tests: a real database, a real client, and a log of what happens. */
export interface World {
  sender: Sender;
  /** Delivers by a job that does not name its attempt. */
  deliver(deliveryId: string): Promise<void>;
  take(job: DeliveryJob): Promise<void>;
  drain(): Promise<void>;
  /** Resolves once the deliveries that waited for a slot have ended. */
  ended(): Promise<void>;
  /** Resolves once this many lines of the log are of the kind. */
  heard(count: number, isOfKind: (line: Logged) => boolean): Promise<void>;
  registry: Registry;
  logged: Logged[];
  enqueued: QueuedDelivery[];
}

export interface WorldOptions {
  client: Partial<GuardedClientOptions>;
  timeoutMs?: number;
  retryDelaysMs?: readonly number[];
  ownHosts?: readonly string[];
  /** Translates words that are not the platform's own; absent: nothing does. */
  translator?: Translator;
  /** Absent: jobs are noted in `enqueued`, and nothing comes of them. */
  queue?: Callbacks['queue'];
}

/** The domain for commands alone: nothing is enqueued, which the reconciler would make good. */
export function callbacksOn(database: Database): Pick<Callbacks, 'database' | 'queue' | 'logger'> {
  const ignore = async () => undefined;
  return { database, queue: { enqueueDelivery: ignore, enqueueDeliveries: ignore }, logger: { warn: () => undefined } };
}

export function createWorld(database: Database, options: WorldOptions): World {
  const { allowOrigins = [], allowPorts = [80, 443], allowPrivateCidrs = [], resolve } = options.client;
  const { timeoutMs = 60_000, retryDelaysMs = [10_000, 30_000, 60_000], ownHosts = [] } = options;
  const webhooks: WebhookSettings = {
    allowOrigins: [...allowOrigins],
    allowPorts: [...allowPorts],
    allowPrivateCidrs: [...allowPrivateCidrs],
    timeoutSeconds: timeoutMs / 1000,
    retryDelaysSeconds: retryDelaysMs.map((ms) => ms / 1000),
  };
  const rules = createSendingRules(webhooks, { ownHosts, maxConnections: 256, ...(resolve && { resolve }) });
  const registry = new Registry();
  const logged: Logged[] = [];
  const enqueued: QueuedDelivery[] = [];
  const listeners = new Set<() => void>();
  const noted: Callbacks['queue'] = {
    enqueueDelivery: async (delivery) => void enqueued.push(delivery),
    enqueueDeliveries: async (deliveries) => void enqueued.push(...deliveries),
  };
  const logger = createLogger((line) => {
    logged.push(line);
    for (const notify of listeners) notify();
  });
  const sender = openSender({
    database,
    queue: options.queue ?? noted,
    logger,
    metrics: registry,
    rules: () => rules,
    translator: options.translator,
    creditsPerUnit: 10,
    concurrency: CONCURRENCY,
  });
  const heard: World['heard'] = (count, isOfKind) =>
    new Promise((resolve) => {
      const check = () => {
        if (logged.filter(isOfKind).length < count) return;
        listeners.delete(check);
        resolve();
      };
      listeners.add(check);
      check();
    });
  return {
    sender,
    deliver: (deliveryId) => deliver(sender, { v: 1, deliveryId }),
    take: (job) => deliver(sender, job),
    drain: () => releaseWaiting(sender),
    ended: () => sender.line.ended(),
    heard,
    registry,
    logged,
    enqueued,
  };
}

function createLogger(hear: (line: Logged) => void, bound: LogFields = {}): Logger {
  const note = (event: string, fields: LogFields = {}) => hear({ event, fields: { ...bound, ...fields } });
  return {
    info: note,
    warn: note,
    error: note,
    debug: note,
    child: (fields) => createLogger(hear, { ...bound, ...fields }),
  };
}
