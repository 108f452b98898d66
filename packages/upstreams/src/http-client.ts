import { setImmediate } from 'node:timers/promises';
import { compressionsOf } from '@mediagate/contracts';
import type { FileWriter } from '@mediagate/egress';
import { Axios, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { addressOf } from './address';
import type { HeedEnd } from './announced-end';
import { type AnswerReader, JsonAnswerReader, readFileAnswer } from './answer-files';
import { logAnswer } from './answer-log';
import { decodeBody } from './decoded-body';
import { exchange, type StreamAnswer, type StreamReply } from './exchange';
import {
  ERROR_ANSWER_MAX_BYTES,
  type FileBody,
  type JsonBody,
  type Lost,
  parseJson,
  type ReadLimits,
  readBytes,
  readToEnd,
} from './json-body';
import { OriginPools } from './origin-pools';
import { payload, type RequestBody } from './payload';
import type { LookupFor } from './stream-connection';
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
  /** Takes what vendors say, beside their answers, of the ends of their models. */
  heed?: HeedEnd | undefined;
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
  heed?: HeedEnd | undefined;
  /** Closes idle and busy connections. */
  close(): void;
}

/** The one door to the vendors. Connections are kept alive and shared by all adapters that get this client. */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const {
    maxSockets = 256,
    connectTimeoutMs = 10_000,
    maxResponseBytes = IMAGE_ANSWER_MAX_BYTES,
    lookupFor,
    heed,
  } = options;
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
    heed,
    async send(request) {
      const bounded = { ...request, maxResponseBytes: Math.min(request.maxResponseBytes, maxResponseBytes) };
      const endsAt = performance.now() + request.timeoutMs;
      const { headers: ofBody, data } = payload(request.body);
      const headers = wireHeaders(request, ofBody);
      const { data: reply } = await vendors.request<StreamReply>({
        method: request.method,
        url: request.url,
        data,
        adapter: (config) => exchangeFor({ ...bounded, headers }, config, pools),
      });
      if (reply.kind === 'lost') return reply;
      const answer = { ...reply, body: await readBody(reply, bounded, endsAt - performance.now()) };
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
): Promise<AxiosResponse<StreamReply>> {
  const { method, url, headers, signal, timeoutMs: headersTimeoutMs, maxResponseBytes: maxBodyBytes } = request;
  const pool = pools.of(addressOf(url).origin);
  const reply: StreamReply =
    pool === undefined
      ? { kind: 'lost', sent: false, why: pools.isClosed ? 'aborted' : 'busy' }
      : await exchange({ method, url, headers, body: config.data, signal, headersTimeoutMs, maxBodyBytes }, pool);
  return {
    data: reply,
    status: reply.kind === 'answer' ? reply.status : NO_STATUS,
    statusText: '',
    headers: {},
    config,
  };
}

const NO_STATUS = 0;

async function readBody(
  { status, headers, body }: StreamAnswer,
  request: VendorRequest,
  withinMs: number,
): Promise<Answer['body']> {
  const { expects, maxResponseBytes } = request;
  const maxBytes = status < 300 ? maxResponseBytes : Math.min(maxResponseBytes, ERROR_ANSWER_MAX_BYTES);
  const reader = readerFor(request, status, headers);
  if (reader !== undefined) return readBy(reader, body, { maxBytes, withinMs });
  const read = await readBytes(body, { maxBytes, withinMs });
  const decoded = read.kind === 'bytes' ? await decodeBody(read, headers['content-encoding'], maxBytes) : read;
  if (decoded.kind !== 'bytes') return decoded;
  const { bytes } = decoded;
  return isFile(expects, status, headers) ? { kind: 'file', bytes } : parseJson(bytes.toString('utf8'));
}

/** Bytes of one answer that are decoded at once: a socket hands over megabytes in one turn of the event loop, some 5 ms each. */
const TURN_BYTES = 128 * 1024;
let lastTurn: Promise<void> = Promise.resolve();

/** One answer goes on in a turn of the event loop, however many come in. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** The vendor waits while the disk is behind, and others have their turn between the pieces of a fast answer. */
async function readBy(reader: AnswerReader, body: StreamAnswer['body'], limits: ReadLimits): Promise<Answer['body']> {
  let sinceOthers = 0;
  try {
    const unread = await readToEnd(body, limits, (chunk) => {
      reader.push(chunk);
      sinceOthers += chunk.length;
      const pause = reader.backlog() ?? (sinceOthers > TURN_BYTES ? nextTurn() : undefined);
      if (pause !== undefined) sinceOthers = 0;
      return pause;
    });
    return unread ?? (await reader.end());
  } finally {
    reader.close();
  }
}

/** A success that is not compressed is read while it comes, where there is a place for its files. */
function readerFor(
  { newFile, expects }: VendorRequest,
  status: number,
  headers: Answer['headers'],
): AnswerReader | undefined {
  const isPlain = compressionsOf(headers['content-encoding']).length === 0;
  if (newFile === undefined || status >= 300 || !isPlain) return undefined;
  return isFile(expects, status, headers) ? readFileAnswer(newFile()) : new JsonAnswerReader(newFile);
}

function isFile(expects: VendorRequest['expects'], status: number, headers: Answer['headers']): boolean {
  return expects === 'file' && status < 300 && FILE_TYPE.test(headers['content-type'] ?? '');
}

/** Vendors say errors and unfinished work in JSON where a file was expected, and proxies in HTML. */
const FILE_TYPE = /^(?:audio|image|video)\/|^application\/(?:octet-stream|ogg|zip)\b/i;
