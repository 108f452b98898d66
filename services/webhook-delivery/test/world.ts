import { type Database, openDatabase } from '@mediagate/database';
import { createGuardedClient, type GuardedClientOptions } from '@mediagate/egress';
import type { LogFields, Logger } from '@mediagate/host';
import type { QueuedDelivery } from '@mediagate/queue';
import { createTaskReader } from '@mediagate/tasks';
import { createMessages, type Translator } from '@mediagate/translation';
import { createDeliveryWrites, type SendingRules } from '@mediagate/webhooks';
import { Registry } from 'prom-client';
import { createDeliverer, type DeliverDeps } from '../src/deliver';
import { createDeliveryMetrics } from '../src/metrics';

export interface Logged {
  event: string;
  fields: LogFields;
}

/** What a deliverer is made of in these tests: a real database and a real client, and a log of what it does. */
export interface World {
  deps: DeliverDeps;
  deliver(deliveryId: string): Promise<void>;
  drain(): Promise<void>;
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
  readTask?: DeliverDeps['readTask'];
  /** Of words that are not the platform's own; absent: there is none. */
  translator?: Translator;
  /** Absent: jobs are noted in `enqueued`, and nothing comes of them. */
  queues?: DeliverDeps['queues'];
}

export function openTestDatabase(url: string): Database {
  return openDatabase({ url, poolSize: 8, statementTimeoutMs: 5000, applicationName: 'webhook-delivery-test' });
}

export function createWorld(database: Database, options: WorldOptions): World {
  const { allowOrigins = [], allowPorts = [80, 443], allowPrivateCidrs = [], ...network } = options.client;
  const client = createGuardedClient({ allowOrigins, allowPorts, allowPrivateCidrs, ...network });
  const rules: SendingRules = {
    client,
    policy: { client, ownHosts: options.ownHosts ?? [], allowOrigins },
    timeoutMs: options.timeoutMs ?? 5000,
    retryDelaysMs: options.retryDelaysMs ?? [10_000, 30_000, 60_000],
  };
  const registry = new Registry();
  const logged: Logged[] = [];
  const enqueued: QueuedDelivery[] = [];
  const listeners = new Set<() => void>();
  const deps: DeliverDeps = {
    database,
    writes: createDeliveryWrites(database),
    readTask: options.readTask ?? createTaskReader(database),
    rules: () => rules,
    creditsPerUnit: 10,
    messages: createMessages(options.translator && { translator: options.translator }),
    queues: options.queues ?? {
      enqueueDelivery: async (delivery) => {
        enqueued.push(delivery);
      },
    },
    metrics: createDeliveryMetrics(registry),
    logger: createLogger((line) => {
      logged.push(line);
      for (const notify of listeners) notify();
    }),
    limits: { perHost: 4, perAccount: 8, maxWaitingPerAccount: 1000, maxWaiting: 2000 },
  };
  const { deliver, drain } = createDeliverer(deps);
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
  return { deps, deliver: (deliveryId) => deliver({ v: 1, deliveryId }), drain, heard, registry, logged, enqueued };
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
