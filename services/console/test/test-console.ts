import { type Logger, ProcessScope } from '@mediagate/host';
import { openQueues, type Queues } from '@mediagate/queue';
import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import type { ProcessAddress } from '../src/health/process-addresses';
import type { LoginLimitOptions } from '../src/login/login-limit';
import type { SessionOptions } from '../src/login/sessions';
import { startConsole } from '../src/start-console';

export interface TestConsoleOptions {
  processes?: ProcessAddress[];
  publicUrl?: string;
  trustedProxies?: number;
  limit?: LoginLimitOptions;
  sessions?: SessionOptions;
  redisUrl?: string;
}

export interface LogLine {
  event: string;
  [field: string]: unknown;
}

/** The console as it runs, on a port of its own, with queues of its own in a real Redis. */
export interface TestConsole {
  origin: string;
  /** Of the deployment that it looks at. */
  queues: Queues;
  log: LogLine[];
  /** Follows no redirect. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  /** As the login form does it. */
  logIn(credentials?: { user?: string; password?: string }, headers?: Record<string, string>): Promise<Response>;
  /** Logs in and returns the cookie as a browser sends it back. */
  openSession(): Promise<string>;
  /** Logs in and returns what shows later that this browser did, as it sends it back. */
  knownDevice(): Promise<string>;
  stop(): Promise<void>;
}

export interface RequestOptions {
  method?: string;
  cookie?: string;
  headers?: Record<string, string>;
  body?: string;
}

export const USER = 'operator';
export const PASSWORD = 'correct horse battery';
const FORM = 'application/x-www-form-urlencoded';

export async function startTestConsole(options: TestConsoleOptions = {}): Promise<TestConsole> {
  const prefix = uniquePrefix();
  const redisUrl = options.redisUrl ?? testRedisUrl();
  const queues = openQueues({ redisUrl, prefix });
  const log: LogLine[] = [];
  const scope = new ProcessScope(loggerTo(log));
  const { port } = await startConsole(scope, {
    config: {
      CONSOLE_PORT: 0,
      HOST: '127.0.0.1',
      CONSOLE_PUBLIC_URL: options.publicUrl,
      CONSOLE_TRUSTED_PROXIES: options.trustedProxies ?? 0,
      CONSOLE_USER: USER,
      CONSOLE_PASSWORD: PASSWORD,
      CONSOLE_HEALTH_URLS: (options.processes ?? []).map(({ name, url }) => `${name}=${url}`),
      REDIS_URL: redisUrl,
      REDIS_PREFIX: prefix,
    },
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.sessions === undefined ? {} : { sessions: options.sessions }),
  });
  const origin = `http://127.0.0.1:${port}`;

  function request(path: string, { method = 'GET', cookie, headers = {}, body }: RequestOptions = {}) {
    const all = { accept: 'text/html', ...(cookie !== undefined && { cookie }), ...headers };
    return fetch(`${origin}${path}`, {
      method,
      headers: all,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
  }
  const logIn: TestConsole['logIn'] = ({ user = USER, password = PASSWORD } = {}, headers = {}) =>
    request('/login', {
      method: 'POST',
      body: new URLSearchParams({ user, password }).toString(),
      headers: { 'content-type': FORM, origin, ...headers },
    });

  return {
    origin,
    queues,
    log,
    request,
    logIn,
    async openSession() {
      const response = await logIn();
      const [cookie] = response.headers.getSetCookie();
      if (cookie === undefined) throw new Error(`the login was answered with ${response.status}`);
      return cookie.split(';')[0] ?? '';
    },
    async knownDevice() {
      const cookies = (await logIn()).headers.getSetCookie();
      return cookies.find((cookie) => cookie.includes('-device='))?.split(';')[0] ?? '';
    },
    async stop() {
      await scope.drain();
      await scope.close();
      await queues.close();
    },
  };
}

function loggerTo(log: LogLine[]): Logger {
  const write = (event: string, fields: object = {}) => void log.push({ event, ...fields });
  const logger: Logger = { info: write, warn: write, error: write, debug: write, child: () => logger };
  return logger;
}
