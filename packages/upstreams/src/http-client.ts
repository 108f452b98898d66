import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import type { JsonObject } from '@mediagate/contracts';
import axios, { type AxiosResponse } from 'axios';
import type FormData from 'form-data';
import { logAnswer } from './answer-log';
import { ConnectTimeoutError, watchConnection } from './connection-watch';
import {
  ERROR_ANSWER_MAX_BYTES,
  type FileBody,
  type Interruption,
  type JsonBody,
  readBytes,
  readJson,
} from './json-body';
import { type LookupFor, lookingUp } from './look-up';

/** Four 4K PNGs in one base64 answer pass 100 MB. */
export const IMAGE_ANSWER_MAX_BYTES = 256 * 1024 * 1024;
/**
 * A vendor that closes an idle connection just as the next request goes out leaves that request's fate unknown, and paid
 * work cannot be sent twice. Common servers and balancers close after 5 s or more, so ours are given up before that.
 */
const IDLE_SOCKET_MS = 4_000;

export interface HttpClientOptions {
  /** Connections at once per vendor origin; further requests wait, within their own deadline. */
  maxSockets?: number;
  /** From asking for a connection until it is up, TLS included. */
  connectTimeoutMs?: number;
  /** Upper bound of every request's `maxResponseBytes`: the most memory that one answer may take. */
  maxResponseBytes?: number;
  lookupFor?: LookupFor | undefined;
}

export interface VendorRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: { json: JsonObject } | { jsonText: string } | { form: FormData } | { fields: Record<string, string> };
  /** The caller's wish to stop. */
  signal: AbortSignal;
  /** From the first step to the last byte of the answer; a slow drip does not extend it. */
  timeoutMs: number;
  /** Counted after inflating. */
  maxResponseBytes: number;
  /** `file`: a success whose type is none of text is kept as its bytes; anything else is read as JSON, as errors are. Default: `json`. */
  expects?: 'json' | 'file';
  /** The answer is a secret: it stands in no log and no record. */
  isSecret?: true;
}

export type Reply = Answer | Lost;

/** The vendor's status line arrived. */
export interface Answer {
  kind: 'answer';
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: JsonBody | FileBody;
}

/** No status line. With `sent` false the vendor cannot have seen the request; else it may be working on it. */
export interface Lost {
  kind: 'lost';
  sent: boolean;
  /** `busy`: no connection was free, and too many waited for one, or it waited too long. */
  why: Interruption | 'connect_timeout' | 'network' | 'busy';
  /** The system's error code, as `ECONNREFUSED`; never an address, a header or a body. */
  code?: string;
}

export interface HttpClient {
  /** Resolves whatever the vendor or the network does; never redirects, retries, or uses a proxy. */
  send(request: VendorRequest): Promise<Reply>;
  /** Closes idle and busy connections. */
  close(): void;
}

/** The one door to the vendors. Connections are kept alive and shared by all adapters that get this client. */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { maxSockets = 256, connectTimeoutMs = 10_000, maxResponseBytes = IMAGE_ANSWER_MAX_BYTES } = options;
  const agentOptions = { keepAlive: true, maxSockets, maxFreeSockets: 64, timeout: IDLE_SOCKET_MS };
  const httpAgent = lookingUp(new http.Agent(agentOptions), 'http', options.lookupFor);
  const httpsAgent = lookingUp(new https.Agent(agentOptions), 'https', options.lookupFor);

  return {
    async send(request) {
      const limit = boundTime(request.signal, request.timeoutMs);
      const watch = watchConnection(connectTimeoutMs);
      try {
        const response = await axios.request<Readable>({
          method: request.method,
          url: request.url,
          headers: { accept: 'application/json', 'accept-encoding': 'identity', ...request.headers },
          data: payload(request.body),
          signal: limit.signal,
          transport: watch.transport,
          httpAgent,
          httpsAgent,
          proxy: false,
          maxRedirects: 0,
          // The stream is read below: that tells an answer cut short from none, and keeps the status of both.
          responseType: 'stream',
          validateStatus: () => true,
          transformRequest: (data: unknown) => data,
        });
        const answer = await readAnswer(response, request, { maxResponseBytes, ...limit });
        return request.isSecret ? answer : logAnswer(answer);
      } catch (error) {
        return { kind: 'lost', sent: watch.maySendBytes(), ...describeLoss(error, limit) };
      } finally {
        limit.clear();
      }
    },
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

async function readAnswer(
  response: AxiosResponse<Readable>,
  request: VendorRequest,
  { maxResponseBytes, interruption }: Pick<TimeLimit, 'interruption'> & { maxResponseBytes: number },
): Promise<Answer> {
  const { status, headers, data } = response;
  const errorCap = status < 300 ? Number.POSITIVE_INFINITY : ERROR_ANSWER_MAX_BYTES;
  const maxBytes = Math.min(request.maxResponseBytes, maxResponseBytes, errorCap);
  const body = await readerOf(request, response)(data, maxBytes, interruption);
  return { kind: 'answer', status, headers: textHeaders(headers), body };
}

interface TimeLimit {
  signal: AbortSignal;
  interruption(): Interruption | undefined;
  clear(): void;
}

/** axios's own `timeout` restarts with every byte, so the deadline is an abort signal over headers and body. */
function boundTime(caller: AbortSignal, timeoutMs: number): TimeLimit {
  const controller = new AbortController();
  let interruption: Interruption | undefined;
  const stop = (why: Interruption) => {
    interruption ??= why;
    controller.abort();
  };
  const onAbort = () => stop('aborted');
  const timer = setTimeout(() => stop('deadline'), timeoutMs);
  if (caller.aborted) onAbort();
  else caller.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    interruption: () => interruption,
    clear() {
      clearTimeout(timer);
      caller.removeEventListener('abort', onAbort);
    },
  };
}

function payload(body: VendorRequest['body']): Buffer | FormData | undefined {
  if (body === undefined) return undefined;
  if ('form' in body) return body.form;
  if ('fields' in body) return Buffer.from(new URLSearchParams(body.fields).toString());
  return Buffer.from('jsonText' in body ? body.jsonText : JSON.stringify(body.json));
}

/** Vendors say errors and unfinished work in JSON where a file was expected, and proxies in HTML. */
const FILE_TYPE = /^(?:audio|image|video)\/|^application\/(?:octet-stream|ogg|zip)\b/i;

function readerOf({ expects }: VendorRequest, { status, headers }: AxiosResponse): typeof readJson | typeof readBytes {
  const isFile = expects === 'file' && status < 300 && FILE_TYPE.test(String(headers['content-type']));
  return isFile ? readBytes : readJson;
}

function textHeaders(headers: object): Record<string, string> {
  const entries = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Takes the code alone: axios puts the request, with its authorization, into its errors. What is not axios's is a bug. */
function describeLoss(error: unknown, limit: TimeLimit): Pick<Lost, 'why' | 'code'> {
  if (!axios.isAxiosError(error)) throw error;
  const interruption = limit.interruption();
  if (interruption !== undefined) return { why: interruption };
  if (error.cause instanceof ConnectTimeoutError) return { why: 'connect_timeout' };
  return error.code === undefined ? { why: 'network' } : { why: 'network', code: error.code };
}
