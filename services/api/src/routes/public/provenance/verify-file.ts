import { addAbortSignal } from 'node:stream';
import { aboutField, GatewayError, type MediaBytes, type Message, message, unixSeconds } from '@mediagate/contracts';
import type { FoundFingerprint } from '@mediagate/database';
import { EgressError } from '@mediagate/egress';
import { FILE_MAX_BYTES, sniff, withSourceOf } from '@mediagate/media';
import { readProvenance } from '@mediagate/provenance';
import type { Api } from '../../../api';
import { type Call, sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/handler';
import { readJsonObject } from '../../../http/json-body';
import { isFormRequest, readFormFile } from '../../../http/multipart-form';
import { untilCallerLeaves } from '../../../http/until-caller-leaves';
import { requireActive } from '../../../use-cases/caller';
import { CallerLeftError } from '../../../use-cases/caller-connection';
import { invalid, missing } from '../../../use-cases/invalid';
import { FILE_FIELD, judgeArrived } from '../../../use-cases/save-upload';

/** Images that differ in more of the 64 bits do not look alike. */
const MAX_DISTANCE = 10;
const HEAD_BYTES = 4096;
const URL_FIELD = 'url';
const FETCH_MS = 60_000;

/** An image that is not stored row by row is unfolded in memory: up to eight bytes a pixel, one image of a process at a time. */
const MAX_UNFOLDED_PIXELS = 16_000_000;

/** POST /v1/provenance/verify: a form with `file`, or the URL of one. Nothing of it is kept. */
export const verifyFile: KeyHandler = async (call, api) => {
  requireActive(call.caller);
  const { signal } = untilCallerLeaves(call);
  const data = await verify(call, api, signal).catch((error: unknown) => {
    throw signal.aborted ? new CallerLeftError() : error;
  });
  sendJson(call.response, 200, { code: 200, data });
};

async function verify(call: Call, api: Api, signal: AbortSignal) {
  const { caller: owner, files, request } = call;
  files.openUpload(Math.min(FILE_MAX_BYTES, Number(request.headers['content-length'] ?? 0)));
  const { field, content, sha256 } = await receive(call, api, signal);
  const takeMemory = (bytes: number) => files.takeMemory(bytes);
  // The image library reads nothing that was not found good.
  const judged = await judgeArrived(api, { field, content, owner, signal, takeMemory });
  const found = await withSourceOf(content, async (source) => {
    const contentType = sniff(await source.read(0, HEAD_BYTES))?.contentType ?? judged.contentType;
    return { contentType, sources: await readProvenance(source, contentType) };
  });
  const isComparable = (judged.width ?? 0) * (judged.height ?? 0) <= MAX_UNFOLDED_PIXELS;
  const looked = isComparable
    ? api.takeHashes({ bytes: content, contentType: found.contentType }, { owner, signal })
    : [];
  const hashes = await Promise.resolve(looked).catch((error: unknown) => {
    // There was no turn for it, which is not the file's fault.
    throw error instanceof GatewayError ? error : unusable(message('image_unreadable'), field);
  });
  const results = await api.database.findOwnFingerprints({ sha256, hashes, maxDistance: MAX_DISTANCE }, owner);
  return { content_type: found.contentType, sources: found.sources, results: results.map(describeResult) };
}

function describeResult({ taskId, output, kind, isSame, distance, createdAt }: FoundFingerprint) {
  const created = unixSeconds(createdAt);
  return { task_id: taskId, output, kind, same_bytes: isSame, distance: isSame ? 0 : distance, created_at: created };
}

interface Received {
  /** The file's name in messages. */
  field: string;
  content: MediaBytes;
  sha256: Buffer;
}

async function receive(call: Call, api: Api, signal: AbortSignal): Promise<Received> {
  if (isFormRequest(call.request)) {
    const { bytes: content, sha256 } = await readFormFile(call, FILE_FIELD, FILE_MAX_BYTES);
    return { field: FILE_FIELD, content, sha256 };
  }
  const url = (await readJsonObject(call))[URL_FIELD];
  if (url === undefined) throw missing(URL_FIELD, 'required');
  if (typeof url !== 'string') throw invalid(URL_FIELD, 'must_be_string');
  if (api.mediaStore.ownsUrl(url)) return readOwn(call, api, { url, signal });
  const limits = { owner: call.caller, maxBytes: FILE_MAX_BYTES, timeoutMs: FETCH_MS, signal };
  return api.client
    .stream(url, limits, ({ body }) => keep(call, body))
    .catch((error: unknown) => {
      if (!(error instanceof EgressError) || error.reason === 'aborted') throw error;
      throw unusable(error.problem);
    });
}

/** A result or an upload of this service, by its link. */
async function readOwn(
  call: Call,
  { mediaStore }: Pick<Api, 'mediaStore'>,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<Received> {
  const media = await mediaStore.resolveOwnUrl(url);
  if (media === undefined) throw unusable(message('link_gone'));
  return keep(call, addAbortSignal(signal, await mediaStore.open(media.id)));
}

/** Takes the bytes into the files of the request, within their shares. */
async function keep({ files }: Call, body: AsyncIterable<Buffer>): Promise<Received> {
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
