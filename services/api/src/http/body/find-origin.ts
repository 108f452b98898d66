import { addAbortSignal } from 'node:stream';
import {
  aboutField,
  GatewayError,
  type MediaBytes,
  type Message,
  message,
  type Owner,
  unixSeconds,
} from '@mediagate/contracts';
import type { FoundFingerprint, Sought } from '@mediagate/database';
import { EgressError } from '@mediagate/egress';
import { FfmpegError, FILE_MAX_BYTES, sniff, withSourceOf } from '@mediagate/media';
import { maxDistanceOf, type ProvenanceSource, readProvenance, sampledKind } from '@mediagate/provenance';
import type { Api } from '../../api';
import { CallerLeftError } from '../../use-cases/caller-connection';
import { invalid, missing } from '../../use-cases/invalid';
import { FILE_FIELD, judgeArrived } from '../../use-cases/save-upload';
import { untilCallerLeaves } from '../caller-watch';
import type { Exchange } from '../exchange';
import { isJsonRequest, readJsonObject } from './json-body';
import { isFormRequest, readFormFile } from './multipart-form';

/** The parts that fetch, judge and look at files. */
export type OriginParts = Pick<Api, 'mediaStore' | 'client' | 'prober' | 'maxImageBytes' | 'fileLook'>;

/** The asker, and the results that a file is compared with. */
export interface Asked {
  owner: Owner;
  hasResults(): Promise<boolean>;
  findResults(sought: Sought): Promise<FoundFingerprint[]>;
}

export interface Origin {
  sha256: Buffer;
  contentType: string;
  sources: ProvenanceSource[];
  /** The most that it was compared by. */
  compared: 'appearance' | 'bytes' | 'nothing';
  results: FoundFingerprint[];
}

const HEAD_BYTES = 4096;
const URL_FIELD = 'url';
const FETCH_MS = 60_000;

/** Images may be unfolded in memory, up to eight bytes a pixel: one image, and one video or sound, of a process at a time. */
const MAX_UNFOLDED_PIXELS = 16_000_000;
const LOOK_MS = 20_000;

/** Says what a file states about its origin, and which results it resembles: a form with `file`, or the URL of one. Nothing of it is kept. */
export async function findOrigin(exchange: Exchange, parts: OriginParts, asked: Asked): Promise<Origin> {
  const { signal } = untilCallerLeaves(exchange);
  return lookAt(exchange, parts, { ...asked, signal }).catch((error: unknown) => {
    throw signal.aborted ? new CallerLeftError() : error;
  });
}

type Looking = Asked & { signal: AbortSignal };

async function lookAt(exchange: Exchange, parts: OriginParts, looking: Looking): Promise<Origin> {
  const { files, request } = exchange;
  const { owner, signal, findResults } = looking;
  files.openUpload(Math.min(FILE_MAX_BYTES, Number(request.headers['content-length'] ?? 0)));
  const { field, content, sha256 } = await receive(exchange, parts, looking);
  const takeMemory = (bytes: number) => files.takeMemory(bytes);
  // The image library reads nothing that was not found good.
  const judged = await judgeArrived(parts, { field, content, owner, signal, takeMemory });
  const { contentType, sources } = await withSourceOf(content, async (source) => {
    const found = sniff(await source.read(0, HEAD_BYTES))?.contentType ?? judged.contentType;
    return { contentType: found, sources: await readProvenance(source, found) };
  });
  // Nothing is unfolded that is compared with nothing.
  if (!(await looking.hasResults())) return { sha256, contentType, sources, compared: 'nothing', results: [] };
  const pixels = (judged.width ?? 0) * (judged.height ?? 0);
  const onDisk = () => files.onDisk(content);
  const hashes = await hashesOf({ field, content, onDisk, contentType, pixels }, parts, looking);
  const results = await findResults({
    sha256,
    hashes,
    maxDistance: maxDistanceOf(contentType),
    isSound: contentType.startsWith('audio/'),
  });
  return { sha256, contentType, sources, compared: hashes.length > 0 ? 'appearance' : 'bytes', results };
}

interface ToHash extends Pick<Received, 'field' | 'content'> {
  onDisk(): Promise<MediaBytes>;
  contentType: string;
  pixels: number;
}

/** None of what is too large, and of what could not be looked at in time or by ffmpeg: bytes can be compared all the same. */
async function hashesOf(
  { field, content, onDisk, contentType, pixels }: ToHash,
  { fileLook: { takeHashes, hasFfmpeg, lookMs = LOOK_MS, logger } }: OriginParts,
  { owner, signal }: Looking,
): Promise<bigint[]> {
  const isSampled = sampledKind(contentType) !== undefined;
  if (pixels > MAX_UNFOLDED_PIXELS || (isSampled && !hasFfmpeg)) return [];
  const bytes = isSampled ? await onDisk() : content;
  const inTime = AbortSignal.timeout(lookMs);
  return takeHashes({ bytes, contentType }, { owner, signal: AbortSignal.any([signal, inTime]) }).catch((error) => {
    if (!signal.aborted && (inTime.aborted || error instanceof FfmpegError)) {
      logger.warn('file.not_seen', { detail: `a file of ${contentType} is compared by its bytes`, error });
      return [];
    }
    // There was no turn for it, which is not the file's fault.
    throw error instanceof GatewayError ? error : unusable(message('image_unreadable'), field);
  });
}

interface Received {
  /** The file's name in messages. */
  field: string;
  content: MediaBytes;
  sha256: Buffer;
}

async function receive(
  exchange: Exchange,
  { mediaStore, client }: OriginParts,
  { owner, signal }: Looking,
): Promise<Received> {
  if (isFormRequest(exchange.request)) {
    const { bytes: content, sha256 } = await readFormFile(exchange, FILE_FIELD, FILE_MAX_BYTES);
    return { field: FILE_FIELD, content, sha256 };
  }
  if (!isJsonRequest(exchange.request)) throw new GatewayError('unsupported_media_type', message('send_file_or_url'));
  const url = (await readJsonObject(exchange))[URL_FIELD];
  if (url === undefined) throw missing(URL_FIELD, 'required');
  if (typeof url !== 'string') throw invalid(URL_FIELD, 'must_be_string');
  if (mediaStore.ownsUrl(url)) return readOwn(exchange, mediaStore, { url, signal });
  const limits = { owner, maxBytes: FILE_MAX_BYTES, timeoutMs: FETCH_MS, signal };
  return client
    .stream(url, limits, ({ body }) => keep(exchange, body))
    .catch((error: unknown) => {
      if (!(error instanceof EgressError) || error.reason === 'aborted') throw error;
      throw unusable(error.problem);
    });
}

/** A result or an upload of this service, by its link. */
async function readOwn(
  exchange: Exchange,
  mediaStore: OriginParts['mediaStore'],
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<Received> {
  const media = await mediaStore.resolveOwnUrl(url);
  if (media === undefined) throw unusable(message('link_gone'));
  return keep(exchange, addAbortSignal(signal, await mediaStore.open(media.id)));
}

/** Takes the bytes into the files of the request, within their shares. */
async function keep({ files }: Exchange, body: AsyncIterable<Buffer>): Promise<Received> {
  const file = files.newFile();
  for await (const chunk of body) {
    if (file.size + chunk.length > FILE_MAX_BYTES) {
      throw unusable(message('file_too_large', { bytes: file.size + chunk.length, limit: FILE_MAX_BYTES }));
    }
    file.push(chunk);
    await files.backlog();
  }
  return { field: URL_FIELD, sha256: file.sha256(), content: await file.end() };
}

function unusable(problem: Message, field = URL_FIELD): GatewayError {
  return new GatewayError('invalid_request', aboutField(field, problem), { reason: 'bad_media', param: field });
}

/** A file's origin as answers have it. */
export function describeOrigin({ contentType, sources, compared, results }: Origin) {
  return { content_type: contentType, sources, compared, results: results.map(describeResult) };
}

function describeResult({ taskId, output, kind, isSame, distance, createdAt }: FoundFingerprint) {
  const created = unixSeconds(createdAt);
  return { task_id: taskId, output, kind, same_bytes: isSame, distance: isSame ? 0 : distance, created_at: created };
}

/** The same for operators, who see the account of each result. */
export function describeOriginOfAny(origin: Origin) {
  const results = origin.results.map((found) => ({ ...describeResult(found), account_id: found.accountId }));
  return { ...describeOrigin(origin), results };
}
