import type { Scope } from '@mediagate/host';
import type { PartReader, Settings } from '@mediagate/settings';
import type { HttpClient } from '@mediagate/upstreams';
import { type OpenWorker, openWorker } from '../../src/open-worker';
import type { FamilyProfile } from '../../src/profile';
import type { WorkerConfig } from '../../src/worker-settings';
import { createGenericAdapter } from '../generic-upstream/adapter';
import { createSynchronousAdapter } from '../generic-upstream/synchronous-adapter';
import { CATALOGUE } from './models';
import { asSource, fromSource, toChannel, type WorkerSpec } from './worker-spec';

/** Everything as in production but for the catalogue and the adapters, which speak to the generic upstream. */
export function openTestWorker(scope: Scope, spec: WorkerSpec): Promise<OpenWorker> {
  const settings = settingsOf(spec);
  return openWorker(scope, {
    profile: PROFILE,
    config: configOf(spec),
    read: () => ({ settings, catalogue: CATALOGUE }),
    reader: readerOf(spec),
    openChannel(source) {
      if (spec.lacksOldKeys) throw new Error('the environment variable OLD_KEY is not set');
      return toChannel(fromSource(source));
    },
    adapters: genericAdapters,
    signerEveryMs: spec.signerEveryMs,
    ...(spec.statementTimeoutMs !== undefined && { statementTimeoutMs: spec.statementTimeoutMs }),
  });
}

/** Reads channels that stand in rows as if they stood in the file, wherever these lead. */
function readerOf({ channels, closedChannels = [] }: WorkerSpec): PartReader {
  return {
    channel: (source) => ({ kind: 'open', channel: toChannel(fromSource(source)) }),
    webhooks() {
      throw new Error('no schedule of callbacks was expected');
    },
    allowOrigins: new Set([...channels, ...closedChannels].map(({ baseUrl }) => new URL(baseUrl).origin)),
  };
}

const PROFILE: FamilyProfile = {
  family: 'tts',
  concurrency: 8,
  checks: { fromMs: 50, toMs: 50 },
  resultRoles: ['image'],
  drainSeconds: 30,
  describeResult: (outputs) => ({ images: outputs.map((output) => output.url) }),
};

/** What the database keeps sealed opens with it. */
export const SEALING_SECRET = 'a secret for tests that is long enough';

function configOf(spec: WorkerSpec): WorkerConfig {
  return {
    DATABASE_URL: spec.databaseUrl,
    DATABASE_POOL_SIZE: spec.poolSize ?? 8,
    DATABASE_CONNECTIONS: undefined,
    DATABASE_MAX_CONNECTIONS: undefined,
    REDIS_URL: spec.redisUrl,
    REDIS_PREFIX: spec.prefix,
    MEDIAGATE_CONFIG: 'told by each test',
    CHANNEL_ALLOW_ORIGINS: [],
    MEDIAGATE_SEALING_SECRET: SEALING_SECRET,
    MEDIAGATE_PREVIOUS_SEALING_SECRET: undefined,
    MEDIAGATE_HOME: spec.home,
    STORAGE_MIN_FREE_MB: 1,
    WORK_FOLDER: spec.workFolder,
    WORK_FOLDER_MB: 2048,
    PUBLIC_BASE_URL: 'http://gateway.example',
    VENDOR_CALLBACK_BASE_URL: 'https://gateway.example/',
    MEDIAGATE_LINK_SECRET: 'a-secret-of-some-length',
    MEDIAGATE_PREVIOUS_LINK_SECRET: undefined,
    MEDIAGATE_SIGNING_CERTIFICATE: spec.signing?.certificate,
    MEDIAGATE_SIGNING_KEY: spec.signing?.key,
    MEDIAGATE_SIGNING_REVOCATIONS: undefined,
    WORKER_CONCURRENCY: spec.concurrency,
    FFMPEG_PATH: undefined,
    LEASE_SECONDS: spec.leaseMs / 1000,
  };
}

const QUOTA = { storedBytes: 0, storedFiles: 0, dayBytes: 0, dayFiles: 0 };

function settingsOf({
  channels,
  closedChannels = [],
  marks = 'off',
  unmarked = 'deliver',
  fingerprints = 'off',
}: WorkerSpec): Settings {
  return {
    digest: 'of no file',
    channels: channels.map(toChannel),
    closedChannels: closedChannels.map(toChannel),
    channelSources: new Map([...channels, ...closedChannels].map((channel) => [channel.id, asSource(channel)])),
    sectionSources: {},
    prices: new Map(),
    webhooks: { retryDelaysSeconds: [], timeoutSeconds: 1, allowPorts: [], allowPrivateCidrs: [], allowOrigins: [] },
    media: {
      allowPrivateCidrs: [],
      allowPorts: [80, 443],
      maxImageMb: 20,
      downloadTimeoutSeconds: 60,
      maxVideoMb: 512,
      marks,
      unmarked,
      fingerprints,
      fingerprintDays: 90,
    },
    uploads: { account: QUOTA, key: QUOTA },
    storage: { driver: 'filesystem' },
  };
}

function genericAdapters({ http }: { http: HttpClient }) {
  const polled = (['never', 'idempotent', 'lookup'] as const).map((after) => createGenericAdapter(http, after));
  return new Map([...polled, createSynchronousAdapter(http)].map((adapter) => [adapter.protocol, adapter]));
}
