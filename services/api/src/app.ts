import type { Logger } from '@mediagate/host';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { answerError } from './http/answer-error';
import { answerPreflight } from './http/cors';
import type { ErrorShape } from './http/error-body';
import { createMemoryBudget } from './http/memory-budget';
import { requestIdOf } from './http/request-id';
import { guardMessages } from './http/request-scope';
import type { OpenRoute, Route } from './http/route';
import { createServe, type ServeDeps } from './http/serve';
import { otherMethods, UNKNOWN_PATH } from './http/unmatched';
import { unreadable } from './http/unreadable';
import { BODIES_IN_MEMORY } from './request-limits';
import { createSpeech, type SpeechRouteDeps } from './routes/audio/create-speech';
import { type BalanceDeps, createAccountBalance, createKeyBalance } from './routes/balance/balance';
import { createServeFile, type FileDeps } from './routes/files/serve-file';
import { createImageEdit, type ImageEditDeps } from './routes/images/create-edit';
import { createImageGeneration } from './routes/images/create-generation';
import { createImgtoolGenerations } from './routes/imgtool/create-generation';
import { createGetImgtoolTask, type ImgtoolReaderDeps } from './routes/imgtool/get-task';
import { createFetchTask, createListTasks } from './routes/legacy/fetch-task';
import { checkLegacyPrefix } from './routes/legacy/prefix';
import { createLegacySubmissions, type LegacySubmitDeps } from './routes/legacy/submit';
import { createGetModel, createListModels } from './routes/models/models';
import { createMusicGenerations } from './routes/music/create-generation';
import { createGetMusicTask } from './routes/music/get-task';
import { createGetLineage, type LineageDeps } from './routes/tasks/get-lineage';
import { createGetTask, type TaskReaderDeps } from './routes/tasks/get-task';
import { createGetTaskBatch } from './routes/tasks/get-task-batch';
import type { CallTextDeps } from './routes/text/call-text';
import { createTextRoutes, NATIVE_PREFIXES } from './routes/text/routes';
import { createUploadImage, type UploadDeps } from './routes/uploads/upload-image';
import { createVideoGeneration } from './routes/videos/create-generation';

export interface AppDeps
  extends Omit<ServeDeps, 'memory'>,
    BalanceDeps,
    CallTextDeps,
    FileDeps,
    ImageEditDeps,
    ImgtoolReaderDeps,
    LegacySubmitDeps,
    LineageDeps,
    SpeechRouteDeps,
    TaskReaderDeps,
    UploadDeps {
  /** First word of the paths of the image tool's older interface. */
  legacyPrefix: string;
}

const submit = { method: 'post', auth: 'key', bucket: 'submit' } as const;
const query = { method: 'get', auth: 'key', bucket: 'query' } as const;

/** Every endpoint, one line each: what it asks of the caller, and what does its work. */
function routeTable(deps: AppDeps): Route[] {
  const createImage = createImageGeneration(deps);
  const editImage = createImageEdit(deps);
  const createVideo = createVideoGeneration(deps);
  const speak = createSpeech(deps);
  const uploadImage = createUploadImage(deps);
  const getTask = createGetTask(deps);
  const getTasks = createGetTaskBatch(deps);
  const getLineage = createGetLineage(deps);
  const getMusicTask = createGetMusicTask(deps);
  const keyBalance = createKeyBalance(deps);
  const accountBalance = createAccountBalance(deps);
  const serveFile = createServeFile(deps);
  const listModels = createListModels(deps);
  const getModel = createGetModel(deps);

  const balance = { ...query, cors: true } as const;
  return [
    // Paths are tried in this order, so a literal one stands before the pattern that would swallow it.
    { ...query, path: '/v1/tasks/batch', method: 'post', handle: getTasks },
    { ...query, path: '/v1/tasks/:id', handle: getTask },
    { ...query, path: '/v1/tasks/:id/lineage', handle: getLineage },
    { ...query, path: '/v1/music/tasks/:id', handle: getMusicTask },
    { ...submit, path: '/v1/images/generations', family: 'image', handle: createImage },
    { ...submit, path: '/v1/images/edits', family: 'image', handle: editImage },
    { ...submit, path: '/v1/videos/generations', family: 'video', handle: createVideo },
    { ...submit, path: '/v1/audio/speech', family: 'tts', handle: speak },
    ...createMusicGenerations(deps).map((route) => ({ ...submit, family: 'music', ...route }) as const),
    ...imgtoolRoutes(deps),
    ...legacyRoutes(deps),
    ...createTextRoutes(deps),
    { ...submit, path: '/v1/uploads/images', handle: uploadImage },
    { ...balance, path: '/v1/balance', handle: keyBalance },
    { ...balance, path: '/balance', handle: keyBalance },
    { ...balance, path: '/v1/user/balance', handle: accountBalance },
    { ...balance, path: '/user/balance', handle: accountBalance },
    { method: 'get', path: '/v1/files/:name', auth: 'none', handle: serveFile },
    { ...query, path: '/models', handle: listModels },
    { ...query, path: '/models/:id', handle: getModel },
  ];
}

/** The image tool has errors of its own. */
function imgtoolRoutes(deps: AppDeps): Route[] {
  const errors = { errors: 'imgtool' } as const;
  const generations = createImgtoolGenerations(deps);
  return [
    ...generations.map((route) => ({ ...submit, ...errors, family: 'imgtool', ...route }) as const),
    { ...query, ...errors, path: '/v1/imgtool/:id', handle: createGetImgtoolTask(deps) },
  ];
}

/** The older interface of the same tasks. */
function legacyRoutes(deps: AppDeps): Route[] {
  const errors = { errors: 'legacy' } as const;
  const prefix = checkLegacyPrefix(deps.legacyPrefix);
  const submissions = createLegacySubmissions(deps, prefix);
  return [
    ...submissions.map((route) => ({ ...submit, ...errors, family: 'imgtool', ...route }) as const),
    { ...query, ...errors, path: `/${prefix}/task/:id/fetch`, handle: createFetchTask(deps) },
    { ...query, ...errors, method: 'post', path: `/${prefix}/task/list-by-condition`, handle: createListTasks(deps) },
  ];
}

/** The HTTP application: the route table, an answer for what it does not have, and nothing that listens. */
export function createApp(deps: AppDeps): Express {
  const serve = createServe({ ...deps, memory: createMemoryBudget(BODIES_IN_MEMORY) });
  const app = express();
  guardMessages(app.request, deps.scopes);
  guardMessages(app.response, deps.scopes);
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', 'simple');
  for (const [path, routes] of groupByPath(withPreflight(routeTable(deps)))) {
    const onPath = app.route(path);
    for (const route of routes) onPath[route.method](serve(route));
    onPath.all(serve(otherMethods(path, routes)));
  }
  const families = errorFamilies(deps.legacyPrefix);
  for (const { prefix, errors } of families) app.use(prefix, serve({ ...UNKNOWN_PATH, errors }));
  app.use(serve(UNKNOWN_PATH));
  app.use(answerRouterFault(families, deps.logger));
  return app;
}

/** A path that pages may read answers their browser's question as well. */
function withPreflight(routes: Route[]): Route[] {
  const paths = routes.filter((route) => route.cors).map((route) => route.path);
  const preflights = paths.map(
    (path): OpenRoute => ({
      method: 'options',
      path,
      auth: 'none',
      cors: true,
      handle: ({ response }) => answerPreflight(response),
    }),
  );
  return [...routes, ...preflights];
}

function groupByPath(routes: Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}

interface ErrorFamily {
  prefix: string;
  errors: ErrorShape;
}

/** How errors are worded below a prefix where no route says so: there is none, or the path cannot be decoded. */
function errorFamilies(legacyPrefix: string): ErrorFamily[] {
  return [
    { prefix: '/v1/imgtool', errors: 'imgtool' },
    { prefix: `/${legacyPrefix}`, errors: 'legacy' },
    ...NATIVE_PREFIXES.map((prefix) => ({ prefix, errors: 'native' as const })),
  ];
}

/** What the router throws before any route is reached: a path that is not valid percent-encoding. */
function answerRouterFault(families: readonly ErrorFamily[], logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const requestId = requestIdOf(request);
    response.setHeader('X-Request-Id', requestId);
    const fault = error instanceof URIError ? unreadable('The path is not valid.') : error;
    const family = families.find(({ prefix }) => request.path.startsWith(`${prefix}/`));
    answerError({ response, requestId }, fault, family?.errors ?? 'standard', logger);
  };
}
