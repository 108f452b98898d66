import { GatewayError, message } from '@mediagate/contracts';
import { MediaGoneError, type StoredMedia } from '@mediagate/media';
import type { Response } from 'express';
import {
  answerUnchanged,
  type ByteRange,
  requestedRange,
  setHeaders,
  type VersionHeaders,
} from '../../../http/answers/conditional';
import { sendStream } from '../../../http/answers/send-stream';
import type { OpenHandler } from '../../../http/route';
import { findFile, gone } from './find-file';

/**
 * GET and HEAD /v1/files/{name}.{extension}: results and uploads, by signed link and without a key. Streams from the storage, in parts
 * where asked for, or leads to the storage. What is served came from callers and upstreams, so the headers make a browser treat it as
 * nothing but a file.
 */
export const getFile: OpenHandler = async (exchange, api) => {
  const { request, response } = exchange;
  const file = await findFile(request, api);
  const headers = fileHeaders(file);
  if (answerUnchanged(exchange, headers)) return;
  const address = request.method === 'HEAD' ? undefined : await unlessGone(api.mediaStore.addressOf(file.id));
  if (address !== undefined) return leadTo(response, address);
  const range = requestedRange(request.headers, file.bytes, headers.ETag);
  if (range === 'unsatisfiable') throw unsatisfiable(response, file);
  const part = range === 'whole' ? undefined : range;
  // Opened before the headers are sent, so that a missing object can still be a 404.
  const content = request.method === 'HEAD' ? undefined : await unlessGone(api.mediaStore.open(file.id, part));
  setHeaders(response, headers);
  describePart(response, file, part);
  if (content) await sendStream(content, response);
  else response.end();
};

/** The address lapses sooner than the file, so nobody keeps it. */
function leadTo(response: Response, address: string): void {
  response.setHeader('Cache-Control', 'no-store');
  response.redirect(302, address);
}

function unlessGone<T>(found: Promise<T>): Promise<T> {
  return found.catch((error: unknown) => {
    throw error instanceof MediaGoneError ? gone() : error;
  });
}

function fileHeaders(file: StoredMedia): VersionHeaders {
  const secondsLeft = Math.max(0, Math.floor((file.expiresAt.getTime() - Date.now()) / 1000));
  return {
    ETag: `"${file.sha256}"`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': `private, max-age=${secondsLeft}, immutable`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

function describePart(response: Response, file: StoredMedia, part: ByteRange | undefined): void {
  response.statusCode = part ? 206 : 200;
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Length', part ? part.end - part.start + 1 : file.bytes);
  if (part) response.setHeader('Content-Range', `bytes ${part.start}-${part.end}/${file.bytes}`);
}

function unsatisfiable(response: Response, file: StoredMedia): GatewayError {
  response.setHeader('Content-Range', `bytes */${file.bytes}`);
  return new GatewayError('range_not_satisfiable', message('range_beyond_end', { bytes: file.bytes }));
}
