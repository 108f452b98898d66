import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFinisher, type FinishRequest, topUp } from '@mediagate/billing';
import { type Catalogue, createCatalogue, createPriceBook } from '@mediagate/catalog';
import { decimalToNano, type JsonObject, type OperatorRole, type TaskId } from '@mediagate/contracts';
import { type Database, openDatabase } from '@mediagate/database';
import { createLogger, type Logger, ProcessScope } from '@mediagate/host';
import { createAccount, createKey, createOperator, type NewKey } from '@mediagate/identity';
import type { Translator } from '@mediagate/languages';
import { type MediaStore, openMediaStore, type UploadQuotas } from '@mediagate/media';
import { openQueues, type Queues } from '@mediagate/queue';
import { type Channel, createPartReader, MODERATION_MODEL, type Settings } from '@mediagate/settings';
import {
  createAnswerRecord,
  createTestDatabase,
  PATIENCE,
  runSql,
  testRedisUrl,
  uniquePrefix,
} from '@mediagate/testkit';
import type { ApiTimes } from '../src/api-options';
import type { ApiConfig } from '../src/config';
import type { WaitLimits } from '../src/request-limits';
import { type RunningApi, startApi } from '../src/start-api';
import { requireDocumentedError } from './documented-error';
import { seeAnswers } from './see-answers';
import { ANY_VARIABLE, catalogue, judgeAnswer, LEGACY_PREFIX, SIMULATED } from './shared/known-api';
import { testChannel } from './test-channel';

/** Every answer of every test is what the operation table says of it. */
const answers = createAnswerRecord(judgeAnswer);
afterEach(() => answers.requireDescribed());

export const LINK_SECRET = 'a link secret for tests only';
export const FORMER_LINK_SECRET = 'the link secret before that one';
export const PEPPER = 'a pepper for tests only';
export const FORMER_PEPPER = 'the pepper before that one';
const PUBLIC_BASE_URL = 'http://127.0.0.1:8080';
/** A limit above what any test asks for, so that limits show only where they are tested. */
const NO_LIMIT = 1_000_000;

/** Settings that are the same for every test. */
const CONFIG = {
  PORT: 0,
  ADMIN_PORT: undefined,
  HOST: '127.0.0.1',
  PUBLIC_BASE_URL,
  OWN_HOSTS: [],
  API_POOL_SIZE: 10,
  DATABASE_CONNECTIONS: undefined,
  DATABASE_MAX_CONNECTIONS: undefined,
  KEEP_ALIVE_SECONDS: 130,
  BODY_PERIOD_SECONDS: 10,
  FFMPEG_PATH: undefined,
  SPEECH_LISTEN: '127.0.0.1:0',
  SPEECH_ADVERTISE: undefined,
  DISPATCH_WINDOW: 500,
  TEXT_CONNECTIONS: 256,
  MEDIAGATE_CONFIG: 'told by each test',
  MEDIAGATE_LINK_SECRET: LINK_SECRET,
  MEDIAGATE_PREVIOUS_LINK_SECRET: FORMER_LINK_SECRET,
  MEDIAGATE_KEY_PEPPER: PEPPER,
  MEDIAGATE_PREVIOUS_KEY_PEPPER: FORMER_PEPPER,
  CHANNEL_ALLOW_ORIGINS: [],
  CALLBACK_ALLOW_ORIGINS: [],
  MEDIAGATE_SEALING_SECRET: 'a sealing secret for tests alone',
  MEDIAGATE_PREVIOUS_SEALING_SECRET: undefined,
  IMGTOOL_LEGACY_PREFIX: LEGACY_PREFIX,
  CREDITS_PER_UNIT: 10,
} satisfies Partial<ApiConfig>;

/** The one private origin that webhooks may name. */
export const ALLOWED_ORIGIN = 'http://127.0.0.1:9000';

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
  /** Address of the operators’ API, if that has a port of its own. */
  adminUrl?: string;
  database: Database;
  databaseUrl: string;
  mediaStore: MediaStore;
  queues: Queues;
  redisPrefix: string;
  speeches: RunningApi['speeches'];
  createCaller(options?: CallerOptions): Promise<Caller>;
  /** A new token of this role. */
  createOperator(role: OperatorRole): Promise<string>;
  get(path: string, init?: RequestInit & { key?: string }): Promise<Answer>;
  post(path: string, body: unknown, init?: RequestInit & { key?: string }): Promise<Answer>;
  /** Changes settings like a reload of the operator's file; all others are as they were at the start. */
  configure(changed: SettingsOptions): void;
  /** Takes every channel out and puts it in again: what had failed is forgotten. */
  renewChannels(): void;
  /** Ends the task, whoever has it. */
  end(taskId: string, outcome: FinishRequest['outcome']): ReturnType<ReturnType<typeof createFinisher>>;
  /** Rows of every table that a submission could write, and stored files. */
  countRows(): Promise<Record<string, number>>;
  /** Names of those for which the process is not ready. */
  failingChecks(): Promise<string[]>;
  /** Drains like a shutdown: serves nobody any more, and writes everything that was in flight. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Times for a Redis that answers, however busy the machine is. */
const PATIENT: ApiTimes = { redisStartMs: 60_000, rateLimitMs: 60_000 };

const AMPLE_QUOTA = { storedBytes: 1e9, storedFiles: 1e6, dayBytes: 1e9, dayFiles: 1e6 };

/** The test's changes to the operator's file. */
export interface SettingsOptions {
  /** Default: ample. */
  uploadQuotas?: UploadQuotas;
  /** Default: 20. */
  maxImageMb?: number;
  /** Models that some channel serves; default all of the catalogue but texts. */
  served?: readonly string[];
  /** Address of an upstream that reviews content; absent: there is none. */
  moderationsUrl?: string;
  /** Private origins that callbacks may go to, beside `ALLOWED_ORIGIN`. */
  webhookOrigins?: readonly string[];
  /** Channels of the native text protocol; default none. */
  textChannels?: readonly Channel[];
  /** A file that describes models, with the channels that serve them; default none. */
  described?: Pick<Settings, 'models' | 'channels'>;
  /** Default: a folder. */
  storage?: Settings['storage'];
}

export interface TestApiOptions extends SettingsOptions {
  /** Where files are kept; default: a folder of its own. */
  home?: string;
  /** The operators’ API has a port of its own. */
  separateAdmin?: true;
  /** The application's own Redis and database; the test itself keeps to the sound ones. */
  redisUrl?: string;
  databaseUrl?: string;
  /** The database of application and test; default: one of their own. */
  booksUrl?: string;
  logger?: Logger;
  /** Origins whose pages may call every route; absent: none. */
  pageOrigins?: string[];
  /** Translates texts that are not the platform's own; absent: there is none. */
  translator?: Translator;
  times?: ApiTimes;
  /** Limits of callers who wait for a task. */
  waits?: WaitLimits;
  /** Connections to one vendor. */
  textConnections?: number;
  /** Default: the process's own. */
  workFolder?: string;
  /** Default: there is no ffmpeg. */
  ffmpegPath?: string;
}

/** The real application on a port of its own, over a database, a Redis prefix and a folder of its own. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const testDatabase = await createTestDatabase();
  const { booksUrl: databaseUrl = testDatabase.databaseUrl } = options;
  const home = await mkdtemp(join(tmpdir(), 'mediagate-api-'));
  const logger = options.logger ?? createLogger({ service: 'api', level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const config: ApiConfig = {
    ...CONFIG,
    DATABASE_URL: options.databaseUrl ?? databaseUrl,
    REDIS_URL: options.redisUrl ?? testRedisUrl(),
    REDIS_PREFIX: uniquePrefix(),
    MEDIAGATE_HOME: options.home ?? home,
    STORAGE_MIN_FREE_MB: 1,
    WORK_FOLDER: options.workFolder,
    ...(options.separateAdmin ? { ADMIN_PORT: 0 } : {}),
    ...(options.ffmpegPath ? { FFMPEG_PATH: options.ffmpegPath } : {}),
    ...(options.textConnections ? { TEXT_CONNECTIONS: options.textConnections } : {}),
    CORS_ORIGINS: options.pageOrigins ?? [],
  };
  const { REDIS_PREFIX: redisPrefix } = config;
  let settings = settingsOf(options);
  const scope = new ProcessScope(logger);
  /** Protocols of the vendors that the process calls itself, as in production. */
  const keysOf = new Set<string>();
  const { app, port, adminPort, speeches } = await startApi(scope, {
    config,
    read(protocols) {
      for (const protocol of protocols) keysOf.add(protocol);
      return { settings, catalogue: catalogueOf(settings) };
    },
    reader: createPartReader(ANY_VARIABLE, { keysOf }),
    judge: createPartReader(ANY_VARIABLE, { keysOf: new Set() }),
    times: {
      ...(options.redisUrl === undefined ? PATIENT : { redisStartMs: 0 }),
      ...(options.databaseUrl === undefined ? { databaseConnectMs: PATIENCE.connectTimeoutMs } : {}),
      ...options.times,
    },
    ...(options.translator === undefined ? {} : { translator: options.translator }),
    ...(options.waits === undefined ? {} : { waits: options.waits }),
  });
  seeAnswers(app, (answer) => answers.see(answer));
  const url = `http://127.0.0.1:${port}`;
  const database = openDatabase({
    url: databaseUrl,
    poolSize: 10,
    ...PATIENCE,
    applicationName: 'test',
  });
  const queues = openQueues({ redisUrl: testRedisUrl(), prefix: redisPrefix });
  const ownScope = new ProcessScope(logger);
  const { storage } = settings;
  const mediaStore = await openMediaStore(ownScope, database, { storage, config, publicBaseUrl: PUBLIC_BASE_URL });

  function configure(changed: SettingsOptions): void {
    settings = settingsOf({ ...options, ...changed });
    scope.reload();
  }

  async function send(path: string, init: RequestInit, key: string | undefined): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const body = isJson && text !== '' ? JSON.parse(text) : text;
    if (response.status >= 400 && init.method !== 'HEAD') requireDocumentedError(response, body);
    return { status: response.status, headers: response.headers, body };
  }

  return {
    url,
    ...(adminPort === undefined ? {} : { adminUrl: `http://127.0.0.1:${adminPort}` }),
    database,
    databaseUrl,
    mediaStore,
    queues,
    redisPrefix,
    speeches,
    configure,
    createCaller: (caller) => createCaller(database, caller),
    async createOperator(role) {
      const { token } = await createOperator(database, PEPPER, { name: `of ${role}`, role }, { actor: 'test' });
      return token;
    },
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
    renewChannels() {
      configure({ served: [], textChannels: [] });
      configure({});
    },
    async end(id, outcome) {
      const { accountId } = await database.task.findUniqueOrThrow({ where: { id }, select: { accountId: true } });
      return createFinisher(database)({ taskId: id as TaskId, accountId, fence: 'any', outcome });
    },
    countRows: () => countRows(database, home),
    failingChecks: () => failingOf(scope.checks),
    drain: () => scope.drain(),
    async stop() {
      await scope.drain();
      await Promise.all([scope, ownScope].map((each) => each.close()));
      await queues.close();
      await database.close();
      await rm(home, { recursive: true, force: true });
      await testDatabase.drop();
      answers.requireDescribed();
    },
  };
}

async function failingOf(checks: ProcessScope['checks']): Promise<string[]> {
  const results = await Promise.all(
    [...checks].map(([name, check]) =>
      check().then(
        () => [],
        () => [name],
      ),
    ),
  );
  return results.flat();
}

/** The operator's file: that of the simulator, but that its channels lead nowhere, with what the test wants otherwise. */
function catalogueOf({ models = [] }: Settings): Catalogue {
  return models.length === 0 ? catalogue : createCatalogue([...catalogue.entries, ...models]);
}

function settingsOf({
  served,
  textChannels = [],
  described = { channels: [] },
  moderationsUrl,
  uploadQuotas,
  maxImageMb,
  webhookOrigins = [],
  storage = SIMULATED.storage,
}: SettingsOptions): Settings {
  const quotas = { account: AMPLE_QUOTA, key: AMPLE_QUOTA };
  return {
    ...SIMULATED,
    ...described,
    channels: [...channelsFor(served), ...described.channels, ...textChannels, ...reviewers(moderationsUrl)],
    uploads: uploadQuotas ?? quotas,
    storage,
    media: { ...SIMULATED.media, allowPrivateCidrs: [], allowPorts: [80, 443], maxImageMb: maxImageMb ?? 20 },
    webhooks: {
      ...SIMULATED.webhooks,
      allowPrivateCidrs: [],
      allowPorts: [80, 443],
      allowOrigins: [ALLOWED_ORIGIN, ...webhookOrigins],
    },
  };
}

function reviewers(baseUrl: string | undefined): Channel[] {
  if (baseUrl === undefined) return [];
  const models = new Map([[MODERATION_MODEL, 'omni-moderation-latest']]);
  return [testChannel('reviewer', { protocol: 'openai-moderations', baseUrl, models })];
}

/** Nobody calls them: what is called is named by the test. */
function channelsFor(served?: readonly string[]): Channel[] {
  return SIMULATED.channels
    .map((channel) => ({
      ...channel,
      models: new Map([...channel.models].filter(([id]) => served?.includes(id) ?? !CALLED_BY_THE_API.has(id))),
    }))
    .filter(({ models }) => models.size > 0);
}

const CALLED_BY_THE_API = new Set([
  MODERATION_MODEL,
  ...catalogue.entries.flatMap(({ id, family }) => (family === 'text' ? [id] : [])),
]);

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

/** One file says how the storage is laid out; others come and go as it is tried out, each 30 s, and pass through `incoming`. */
const IS_OF_STORAGE = /(?:^|\/)(?:objects-by-time|probe-[^/]*|incoming\/[^/]*|[^/]*\.probe)$/;

async function countRows(database: Database, root: string): Promise<Record<string, number>> {
  const text = `select ${TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`;
  const [rows] = await runSql<Record<string, number>>(database, text);
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const stored = files.filter((file) => file.isFile() && !IS_OF_STORAGE.test(join(file.parentPath, file.name)));
  return { ...rows, files: stored.length };
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
