import { join } from 'node:path';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Sealer } from '@mediagate/identity';
import type { QueueViews } from '@mediagate/queue';
import express, { type Express, type Request, type RequestHandler } from 'express';
import { boundPages } from './board/bounded-pages';
import { createBoard } from './board/bull-board';
import { noteQueueActions } from './board/note-actions';
import { leaveFontsOut } from './board/own-fonts';
import type { ProcessHealth } from './health/probe-process';
import { showProcesses } from './health/process-routes';
import { answerFault } from './http/answer-fault';
import { liftBodyDeadline, setBodyDeadline } from './http/body-deadline';
import { requireExactPath } from './http/exact-path';
import { requireKnownHost } from './http/known-host';
import { NOT_FOUND, refuse } from './http/refuse';
import { requireOperator } from './http/require-operator';
import { requireSameOrigin } from './http/same-origin';
import { securityHeaders } from './http/security-headers';
import { createOidcRoutes, OIDC_PATH, type OidcDeps } from './oidc/oidc-routes';
import { servePage } from './page/serve-page';
import { offerBoardCsrf } from './session/board-csrf';
import { leadToSignIn, requireSession, sessionOf } from './session/require-session';
import { createSessionRoutes, type SignInRouteDeps } from './session/session-routes';
import { createInvitationRoutes } from './users/invitation-routes';
import { createOwnRoutes } from './users/own-routes';
import { createUsersRoutes } from './users/users-routes';

export interface AppDeps extends SignInRouteDeps {
  database: Database;
  sealer: Sealer;
  queues: Pick<QueueViews, 'queues'>;
  probeProcesses(): Promise<ProcessHealth[]>;
  /** Pass requests on to the gateway: those that callers may make, and those that operators may make. */
  gateway: Record<'account' | 'catalogue' | 'openai' | 'operator' | 'files', RequestHandler>;
  mediaOrigins: readonly string[];
  logger: Logger;
  /** Where browsers reach the console; absent: plain http, on loopback. */
  publicUrl?: string | undefined;
  trustedProxies: number;
  /** The provider that signs users in elsewhere; absent: there is none. */
  oidc?: Pick<OidcDeps, 'provider' | 'attemptCookie' | 'provenCookie' | 'listPlaces' | 'signInIdentified'> | undefined;
  /** The directory of the page's build. */
  pageDirectory: string;
}

/** The page shows it inside its own frame, under `/queues`. */
const BOARD_PATH = '/board';
const GATEWAY_PATH = '/api';
/** For the console's own requests, and for all requests of callers who are not signed in. */
const BODY_TIMEOUT_MS = 15_000;
const ASSETS = join(__dirname, '../assets');

/** The routes, in the order in which a request passes: what stands above `requireSession` is open to everybody. */
export function createApp(deps: AppDeps): Express {
  const { publicUrl, database, logger } = deps;
  const https = publicUrl?.startsWith('https:') ?? false;
  const { mediaOrigins } = deps;
  const consoleUrl = (request: Request) => publicUrl?.replace(/\/+$/, '') ?? ownUrl(request);
  const app = express();
  app.disable('x-powered-by').set('trust proxy', deps.trustedProxies).set('query parser', 'simple');
  app.enable('case sensitive routing').enable('strict routing');
  app.use(setBodyDeadline(BODY_TIMEOUT_MS));
  app.use(securityHeaders({ https, boardPath: BOARD_PATH, gatewayPath: GATEWAY_PATH, mediaOrigins }));
  app.use(requireKnownHost(publicUrl), requireExactPath, requireSameOrigin(publicUrl));
  app.use('/assets', express.static(ASSETS, { index: false, cacheControl: false, redirect: false }));
  app.use(onlyOutside([BOARD_PATH, GATEWAY_PATH, OIDC_PATH], servePage(deps.pageDirectory)));
  if (deps.oidc) app.use(createOidcRoutes({ ...deps, ...deps.oidc, consoleUrl }));
  app.use(createSessionRoutes(deps));
  app.use('/invitations', createInvitationRoutes(deps));
  app.use(BOARD_PATH, leadToSignIn('/queues', deps));
  app.use(requireSession(deps));
  app.use(GATEWAY_PATH, liftBodyDeadline);
  app.use(`${GATEWAY_PATH}/v1/files`, onlyForOperators(deps.gateway.files));
  app.use(`${GATEWAY_PATH}/v1`, deps.gateway.account);
  app.use(`${GATEWAY_PATH}/models`, deps.gateway.catalogue);
  app.use(`${GATEWAY_PATH}/openai/v1`, deps.gateway.openai);
  app.use(`${GATEWAY_PATH}/admin/v1`, deps.gateway.operator);
  app.use('/users/me', createOwnRoutes(deps));
  app.use('/users', createUsersRoutes(database));
  app.get('/processes', requireOperator({ changes: 'support' }), showProcesses(deps.probeProcesses));
  app.use(
    BOARD_PATH,
    requireOperator({ changes: 'support' }),
    offerBoardCsrf({ path: BOARD_PATH, https }),
    boundPages,
    leaveFontsOut,
    noteQueueActions(database),
    createBoard(deps.queues.queues, BOARD_PATH, logger),
  );
  app.use((_request, response) => refuse(response, NOT_FOUND));
  app.use(answerFault(logger));
  return app;
}

/** Skips these paths: a browser opens no page of ours there by itself, but a file of the gateway, or the board. */
function onlyOutside(paths: readonly string[], handle: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (paths.some((path) => request.path === path || request.path.startsWith(`${path}/`))) next();
    else handle(request, response, next);
  };
}

/** Operators look at files of results by signed links; account holders reach files as they reach everything else. */
function onlyForOperators(handle: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (sessionOf(response).rights.kind === 'operator') handle(request, response, next);
    else next();
  };
}

function ownUrl(request: Request): string {
  return `http://${request.headers.host}`;
}
