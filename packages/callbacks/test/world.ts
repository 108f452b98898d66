import type { DeliveryJob } from '@mediagate/contracts';
import { type Database, openDatabase } from '@mediagate/database';
import type { GuardedClientOptions } from '@mediagate/egress';
import type { LogFields, Logger } from '@mediagate/host';
import type { Translator } from '@mediagate/languages';
import type { QueuedDelivery } from '@mediagate/queue';
import { Registry } from 'prom-client';
import { createSendingRules, type WebhookSettings } from '../src';
import { composeDeliverer } from '../src/compose-deliverer';
import type { DeliverDeps } from '../src/deliver';

/** An eighth of it, 4, is for one account. */
const CONCURRENCY = 32;

export interface Logged {
  event: string;
  fields: LogFields;
}

/** What a deliverer is made of in these tests: a real database and a real client, and a log of what it does. */
export interface World {
  deps: DeliverDeps;
  /** By a job that does not say of which attempt it is. */
  deliver(deliveryId: string): Promise<void>;
  take(job: DeliveryJob): Promise<void>;
  drain(): Promise<void>;
  /** Resolves once those have ended that waited for their slot. */
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
  /** Of words that are not the platform's own; absent: there is none. */
  translator?: Translator;
  /** Absent: jobs are noted in `enqueued`, and nothing comes of them. */
  queues?: DeliverDeps['queues'];
}

export function openTestDatabase(url: string): Database {
  return openDatabase({ url, poolSize: 8, statementTimeoutMs: 5000, applicationName: 'webhook-delivery-test' });
}

export function createWorld(database: Database, options: WorldOptions): World {
  const { allowOrigins = [], allowPorts = [80, 443], allowPrivateCidrs = [], resolve } = options.client;
  const { timeoutMs = 5000, retryDelaysMs = [10_000, 30_000, 60_000], ownHosts = [] } = options;
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
  const noted = {
    enqueueDelivery: async (delivery: QueuedDelivery) => {
      enqueued.push(delivery);
    },
  };
  const logger = createLogger((line) => {
    logged.push(line);
    for (const notify of listeners) notify();
  });
  const { deps, deliver, drain, ended } = composeDeliverer({
    database,
    queues: options.queues ?? noted,
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
  const deliverById = (deliveryId: string) => deliver({ v: 1, deliveryId });
  return { deps, deliver: deliverById, take: deliver, drain, ended, heard, registry, logged, enqueued };
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
