import { join } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import { styleBoard } from './board/board-style';
import { boundPages } from './board/bounded-pages';
import { createBoard } from './board/bull-board';
import { noteQueueActions } from './board/note-actions';
import type { Console } from './console';
import { showProcesses } from './health/process-routes';
import { answerFault } from './http/answer-fault';
import { liftBodyDeadline, setBodyDeadline } from './http/body-deadline';
import { requireExactPath } from './http/exact-path';
import { requireKnownHost } from './http/known-host';
import { NOT_FOUND, refuse } from './http/refuse';
import { requireOperator } from './http/require-operator';
import { requireSameOrigin } from './http/same-origin';
import { securityHeaders } from './http/security-headers';
import { createOidcRoutes, OIDC_PATH } from './oidc/oidc-routes';
import { servePage } from './page/serve-page';
import { offerBoardCsrf } from './session/board-csrf';
import { leadToSignIn, requireSession, sessionOf } from './session/require-session';
import { createSessionRoutes } from './session/session-routes';
import { createInvitationRoutes } from './users/invitation-routes';
import { createOwnRoutes } from './users/own-routes';
import { createUsersRoutes } from './users/users-routes';

/** The page shows it inside its own frame, under `/queues`. */
const BOARD_PATH = '/board';
const GATEWAY_PATH = '/api';
/** For the console's own requests, and for all requests of callers who are not signed in. */
const BODY_TIMEOUT_MS = 15_000;
const ASSETS = join(__dirname, '../assets');

/** The routes, in the order in which a request passes: what stands above `requireSession` is open to everybody. */
export function createApp(context: Console): Express {
  const { publicUrl, database, logger, mediaOrigins, oidc } = context;
  const https = publicUrl?.startsWith('https:') ?? false;
  const app = express();
  app.disable('x-powered-by').set('trust proxy', context.trustedProxies).set('query parser', 'simple');
  app.enable('case sensitive routing').enable('strict routing');
  app.use(setBodyDeadline(BODY_TIMEOUT_MS));
  app.use(securityHeaders({ https, boardPath: BOARD_PATH, gatewayPath: GATEWAY_PATH, mediaOrigins }));
  app.use(requireKnownHost(publicUrl), requireExactPath, requireSameOrigin(publicUrl));
  app.use('/assets', express.static(ASSETS, { index: false, cacheControl: false, redirect: false }));
  app.use(onlyOutside([BOARD_PATH, GATEWAY_PATH, OIDC_PATH], servePage(context.pageDirectory)));
  if (oidc) app.use(createOidcRoutes({ ...context, oidc }));
  app.use(createSessionRoutes(context));
  app.use('/invitations', createInvitationRoutes(context));
  app.use(BOARD_PATH, leadToSignIn('/queues', context));
  app.use(requireSession(context));
  app.use(GATEWAY_PATH, liftBodyDeadline);
  app.use(`${GATEWAY_PATH}/v1/files`, onlyForOperators(context.gateway.files));
  app.use(`${GATEWAY_PATH}/v1`, context.gateway.account);
  app.use(`${GATEWAY_PATH}/models`, context.gateway.catalogue);
  app.use(`${GATEWAY_PATH}/openai/v1`, context.gateway.openai);
  app.use(`${GATEWAY_PATH}/admin/v1`, context.gateway.operator);
  app.use('/users/me', createOwnRoutes(context));
  app.use('/users', createUsersRoutes(database));
  app.get('/processes', requireOperator({ changes: 'support' }), showProcesses(context.probeProcesses));
  app.use(
    BOARD_PATH,
    requireOperator({ changes: 'support' }),
    offerBoardCsrf({ path: BOARD_PATH, https }),
    boundPages,
    styleBoard,
    noteQueueActions(database),
    createBoard(context.queues.queues, BOARD_PATH, logger),
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
