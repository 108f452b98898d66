import type { ErrorShape } from '@mediagate/api-contract';
import { GatewayError, type Message, message } from '@mediagate/contracts';
import type { Express, RequestHandler } from 'express';
import type { OpenRoute, Route } from './route';
import type { Serve } from './serve';

/** Puts the routes before the application, in their order, and behind those of each path the answer to its other methods. */
export function mountRoutes(app: Express, routes: readonly Route[], serve: Serve): void {
  for (const [path, onPath] of groupBy(routes, (route) => route.path)) {
    const mounted = app.route(path);
    for (const [method, ofMethod] of groupBy(onPath, (route) => route.method)) mounted[method](oneOf(ofMethod, serve));
    mounted.all(serve(otherMethods(path, onPath)));
  }
}

function oneOf(routes: readonly Route[], serve: Serve): RequestHandler {
  const [only] = routes;
  return only === undefined || only.verb !== undefined ? byVerb(routes, serve) : serve(only);
}

/** Paths that differ in nothing but the verb behind their last colon. */
function byVerb(routes: readonly Route[], serve: Serve): RequestHandler {
  const handlers = new Map(routes.map((route) => [route.verb, serve(route)]));
  const otherwise = serve(otherVerbs(routes));
  const lastWord = routes[0]?.path.split('/:').at(-1) ?? '';
  return (request, response, next) => {
    const verb = verbOf(String(request.params[lastWord]));
    return (handlers.get(verb) ?? otherwise)(request, response, next);
  };
}

function verbOf(word: string): string {
  return word.slice(word.lastIndexOf(':') + 1);
}

function otherVerbs(routes: readonly Route[]): OpenRoute {
  const [{ path = '', errors = 'standard' } = {}] = routes;
  const verbs = routes.map(({ verb }) => verb).join(', ');
  return {
    method: 'post',
    path,
    errors,
    auth: 'none',
    handle() {
      throw new GatewayError('not_found', message('method_unknown', { methods: verbs }));
    },
  };
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Base path for clients that append their paths to a base URL of the caller's choice. */
const CLIENT_BASE = '/openai/v1';

/** Paths, under any base, that only OpenAI's clients ask for. */
const OF_OPENAI =
  /\/(?:responses|embeddings|completions|moderations|batches|assistants|threads|vector_stores|fine_tuning|realtime|conversations|evals|containers|audio\/transcriptions|audio\/translations|images\/variations)(?:\/|$)/;

/** Paths that the image tool's older interface does not have, by their ends, with what to do instead. */
const OF_IMAGE_TOOL: readonly [end: RegExp, answer: Message][] = [
  [/\/insight-face\/swap$/, elsewhere('/v1/images/edits')],
  [/\/upload-discord-images$/, elsewhere('/v1/uploads/images')],
  [/\/task\/[^/]+\/cancel$/, elsewhere('/v1/tasks/{task_id}/cancel')],
  [/\/task\/[^/]+\/image-seed$/, message('endpoint_of_seeds')],
];

/** The answer for every path that no route has. */
export function unknownPath(routes: readonly Route[]): OpenRoute {
  const served = routes
    .map(({ path }) => path)
    .filter((path) => path.startsWith(`${CLIENT_BASE}/`) && !path.includes(':'));
  const legacy = `/${routes.find(({ errors }) => errors === 'legacy')?.path.split('/')[1]}/`;
  const values = [...new Set(served)].join(', ');
  return {
    method: 'get',
    path: '(unknown)',
    auth: 'none',
    handle({ request }) {
      const path = request.originalUrl.split('?')[0] ?? '';
      const meant = path.startsWith(legacy) ? findInstead(path) : findMeant(path, served);
      if (meant !== undefined) throw new GatewayError('not_found', meant);
      const isOfOpenAi = served.length > 0 && (path.startsWith(`${CLIENT_BASE}/`) || OF_OPENAI.test(path));
      if (!isOfOpenAi) throw new GatewayError('not_found', message('endpoint_unknown'));
      throw new GatewayError('not_found', message('endpoint_of_openai', { values }));
    },
  };
}

function elsewhere(path: string): Message {
  return message('endpoint_elsewhere', { path });
}

function findInstead(path: string): Message | undefined {
  return OF_IMAGE_TOOL.find(([end]) => end.test(path))?.[1];
}

/** A client with another base URL asks for paths that end as those under the right one do: `/v1/chat/completions`. */
function findMeant(path: string, served: readonly string[]): Message | undefined {
  // An expression for the slashes at the end would begin anew at each slash of a path that has thousands elsewhere.
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const asked = path.slice(0, end);
  const meant = served.find((each) => asked.endsWith(each.slice(CLIENT_BASE.length)));
  return meant === undefined ? undefined : elsewhere(meant);
}

/** The answer for methods that a known path does not have. */
function otherMethods(path: string, routes: readonly Route[]): OpenRoute {
  const methods = [...new Set(routes.map((route) => route.method.toUpperCase()))];
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return {
    method: 'get',
    path,
    auth: 'none',
    ...(routes[0]?.pages === undefined ? {} : { pages: routes[0].pages }),
    ...(routes[0]?.errors === undefined ? {} : { errors: routes[0].errors }),
    handle({ request, response }) {
      response.setHeader('Allow', allowed);
      throw new GatewayError(
        'method_not_allowed',
        message('method_not_allowed', { method: request.method, methods: allowed }),
      );
    },
  };
}

export interface ErrorFamily {
  prefix: string;
  errors: ErrorShape;
}

/**
 * How errors are worded below a prefix where no route says so: there is none, or the path cannot be decoded. A prefix is as short
 * as it can be while all routes below it word their errors alike.
 */
export function errorFamilies(routes: readonly Route[]): ErrorFamily[] {
  const families = new Map<string, ErrorFamily>();
  for (const { path, errors = 'standard' } of routes) {
    const prefix = errors === 'standard' ? undefined : prefixesOf(path).find((each) => isAllOf(each, errors, routes));
    if (prefix !== undefined) families.set(prefix, { prefix, errors });
  }
  return [...families.values()];
}

/** `/v1`, `/v1/imgtool`: the words before the first parameter, one after the other. */
function prefixesOf(path: string): string[] {
  const words = path.split('/:')[0]?.split('/').slice(1) ?? [];
  return words.map((_word, index) => `/${words.slice(0, index + 1).join('/')}`);
}

function isAllOf(prefix: string, errors: ErrorShape, routes: readonly Route[]): boolean {
  return routes.every((route) => !`${route.path}/`.startsWith(`${prefix}/`) || route.errors === errors);
}
