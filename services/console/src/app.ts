import { join } from 'node:path';
import type { Logger } from '@mediagate/host';
import type { QueueCounts, QueueViews } from '@mediagate/queue';
import express, { type Express, type Request, type Response } from 'express';
import { boundPages } from './board/bounded-pages';
import { createBoard } from './board/bull-board';
import type { ProcessHealth } from './health/probe-process';
import { answerFault } from './http/answer-fault';
import { requireKnownHost } from './http/known-host';
import { requireSameOrigin } from './http/same-origin';
import { securityHeaders } from './http/security-headers';
import { createCookie } from './login/cookie';
import type { CheckCredentials } from './login/credentials';
import type { KnownDevices } from './login/known-devices';
import type { LoginLimit } from './login/login-limit';
import { createLoginRoutes } from './login/login-routes';
import { requireLogin, userOf } from './login/require-login';
import { SESSION_MAX_AGE_MS, type Sessions } from './login/sessions';
import { healthPage } from './pages/health-page';

export interface AppDeps {
  queues: Pick<QueueViews, 'queues' | 'counts'>;
  probeProcesses(): Promise<ProcessHealth[]>;
  checkCredentials: CheckCredentials;
  limit: LoginLimit;
  devices: KnownDevices;
  sessions: Sessions;
  logger: Logger;
  /** Where browsers reach the console; absent: plain http, on loopback. */
  publicUrl?: string | undefined;
  trustedProxies?: number;
}

const BOARD_PATH = '/queues';
/** A browser that logs in once in half a year is known. */
const DEVICE_MAX_AGE_MS = 180 * 86_400_000;
const ASSETS = join(__dirname, 'assets');

/** The pages, in the order in which a request passes: what stands above `requireLogin` is open to everybody. */
export function createApp(deps: AppDeps): Express {
  const { publicUrl, sessions, logger } = deps;
  const https = publicUrl?.startsWith('https:') ?? false;
  const cookie = createCookie('mediagate-console', { secure: https, maxAgeMs: SESSION_MAX_AGE_MS });
  const deviceCookie = createCookie('mediagate-console-device', { secure: https, maxAgeMs: DEVICE_MAX_AGE_MS });

  const app = express();
  app
    .disable('x-powered-by')
    .set('trust proxy', deps.trustedProxies ?? 0)
    .set('query parser', 'simple');
  app.use(securityHeaders({ https, boardPath: BOARD_PATH }));
  app.use(requireKnownHost(publicUrl));
  app.use(requireSameOrigin(publicUrl));
  app.use('/assets', express.static(ASSETS, { index: false, cacheControl: false, redirect: false }));
  app.use(createLoginRoutes({ ...deps, cookie, deviceCookie }));
  app.use(requireLogin(sessions, cookie));
  app.get('/', (request, response) => showHealth(request, response, deps));
  app.use(BOARD_PATH, boundPages, createBoard(deps.queues.queues, BOARD_PATH, logger));
  app.use((_request, response) => void response.status(404).type('text/plain').send('There is no such page.\n'));
  app.use(answerFault(logger));
  return app;
}

async function showHealth(request: Request, response: Response, deps: AppDeps): Promise<void> {
  const [processes, queues] = await Promise.all([deps.probeProcesses(), countsIfThere(deps)]);
  const refreshes = request.query['live'] === '1';
  response.send(healthPage({ processes, queues, asOf: new Date() }, { user: userOf(response), refreshes }));
}

/** Without Redis the page still shows the processes; that is what one opens it for then. */
async function countsIfThere({ queues, logger }: AppDeps): Promise<QueueCounts[] | undefined> {
  try {
    return await queues.counts();
  } catch (error) {
    logger.debug('console.queues_unreadable', { error });
    return undefined;
  }
}
