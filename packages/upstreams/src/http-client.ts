import { setImmediate } from 'node:timers/promises';
import { compressionsOf } from '@mediagate/contracts';
import type { FileWriter } from '@mediagate/egress';
import { Axios, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { HeedEnd } from './announced-end';
import { type AnswerReader, JsonAnswerReader, readFileAnswer } from './answer-files';
import { logAnswer } from './answer-log';
import { decodeBody } from './decoded-body';
import type { ExchangeRequest, StreamAnswer, StreamReply } from './exchange';
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
import { OriginPools, type OriginPoolsOptions } from './origin-pools';
import { payload, type RequestBody } from './payload';
import type { LookupFor } from './stream-connection';
import { wireHeaders } from './wire-headers';

/** The most of any answer that is read whole: four 4K PNGs in one base64 answer pass 100 MB. */
export const IMAGE_ANSWER_MAX_BYTES = 256 * 1024 * 1024;
/** A job waits for a connection as long as its deadline lets it, a caller who waits for an answer some seconds. */
const WHOLE = { maxConnections: 256, maxWaiting: 10_000, maxWaitMs: 3_600_000, maxOrigins: 1_024 };
const STREAMED = { maxConnections: 256, maxWaiting: 1_024, maxWaitMs: 10_000, maxOrigins: 64 };
const CONNECT_TIMEOUT_MS = 10_000;
/** A stream asks for no encoding, because nobody here undoes one of it. */
const STREAM_HEADERS = { 'user-agent': 'mediagate', 'accept-encoding': 'identity' };

type Limits = Partial<Omit<OriginPoolsOptions, 'connectTimeoutMs' | 'lookupFor'>>;

export interface HttpClientOptions {
  /** Limits on connections for answers that are read whole. */
  whole?: Limits;
  /** Limits on connections for answers that go on as they come. `perOwner`: the most for one owner; the test work of all owners then has a quarter. */
  streamed?: Limits;
  /** From asking for a connection until it is up, TLS included. */
  connectTimeoutMs?: number;
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
  /** Counted after inflating; 256 MiB at most, whatever is said here. */
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

export interface StreamRequest extends ExchangeRequest {
  method: 'GET' | 'POST';
  body?: Buffer;
  bodyTimeoutMs: number;
}

/** Both ways to send resolve whatever the vendor or the network does; they never redirect, retry, or use a proxy. */
export interface HttpClient {
  /** Reads the answer whole. */
  send(request: VendorRequest): Promise<Reply>;
  /** Gives the answer as it comes. */
  stream(request: StreamRequest): Promise<StreamReply>;
  heed?: HeedEnd | undefined;
  /** Ends what is under way and closes all connections. Later requests are not sent. */
  close(): Promise<void>;
}

/** The one door to the vendors. Connections are kept alive, and shared by all adapters that get this client. */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, lookupFor, heed } = options;
  const reach = { connectTimeoutMs, lookupFor };
  const whole = new OriginPools({ ...WHOLE, ...options.whole, ...reach });
  const streamed = new OriginPools({ ...STREAMED, ...options.streamed, ...reach });
  // Bare: the defaults of `axios.create` are merged into every call, and its own way to send takes thrice the time of all this.
  const vendors = new Axios({ transformRequest: [], transformResponse: [], validateStatus: null });
  return {
    heed,
    async send(wanted) {
      const maxResponseBytes = Math.min(wanted.maxResponseBytes, IMAGE_ANSWER_MAX_BYTES);
      const request = { ...wanted, maxResponseBytes };
      const endsAt = performance.now() + request.timeoutMs;
      const { headers: ofBody, data } = payload(request.body);
      const headers = wireHeaders(request, ofBody);
      const { data: reply } = await vendors.request<StreamReply>({
        method: request.method,
        url: request.url,
        data,
        adapter: (config) => exchangeFor({ ...request, headers }, config, whole),
      });
      if (reply.kind === 'lost') return reply;
      const answer = { ...reply, body: await readBody(reply, request, endsAt - performance.now()) };
      return request.isSecret ? answer : logAnswer(answer);
    },
    stream: async (request) => streamed.send({ ...request, headers: { ...STREAM_HEADERS, ...request.headers } }),
    async close() {
      await Promise.all([whole.close(), streamed.close()]);
    },
  };
}

/** Sends axios's request over our own connection. A loss is returned, not thrown: axios's errors hold the request, with its key. */
async function exchangeFor(
  request: VendorRequest,
  config: InternalAxiosRequestConfig,
  pools: OriginPools,
): Promise<AxiosResponse<StreamReply>> {
  const { method, url, headers, signal, timeoutMs: headersTimeoutMs, maxResponseBytes: maxBodyBytes } = request;
  const reply = await pools.send({ method, url, headers, body: config.data, signal, headersTimeoutMs, maxBodyBytes });
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
