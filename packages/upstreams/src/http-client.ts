import { compressionsOf } from '@mediagate/contracts';
import type { FileWriter } from '@mediagate/egress';
import { Axios, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { type AnswerReader, JsonAnswerReader, readFileAnswer } from './answer-files';
import { logAnswer } from './answer-log';
import { decodeBody } from './decoded-body';
import { ERROR_ANSWER_MAX_BYTES, type FileBody, type JsonBody, parseJson } from './json-body';
import type { LookupFor } from './look-up';
import type { Lost } from './lost';
import { OriginPools } from './origin-pools';
import { payload, type RequestBody } from './payload';
import { exchangeWhole, type WholeAnswer } from './whole-exchange';
import { wireHeaders } from './wire-headers';

/** Four 4K PNGs in one base64 answer pass 100 MB. */
export const IMAGE_ANSWER_MAX_BYTES = 256 * 1024 * 1024;
/** For a connection to one origin. Whoever waits has a deadline of its own, which comes first. */
const MAX_WAITING = { maxWaiting: 10_000, maxWaitMs: 3_600_000 };
const MAX_ORIGINS = 1_024;

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
  body?: RequestBody;
  /** The caller's wish to stop. */
  signal: AbortSignal;
  /** From the first step to the last byte of the answer; a slow drip does not extend it. */
  timeoutMs: number;
  /** Counted after inflating. */
  maxResponseBytes: number;
  /** `file`: a success whose type is none of text is kept as its bytes; anything else is read as JSON, as errors are. Default: `json`. */
  expects?: 'json' | 'file';
  /** Opens what a long value of the answer goes into; absent: it stays in memory. */
  newFile?: (() => FileWriter) | undefined;
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

export interface HttpClient {
  /** Resolves whatever the vendor or the network does; never redirects, retries, or uses a proxy. */
  send(request: VendorRequest): Promise<Reply>;
  /** Closes idle and busy connections. */
  close(): void;
}

/** The one door to the vendors. Connections are kept alive and shared by all adapters that get this client. */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { maxSockets = 256, connectTimeoutMs = 10_000, maxResponseBytes = IMAGE_ANSWER_MAX_BYTES, lookupFor } = options;
  const pools = new OriginPools({
    maxConnections: maxSockets,
    ...MAX_WAITING,
    maxOrigins: MAX_ORIGINS,
    connectTimeoutMs,
    lookupFor,
  });
  // Bare: the defaults of `axios.create` are merged into every call, and its own way to send takes thrice the time of all this.
  const vendors = new Axios({ transformRequest: [], transformResponse: [], validateStatus: null });
  return {
    async send(request) {
      const bounded = { ...request, maxResponseBytes: Math.min(request.maxResponseBytes, maxResponseBytes) };
      const { headers: ofBody, data } = payload(request.body);
      const headers = wireHeaders(request, ofBody);
      const { data: reply } = await vendors.request<WholeAnswer | Lost>({
        method: request.method,
        url: request.url,
        data,
        adapter: (config) => exchangeFor({ ...bounded, headers }, config, pools),
      });
      if (reply.kind === 'lost') return reply;
      const answer = { ...reply, body: await readBody(reply, bounded) };
      return request.isSecret ? answer : logAnswer(answer);
    },
    close: () => void pools.close(),
  };
}

/** Sends axios's request over our own connection. A loss is returned, not thrown: axios's errors hold the request, with its key. */
async function exchangeFor(
  request: VendorRequest,
  config: InternalAxiosRequestConfig,
  pools: OriginPools,
): Promise<AxiosResponse<WholeAnswer | Lost>> {
  const { method, url, headers, signal, timeoutMs, maxResponseBytes } = request;
  const pool = pools.of(new URL(url).origin);
  const bounds = {
    maxBytes: (status: number) => maxBytesOf(status, maxResponseBytes),
    readerFor: (status: number, head: WholeAnswer['headers']) => readerFor(request, status, head),
  };
  const reply: WholeAnswer | Lost =
    pool === undefined
      ? { kind: 'lost', sent: false, why: pools.isClosed ? 'aborted' : 'busy' }
      : await exchangeWhole({ method, url, headers, body: config.data, signal, timeoutMs, ...bounds }, pool);
  return {
    data: reply,
    status: reply.kind === 'answer' ? reply.status : NO_STATUS,
    statusText: '',
    headers: {},
    config,
  };
}

const NO_STATUS = 0;

function maxBytesOf(status: number, maxResponseBytes: number): number {
  return status < 300 ? maxResponseBytes : Math.min(maxResponseBytes, ERROR_ANSWER_MAX_BYTES);
}

async function readBody(
  { status, headers, body }: WholeAnswer,
  { expects, maxResponseBytes }: VendorRequest,
): Promise<Answer['body']> {
  if (body.kind !== 'bytes') return body;
  const decoded = await decodeBody(body, headers['content-encoding'], maxBytesOf(status, maxResponseBytes));
  if (decoded.kind !== 'bytes') return decoded;
  const { bytes } = decoded;
  return isFile(expects, status, headers) ? { kind: 'file', bytes } : parseJson(bytes.toString('utf8'));
}

/** A success that is not compressed is read while it comes, where there is a place for its files. */
function readerFor(
  { newFile, expects }: VendorRequest,
  status: number,
  headers: Record<string, string>,
): AnswerReader | undefined {
  const isPlain = compressionsOf(headers['content-encoding']).length === 0;
  if (newFile === undefined || status >= 300 || !isPlain) return undefined;
  return isFile(expects, status, headers) ? readFileAnswer(newFile()) : new JsonAnswerReader(newFile);
}

function isFile(expects: VendorRequest['expects'], status: number, headers: WholeAnswer['headers']): boolean {
  return expects === 'file' && status < 300 && FILE_TYPE.test(headers['content-type'] ?? '');
}

/** Vendors say errors and unfinished work in JSON where a file was expected, and proxies in HTML. */
const FILE_TYPE = /^(?:audio|image|video)\/|^application\/(?:octet-stream|ogg|zip)\b/i;
