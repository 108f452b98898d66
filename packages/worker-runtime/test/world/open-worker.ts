import { createFinisher } from '@mediagate/billing';
import { createChannelBook, createChannelChooser } from '@mediagate/channels';
import { openDatabase } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import type { Logger } from '@mediagate/host';
import { createMediaLoader, createOutputFetcher, openMediaStore } from '@mediagate/media';
import { openQueues, type Queues } from '@mediagate/queue';
import { openStreamSender } from '@mediagate/streams';
import { createStepWrites, createTaskClaimer } from '@mediagate/tasks';
import { createHttpClient, createStreamingClient } from '@mediagate/upstreams';
import { Registry } from 'prom-client';
import { createInspectedFiles } from '../../src/inspected-files';
import { createWaitingSlots } from '../../src/waiting-slots';
import type { WorkerDeps } from '../../src/worker-deps';
import { createWorkerMetrics } from '../../src/worker-metrics';
import { createGenericAdapter } from '../generic-upstream/adapter';
import { createLiveAdapter } from '../generic-upstream/live-adapter';
import { findModel } from './models';
import { asSource, fromSource, toChannel, type WorkerSpec } from './worker-spec';

export interface OpenWorker {
  deps: WorkerDeps;
  queues: Queues;
  close(): Promise<void>;
}

/** Everything as in production but for the catalogue and the adapters, which speak to the generic upstream. */
export async function openTestWorker(spec: WorkerSpec, logger: Logger): Promise<OpenWorker> {
  const { databaseUrl: url, redisUrl, prefix, home, leaseMs, closedChannels: closed = [] } = spec;
  const database = openDatabase({ url, poolSize: 8, statementTimeoutMs: 5000, applicationName: 'worker under test' });
  const queues = openQueues({ redisUrl, prefix });
  const http = createHttpClient();
  const streams = createStreamingClient();
  const kept = (['never', 'idempotent', 'lookup'] as const).map((after) => createGenericAdapter(http, after));
  const adapters = [...kept, createLiveAdapter(streams)];
  const streamSender = openStreamSender({ redisUrl, prefix, timing: spec.liveTiming });
  const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [80, 443], allowOrigins: [] });
  const links = { publicBaseUrl: 'http://gateway.example', linkSecret: 'a-secret-of-some-length' };
  const store = await openMediaStore(database, { storage: { driver: 'filesystem' }, home, ...links });
  const deps: WorkerDeps = {
    profile: {
      family: 'tts',
      concurrency: spec.concurrency,
      checks: { fromMs: 50, toMs: 50 },
      drainSeconds: 30,
      describeResult: (outputs) => ({ pictures: outputs.map((output) => output.url) }),
    },
    logger,
    leaseMs,
    store,
    queue: queues,
    inFlight: new Map(),
    streamSender,
    slots: createWaitingSlots(spec.concurrency),
    inspectedFiles: createInspectedFiles(),
    catalogue: { find: findModel },
    channels: createChannelChooser(spec.channels.map(toChannel), { closed: closed.map(toChannel) }),
    channelBook: createChannelBook({
      database,
      sources: () => new Map([...spec.channels, ...closed].map((channel) => [channel.id, asSource(channel)])),
      open(source) {
        if (spec.lacksOldKeys) throw new Error('the environment variable OLD_KEY is not set');
        return toChannel(fromSource(source));
      },
    }),
    adapters: new Map(adapters.map((adapter) => [adapter.protocol, adapter])),
    metrics: createWorkerMetrics(new Registry()),
    claim: createTaskClaimer(database, leaseMs),
    writes: createStepWrites(database),
    finish: createFinisher(database),
    loadMedia: createMediaLoader({ client, store }),
    fetchOutput: createOutputFetcher({ client }),
  };
  return {
    deps,
    queues,
    async close() {
      await queues.close();
      await streamSender.close();
      await streams.close();
      http.close();
      await database.close();
    },
  };
}
