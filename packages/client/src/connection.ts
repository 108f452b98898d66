import { ApiError, ConnectionError } from './errors.ts';
import { retryDelayMs } from './retry-delay.ts';
import { sleep } from './sleep.ts';

const RETRIES = 3;
const ANSWER_LIMIT_MS = 30_000;

export interface ClientOptions {
  /** Where the gateway is: `https://gateway.example`. */
  baseUrl: string;
  apiKey: string;
  /** How often a request is sent again after 429, 5xx or a lost connection. Default: 3. */
  maxRetries?: number;
  /** How long an answer may take, its body included. Default: 30,000. */
  timeoutMs?: number;
  /** Stands in for the platform's own. */
  fetch?: typeof fetch;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path on the gateway; or the whole address of a link, which gets no key. */
  path: string;
  query?: Query | undefined;
  headers?: Record<string, string>;
  /** Blobs and forms go as they are, all else as JSON. */
  body?: unknown;
  /** False: the call could take effect twice, so it is not sent again after an unknown outcome. */
  repeatable?: boolean;
  /** How long the body may take to send, or the gateway may wait before it answers. */
  waitMs?: number;
  /** Default: those of the client. */
  retries?: number;
  signal?: AbortSignal | undefined;
}

/** Undefined values are left out. */
export type Query = Readonly<Record<string, unknown>>;

/** Sends requests with the key. Errors are thrown as the classes of `errors.ts`. */
export interface Connection {
  /** The answer's JSON, after as many retries as it takes. Without a body: undefined. */
  ask<Answer>(call: Call): Promise<Answer>;
  /** As `ask`, with the headers of the answer. */
  askWithHeaders<Answer>(call: Call): Promise<{ answer: Answer; headers: Headers }>;
  /** The answer as soon as its body begins; the body may take as long as it likes. Retries end there. */
  open(call: Call): Promise<Response>;
}

export function createConnection(options: ClientOptions): Connection {
  const { maxRetries = RETRIES, timeoutMs = ANSWER_LIMIT_MS } = options;

  async function once<Answer>(call: Call): Promise<{ answer: Answer; headers: Headers }> {
    const limit = AbortSignal.timeout((call.waitMs ?? 0) + timeoutMs);
    return heard(call, async () => {
      const response = await request(call, anyOf(call.signal, limit), options);
      return { answer: await jsonOf(response), headers: response.headers };
    });
  }

  async function retried<Result>(call: Call, attempt: (call: Call) => Promise<Result>): Promise<Result> {
    const { retries = maxRetries } = call;
    for (let retry = 0; ; retry++) {
      try {
        return await attempt(call);
      } catch (error) {
        const delayMs = retry < retries ? retryDelayMs(error, retry, call.repeatable ?? true) : undefined;
        if (delayMs === undefined) throw error;
        await sleep(delayMs, call.signal);
      }
    }
  }

  async function openOnce(call: Call): Promise<Response> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    try {
      return await heard(call, () => request(call, anyOf(call.signal, limit.signal), options));
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    ask: async <Answer>(call: Call) => (await retried(call, once<Answer>)).answer,
    askWithHeaders: <Answer>(call: Call) => retried(call, once<Answer>),
    open: (call) => retried(call, openOnce),
  };
}

const NOT_MODIFIED = 304;

/** @throws ApiError unless the status is 2xx, or 304 to a request that named what it has. */
async function request(call: Call, signal: AbortSignal, options: ClientOptions): Promise<Response> {
  const { fetch: send = globalThis.fetch } = options;
  const { method, headers, body } = call;
  const response = await send(urlOf(call, options), {
    method,
    signal,
    headers: { ...headers, ...typeOf(body), ...keyFor(call, options) },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const hasCopy = headers?.['If-None-Match'] !== undefined;
  if (response.ok || (hasCopy && response.status === NOT_MODIFIED)) return response;
  throw new ApiError(response, parsed(await response.text()));
}

function urlOf({ path, query = {} }: Call, { baseUrl }: ClientOptions): string {
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const search = words.length === 0 ? '' : `?${new URLSearchParams(words)}`;
  return (isOwn(path) ? baseUrl.replace(/\/+$/, '') + path : path) + search;
}

function isOwn(path: string): boolean {
  return path.startsWith('/');
}

function keyFor({ path }: Call, { apiKey }: ClientOptions): Record<string, string> {
  return isOwn(path) ? { Authorization: `Bearer ${apiKey}` } : {};
}

/** They say their own types, a form with its boundary. */
function isRaw(body: unknown): body is Blob | FormData {
  return body instanceof Blob || body instanceof FormData;
}

function typeOf(body: unknown): Record<string, string> {
  return body === undefined || isRaw(body) ? {} : { 'Content-Type': 'application/json' };
}

async function jsonOf<Answer>(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = parsed(text);
  if (json === undefined && text !== '') throw new ApiError(response, undefined);
  return json as Answer;
}

/** Undefined: the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Turns a failure without an answer into an error of this package, and throws an aborted signal's reason as it is. */
async function heard<Answer>({ method, path, signal }: Call, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ApiError) throw cause;
    // The rest of a link opens it.
    const [place] = path.split('?');
    throw new ConnectionError(`${method} ${place} has no answer: ${cause}`, { cause });
  }
}

function anyOf(callers: AbortSignal | undefined, limit: AbortSignal): AbortSignal {
  return callers === undefined ? limit : AbortSignal.any([callers, limit]);
}
