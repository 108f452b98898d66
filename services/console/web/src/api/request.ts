import { ApiError, errorOf } from './api-error.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  method?: Method;
  /** Undefined and empty values are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Forms and files go as they are, all else as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** How long the answer may take, its body included; default: as a list or a change does. */
  limitMs?: number;
}

const ANSWER_LIMIT_MS = 30_000;
const UPLOAD_LIMIT_MS = 7_200_000;

let csrf = '';
let onSignedOut: () => void = () => {};

/** The token that every change carries; it comes with the session. */
export function setCsrf(token: string): void {
  csrf = token;
}

/** Sets what is called when the server no longer knows the session. */
export function whenSignedOut(callback: () => void): void {
  onSignedOut = callback;
}

/** The JSON that the console answers. @throws ApiError */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await open(path, options);
  if (response.status === 204) return undefined as Answer;
  return (await response.json()) as Answer;
}

/** As `request`, for bodies that are no JSON. @throws ApiError */
export async function open(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', body, headers, signal } = options;
  const isRaw = body instanceof Blob || body instanceof FormData;
  const { limitMs = isRaw ? UPLOAD_LIMIT_MS : ANSWER_LIMIT_MS } = options;
  const limit = AbortSignal.timeout(limitMs);
  const response = await send(path + searchOf(options), {
    method,
    credentials: 'same-origin',
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    headers: {
      Accept: 'application/json',
      'Accept-Language': document.documentElement.lang,
      ...(method === 'GET' ? {} : { 'X-CSRF-Token': csrf }),
      ...(body === undefined || isRaw ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  });
  if (response.ok) return response;
  if (response.status === 401 && path !== '/session') onSignedOut();
  throw await errorOf(response);
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    if (init.signal?.aborted && (cause as Error).name === 'AbortError') throw cause;
    throw new ApiError('', { status: 0, reason: 'unreachable' });
  }
}

function searchOf({ query = {} }: RequestOptions): string {
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return words.length === 0 ? '' : `?${new URLSearchParams(words)}`;
}
