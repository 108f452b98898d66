import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, createFinisher, createKey, type NewKey, topUp } from '@mediagate/billing';
import { createPriceBook, loadCatalogue } from '@mediagate/catalog';
import { createChannelChooser } from '@mediagate/channels';
import { decimalToNano, type JsonObject } from '@mediagate/contracts';
import { type Database, openDatabase } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import { createLogger, type Logger } from '@mediagate/host';
import { createMessages, type Translator } from '@mediagate/languages';
import { type LiveTiming, openLiveReceiver } from '@mediagate/live';
import {
  createFilesystemStorage,
  createLinks,
  createMediaStore,
  type MediaStore,
  type UploadQuotas,
} from '@mediagate/media';
import { openQueues, type Queues } from '@mediagate/queue';
import { type Channel, MODERATION_MODEL, openSettings } from '@mediagate/settings';
import { createTaskReader } from '@mediagate/tasks';
import { createTestDatabase, testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { createGeminiText, createHttpClient, createModerator, createStreamingClient } from '@mediagate/upstreams';
import { Registry } from 'prom-client';
import { assembleApp } from '../src/assemble-app';
import type { BodyPace } from '../src/http/body-pace';
import { createRequestScopes } from '../src/http/request-scope';
import { createShutdown } from '../src/http/shutdown';
import { createOfferedModels } from '../src/offered-models';
import { openRateLimitStore } from '../src/rate-limit-store';
import type { SpeechLimits } from '../src/request-limits';
import { listen } from '../src/server';
import { createReviewContent } from '../src/use-cases/review-content';
import { createSpeeches, type Speeches } from '../src/use-cases/speech/speeches';
import { createSettlements } from '../src/use-cases/text/settlements';
import { createTextChannels } from '../src/use-cases/text/text-channels';
import { requireDocumentedError } from './documented-error';

/** The first file of a run waits until PostgreSQL has been set up. */
const SETUP_TIMEOUT_MS = 60_000;
jest.setTimeout(SETUP_TIMEOUT_MS);

export const catalogue = loadCatalogue();

const PEPPER = 'a pepper for tests only';
const LINK_SECRET = 'a link secret for tests only';
/** More than any test asks for, so that limits show only where they are tested. */
const NO_LIMIT = 1_000_000;

/** The one private origin that webhooks may name. */
export const ALLOWED_WEBHOOK_ORIGIN = 'http://127.0.0.1:9000';

export interface Caller {
  key: string;
  keyId: string;
  accountId: string;
}

export interface CallerOptions extends Omit<NewKey, 'accountId'> {
  /** Currency units, as a decimal. */
  balance?: string;
  accountId?: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came and compares it
  body: any;
}

export interface TestApi {
  url: string;
  database: Database;
  databaseUrl: string;
  mediaStore: MediaStore;
  queues: Queues;
  redisPrefix: string;
  speeches: Speeches;
  createCaller(options?: CallerOptions): Promise<Caller>;
  get(path: string, init?: RequestInit & { key?: string }): Promise<Answer>;
  post(path: string, body: unknown, init?: RequestInit & { key?: string }): Promise<Answer>;
  /** As at a reload of the configuration that brought the channels of texts anew: what had failed is forgotten. */
  renewTextChannels(): void;
  /** Rows of every table that a submission could write, and stored files. */
  countRows(): Promise<Record<string, number>>;
  /** As at a shutdown: serves nobody any more, and everything that was in hand is written. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

const AMPLE_QUOTA = { storedBytes: 1e9, storedFiles: 1e6, dayBytes: 1e9, dayFiles: 1e6 };

export interface TestApiOptions {
  /** Default: ample. */
  uploadQuotas?: UploadQuotas;
  /** Default: 20 MiB. */
  maxImageBytes?: number;
  /** Of the application alone: the test itself keeps to the sound ones. */
  redisUrl?: string;
  databaseUrl?: string;
  /** Models that some channel serves, asked for at every request; default all of the catalogue. */
  served?: () => readonly string[];
  logger?: Logger;
  /** Of messages that the translation files do not have; absent: there is none. */
  translator?: Translator;
  /** Of an upstream that reviews content; absent: there is none. */
  moderationsUrl?: string;
  /** Of speech: how fast who is silent is given up, and how long what may take. */
  liveTiming?: Partial<LiveTiming>;
  speechLimits?: Partial<SpeechLimits>;
  /** Channels of the native text protocol; default none. */
  textChannels?: readonly Channel[];
  slotWaitMs?: number;
  idleTimeoutMs?: number;
  bodyPace?: Partial<BodyPace>;
  /** What a shutdown leaves requests in hand. */
  drainTimeoutMs?: number;
}

/** The real application on a port of its own, over a database, a Redis prefix and a folder of its own. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const testDatabase = await createTestDatabase();
  const { databaseUrl } = testDatabase;
  const root = await mkdtemp(join(tmpdir(), 'mediagate-api-'));
  const logger = options.logger ?? createLogger({ service: 'api', level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const open = (url: string) =>
    openDatabase({ ...{ url, poolSize: 10, statementTimeoutMs: 3000 }, applicationName: 'api-test' });
  const database = open(databaseUrl);
  const served = options.databaseUrl === undefined ? database : open(options.databaseUrl);
  const redisUrl = options.redisUrl ?? testRedisUrl();
  const prefix = uniquePrefix();
  const queues = openQueues({ redisUrl, prefix });
  const redis = openRateLimitStore(redisUrl, logger);
  const live = openLiveReceiver({ redisUrl, prefix, timing: options.liveTiming ?? {} });
  const speeches = createSpeeches({
    ...{ live, queues, logger, limits: options.speechLimits ?? {} },
    ...{ finish: createFinisher(served), readTask: createTaskReader(served) },
  });
  const publicBaseUrl = 'http://127.0.0.1:8080';
  const links = createLinks({ publicBaseUrl, secret: LINK_SECRET });
  const mediaStore = createMediaStore({ database, storage: await createFilesystemStorage({ root }), links });
  const http = createHttpClient();
  const moderator = createModerator(http);
  const streams = createStreamingClient();
  const metrics = new Registry();
  const settlements = createSettlements({
    ...{ finish: createFinisher(served), readTask: createTaskReader(served), logger, metrics },
  });
  const chooser = createChannelChooser(options.textChannels ?? []);
  const shutdown = createShutdown();
  const scopes = createRequestScopes({ logger, metrics });
  const app = assembleApp({
    ...{ settlements, shutdown, scopes },
    bodyPace: { timeoutMs: 60_000, periodMs: 10_000, ...options.bodyPace },
    textChannels: createTextChannels({ channels: chooser, upstream: createGeminiText(streams) }),
    reviewContent: createReviewContent({ moderator, logger, channels: () => reviewers(options.moderationsUrl) }),
    ...{ database: served, queues, redis, redisPrefix: prefix, mediaStore, speeches, links, logger, publicBaseUrl },
    maxImageBytes: options.maxImageBytes ?? 20 * 1024 * 1024,
    client: createGuardedClient({ allowPrivateCidrs: [], allowPorts: [80, 443], allowOrigins: [] }),
    webhookClient: createGuardedClient({
      ...{ allowPrivateCidrs: [], allowPorts: [80, 443], allowOrigins: [ALLOWED_WEBHOOK_ORIGIN] },
    }),
    messages: createMessages(options.translator && { translator: options.translator }),
    models: () => createOfferedModels(catalogue, channelsFor(options.served?.()), createPriceBook()),
    uploadQuotas: () => options.uploadQuotas ?? { account: AMPLE_QUOTA, key: AMPLE_QUOTA },
    ...{ metrics, pepper: PEPPER, ...(options.slotWaitMs === undefined ? {} : { slotWaitMs: options.slotWaitMs }) },
    creditsPerUnit: 10,
    legacyPrefix: 'mj',
  });
  const server = await listen(app, {
    ...{ port: 0, host: '127.0.0.1', shutdown },
    ...(options.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: options.idleTimeoutMs }),
    ...(options.drainTimeoutMs === undefined ? {} : { drainTimeoutMs: options.drainTimeoutMs }),
  });
  const url = `http://127.0.0.1:${server.port}`;

  async function send(path: string, init: RequestInit, key: string | undefined): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const body = isJson && text !== '' ? JSON.parse(text) : text;
    if (response.status >= 400 && init.method !== 'HEAD') requireDocumentedError(response.status, body);
    return { status: response.status, headers: response.headers, body };
  }

  async function drain(): Promise<void> {
    await server.drain();
    await settlements.drain(5000);
  }

  return {
    ...{ url, database, databaseUrl, mediaStore, queues, redisPrefix: prefix, speeches },
    createCaller: (caller) => createCaller(database, caller),
    get: (path, { key, ...init } = {}) => send(path, init, key),
    post(path, body, { key, ...init } = {}) {
      const raw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array;
      const headers = new Headers(init.headers);
      if (!(body instanceof FormData) && !headers.has('content-type')) headers.set('content-type', 'application/json');
      return send(
        path,
        { method: 'POST', ...init, headers, body: raw ? (body as FormData) : JSON.stringify(body) },
        key,
      );
    },
    renewTextChannels() {
      chooser.replace([]);
      chooser.replace(options.textChannels ?? []);
    },
    countRows: () => countRows(database, root),
    drain,
    async stop() {
      await drain();
      await streams.close();
      http.close();
      await live.close();
      await queues.close();
      redis.disconnect();
      if (served !== database) await served.close();
      await database.close();
      await rm(root, { recursive: true, force: true });
      await testDatabase.drop();
    },
  };
}

function reviewers(baseUrl: string | undefined): Channel[] {
  if (baseUrl === undefined) return [];
  return [
    {
      ...{ id: 'reviewer', protocol: 'openai-moderations', baseUrl, apiKey: 'a-key', priority: 1, weight: 1 },
      ...{ models: new Map([[MODERATION_MODEL, 'omni-moderation-latest']]), maxConcurrency: undefined, options: {} },
    },
  ];
}

/** The channels of the simulator's configuration, for the models that are served; nothing is called. */
function channelsFor(served?: readonly string[]): Channel[] {
  return SIMULATED.map((channel) => ({
    ...channel,
    models: new Map([...channel.models].filter(([id]) => served?.includes(id) ?? true)),
  })).filter(({ models }) => models.size > 0);
}

const SIMULATED = openSettings(
  join(__dirname, '../../../deploy/config/simulator.yaml'),
  new Proxy({}, { get: (_, name) => (String(name).endsWith('_KEY') ? 'none' : 'http://127.0.0.1:9') }),
).settings.channels;

async function createCaller(database: Database, options: CallerOptions = {}): Promise<Caller> {
  const { balance = '1000', accountId, ...key } = options;
  const id = accountId ?? (await createFundedAccount(database, balance));
  const limits = { submitPerMinute: NO_LIMIT, queryPerMinute: NO_LIMIT };
  const issued = await createKey(database, PEPPER, { ...limits, ...key, accountId: id });
  return { key: issued.key, keyId: issued.id, accountId: id };
}

async function createFundedAccount(database: Database, balance: string): Promise<string> {
  const { id } = await createAccount(database, { name: 'test', webhookSecret: 'whsec_dGVzdA==' });
  const amountNano = decimalToNano(balance) ?? 0n;
  if (amountNano > 0n) await topUp(database, { accountId: id, amountNano });
  return id;
}

const TABLES = ['tasks', 'reservations', 'ledger_entries', 'idempotency_keys', 'media_objects', 'webhook_deliveries'];

async function countRows(database: Database, root: string): Promise<Record<string, number>> {
  const text = `select ${TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`;
  const [rows] = await database.query<Record<string, number>>({ name: 'test.count_rows', text }, []);
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  return { ...rows, files: files.filter((file) => file.isFile()).length };
}

/** A body that every image model takes, for little money. */
export const SMALL_IMAGE: JsonObject = {
  model: 'imagegen-2.5-flare',
  prompt: 'a lighthouse',
  size: '1:1',
  quality: 'low',
};

/** The most that `SMALL_IMAGE` can cost, in nano-units. */
export function smallImagePrice(): bigint {
  const entry = catalogue.find('imagegen-2.5-flare');
  const parsed = entry?.parse(SMALL_IMAGE);
  if (!entry || !parsed?.ok) throw new Error('the sample body must parse');
  return entry.reserve(parsed.input, createPriceBook().ratesOf(entry, parsed.input));
}
