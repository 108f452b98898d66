import type { Logger } from '@mediagate/host';
import { openQueues, openQueueViews, type Queues } from '@mediagate/queue';
import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { createApp } from '../src/app';
import { probeProcesses } from '../src/health/probe-process';
import type { ProcessAddress } from '../src/health/process-addresses';
import { createCredentialCheck } from '../src/login/credentials';
import { createKnownDevices } from '../src/login/known-devices';
import { createLoginLimit, type LoginLimitOptions } from '../src/login/login-limit';
import { createSessions, type SessionOptions } from '../src/login/sessions';
import { listen } from '../src/server';

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
  const views = openQueueViews({ redisUrl, prefix });
  const queues = openQueues({ redisUrl, prefix });
  const log: LogLine[] = [];
  const app = createApp({
    queues: views,
    probeProcesses: () => probeProcesses(options.processes ?? []),
    checkCredentials: await createCredentialCheck({ user: USER, password: PASSWORD }),
    limit: createLoginLimit(options.limit),
    devices: await createKnownDevices(PASSWORD),
    sessions: createSessions(options.sessions),
    logger: loggerTo(log),
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxies ?? 0,
  });
  const server = await listen(app, { port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${server.port}`;

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
      await server.drain();
      await queues.close();
      await views.close();
    },
  };
}

function loggerTo(log: LogLine[]): Logger {
  const write = (event: string, fields: object = {}) => void log.push({ event, ...fields });
  const logger: Logger = { info: write, warn: write, error: write, debug: write, child: () => logger };
  return logger;
}
