import crypto, { scryptSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UserRights } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { type Logger, ProcessScope } from '@mediagate/host';
import { createAccount, createUser } from '@mediagate/identity';
import { openQueues, type Queues } from '@mediagate/queue';
import { openTestDatabase, testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import type { ProcessAddress } from '../src/health/process-addresses';
import type { SignInLimitOptions } from '../src/session/sign-in-limit';
import { type ConsoleOptions, startConsole } from '../src/start-console';

export interface TestConsoleOptions {
  processes?: ProcessAddress[];
  limit?: SignInLimitOptions;
  config?: Partial<ConsoleOptions['config']>;
  pageDirectory?: string;
}

const UNHURRIED = { burst: 100_000, everyMs: 1, maxWaitMs: 0, visitMs: 1 };
/** Every pace of the sign-in, as if there were none. */
export const NO_LIMIT = {
  address: UNHURRIED,
  network: UNHURRIED,
  user: UNHURRIED,
  userTurns: UNHURRIED,
  strangers: UNHURRIED,
  known: UNHURRIED,
  device: UNHURRIED,
  invited: UNHURRIED,
} satisfies SignInLimitOptions;

export interface LogLine {
  event: string;
  [field: string]: unknown;
}

/** The console as it runs, on a port of its own, over the deployment's database and Redis. */
export interface TestConsole {
  origin: string;
  log: LogLine[];
  /** Follows no redirect. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  signIn(given: Record<string, unknown>, headers?: Record<string, string>): Promise<Response>;
  /** Signs in with the password of all users of these tests. */
  openSession(email: string): Promise<TestSession>;
  stop(): Promise<void>;
}

export interface TestSession {
  cookie: string;
  csrf: string;
  userId: string;
  /** Asks as the page does: JSON, with the token against forged requests. */
  ask(method: string, path: string, body?: unknown): Promise<Response>;
}

export interface RequestOptions {
  method?: string;
  cookie?: string | undefined;
  headers?: Record<string, string>;
  body?: string | undefined;
}

export const PASSWORD = 'correct horse battery';
const PEPPER = 'pepper of these tests';

/** Everything that the consoles of a test share. */
export interface Deployment {
  database: Database;
  pepper: string;
  queues: Queues;
  gateway: FakeGateway;
  startConsole(options?: TestConsoleOptions): Promise<TestConsole>;
  /** Adds a user with the password above. */
  addUser(email: string, rights: UserRights): Promise<string>;
  addAccount(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Stands in the gateway's place: it notes what it is asked, and answers as the test says. */
export interface FakeGateway {
  url: string;
  asked: IncomingMessage[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}

export async function startDeployment(): Promise<Deployment> {
  const hashing = hashCheaply();
  const { databaseUrl, database, close } = await openTestDatabase(5);
  const prefix = uniquePrefix();
  const queues = openQueues({ redisUrl: testRedisUrl(), prefix });
  const { server, gateway } = await startFakeGateway();
  const consoles: TestConsole[] = [];
  return {
    database,
    pepper: PEPPER,
    queues,
    gateway,
    async startConsole(options = {}) {
      const started = await startTestConsole({ databaseUrl, prefix, gatewayUrl: gateway.url }, options);
      consoles.push(started);
      return started;
    },
    async addUser(email, rights) {
      const made = await createUser(database, { email, name: email.split('@')[0] ?? '', rights }, BY_TEST);
      if (made.kind !== 'changed') throw new Error(`no user was made: ${made.kind}`);
      await database.user.update({ where: { id: made.row.subject }, data: { passwordHash: CHEAP_HASH } });
      return made.row.subject;
    },
    async addAccount(name) {
      return (await createAccount(database, { name, webhookSecret: 'whsec_test' })).id;
    },
    async stop() {
      await Promise.all(consoles.map((each) => each.stop()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await queues.close();
      await close();
      hashing.mockRestore();
    },
  };
}

/** A sign-in compares four passwords, each of which takes a quarter of a second of CPU as users' passwords are hashed. */
function hashCheaply() {
  const { scrypt } = crypto;
  type Hash = (...args: Parameters<typeof scrypt>) => void;
  const cheap: Hash = (password, salt, bytes, options, done) =>
    scrypt(password, salt, bytes, { ...options, N: CHEAP.N, p: CHEAP.p }, done);
  return jest.spyOn(crypto, 'scrypt').mockImplementation(cheap as typeof scrypt);
}

const CHEAP = { N: 2 ** 4, r: 8, p: 1 };
const BY_TEST = { actor: 'system' };

/** The hash of the password above that takes little work: these tests sign in often. */
const CHEAP_HASH = ['scrypt', 4, 8, 1, Buffer.alloc(16).toString('base64url'), cheapHash()].join('$');

function cheapHash(): string {
  return scryptSync(PASSWORD, Buffer.alloc(16), 32, CHEAP).toString('base64url');
}

async function startFakeGateway(): Promise<{ server: Server; gateway: FakeGateway }> {
  const gateway: FakeGateway = { url: '', asked: [], answer: (_request, response) => void response.end('{}') };
  const server = createServer((request, response) => {
    gateway.asked.push(request);
    gateway.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, gateway };
}

interface Around {
  databaseUrl: string;
  prefix: string;
  gatewayUrl: string;
}

async function startTestConsole(around: Around, options: TestConsoleOptions): Promise<TestConsole> {
  const log: LogLine[] = [];
  const scope = new ProcessScope(loggerTo(log));
  const { port } = await startConsole(scope, {
    config: { ...configOf(around, options), ...options.config },
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.pageDirectory === undefined ? {} : { pageDirectory: options.pageDirectory }),
  });
  const origin = `http://127.0.0.1:${port}`;
  const request: TestConsole['request'] = (path, { method = 'GET', cookie, headers = {}, body } = {}) =>
    fetch(`${origin}${path}`, {
      method,
      headers: { ...(cookie !== undefined && { cookie }), ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
  const signIn: TestConsole['signIn'] = (given, headers = {}) =>
    request('/session', {
      method: 'POST',
      body: JSON.stringify(given),
      headers: { 'content-type': 'application/json', origin, ...headers },
    });
  return {
    origin,
    log,
    request,
    signIn,
    async openSession(email) {
      const response = await signIn({ email, password: PASSWORD });
      if (response.status !== 200) throw new Error(`the sign-in was answered with ${await response.text()}`);
      return sessionOf(response, request, origin);
    },
    async stop() {
      await scope.drain();
      await scope.close();
    },
  };
}

export async function dataOf(response: Response): Promise<Record<string, unknown>> {
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

/** The session that a browser has after a sign-in. */
export async function sessionOf(
  response: Response,
  request: TestConsole['request'],
  origin: string,
): Promise<TestSession> {
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const { data } = (await response.json()) as { data: { csrf: string; user: { id: string } } };
  return {
    cookie,
    csrf: data.csrf,
    userId: data.user.id,
    ask: (method, path, body) =>
      request(path, {
        method,
        cookie,
        headers: { origin, 'x-csrf-token': data.csrf, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
  };
}

function configOf(around: Around, { processes = [] }: TestConsoleOptions): ConsoleOptions['config'] {
  return {
    CONSOLE_PORT: 0,
    HOST: '127.0.0.1',
    KEEP_ALIVE_SECONDS: 130,
    CONSOLE_PUBLIC_URL: undefined,
    CONSOLE_TRUSTED_PROXIES: 0,
    CONSOLE_SECRET: 'secret of the consoles of these tests',
    CONSOLE_PREVIOUS_SECRET: undefined,
    CONSOLE_HEALTH_URLS: processes.map(({ name, url }) => `${name}=${url}`),
    CONSOLE_MEDIA_ORIGINS: [],
    OIDC_ISSUER: undefined,
    OIDC_CLIENT_ID: undefined,
    OIDC_CLIENT_SECRET: undefined,
    OIDC_SCOPES: 'openid email profile',
    OIDC_ROLE_CLAIM: undefined,
    OIDC_ROLES: [],
    OIDC_TRUST_EMAIL: false,
    GATEWAY_URL: around.gatewayUrl,
    ADMIN_GATEWAY_URL: undefined,
    PUBLIC_BASE_URL: 'https://api.example',
    DATABASE_URL: around.databaseUrl,
    DATABASE_POOL_SIZE: 3,
    DATABASE_CONNECTIONS: undefined,
    DATABASE_MAX_CONNECTIONS: undefined,
    MEDIAGATE_KEY_PEPPER: PEPPER,
    REDIS_URL: testRedisUrl(),
    REDIS_PREFIX: around.prefix,
  };
}

function loggerTo(log: LogLine[]): Logger {
  const write = (event: string, fields: object = {}) => void log.push({ event, ...fields });
  const logger: Logger = { info: write, warn: write, error: write, debug: write, child: () => logger };
  return logger;
}
