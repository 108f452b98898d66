import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../clock';
import { durationMs } from '../faults/scenarios';
import type { Journal } from '../journal/journal';
import { hangUpSignal, trickle } from '../streaming';
import { type AssetFault, LATE_MS } from './asset-fault';
import type { Asset } from './asset-store';
import type { Content } from './content';

export interface AssetSurroundings {
  find(id: string): Asset | undefined;
  journal: Journal;
  clock: Clock;
  closing: AbortSignal;
}

/** `GET /assets/:id?exp=`: the file with length, range and ETag, until it expires; in an object store's own words. */
export function serveAsset({ find, journal, clock, closing }: AssetSurroundings): RequestHandler {
  return async (request, response) => {
    const entry = journal.open({ wire: 'assets', operation: 'download', method: request.method, path: request.path });
    const asset = find(String(request.params['id']));
    const fault = asset?.fault && strikes(asset.fault, clock) ? asset.fault : undefined;
    if (fault) {
      fault.left -= 1;
      entry.scenarios.push(fault.name);
    }
    if (!asset || fault?.name === 'asset-404' || fault?.name === 'asset-late') storeError(response, 404, 'NoSuchKey');
    else if (fault?.name === 'asset-410') storeError(response, 410, 'Gone');
    else if (!isLinkValid(request, asset, clock)) storeError(response, 403, 'AccessDenied');
    else if (fault?.name === 'asset-cut') await sendFile(request, response, cutShort(await asset.open()));
    else if (fault) await spoilDownload(response, await asset.open(), { fault, clock, closing });
    else await sendFile(request, response, await asset.open());
    entry.replyStatus = response.statusCode;
    entry.ending = 'replied';
    journal.touch();
  };
}

function strikes(fault: AssetFault, clock: Clock): boolean {
  if (fault.name !== 'asset-late') return fault.left > 0;
  fault.untilMs ??= clock.now() + durationMs(fault.value, LATE_MS);
  return clock.now() < fault.untilMs;
}

/** Whatever part of the file is asked for, the connection ends after half of it. */
function cutShort(content: Content): Content {
  return {
    ...content,
    stream({ start, end }) {
      const whole = content.stream({ start, end });
      return Readable.from(firstBytes(whole, Math.ceil((end - start + 1) / 2)));
    },
  };
}

async function* firstBytes(source: Readable, most: number): AsyncGenerator<Buffer> {
  let sent = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, most - sent);
    sent += chunk.length;
    if (sent >= most) throw new CutShortError();
  }
}

/** The simulator's own doing. */
class CutShortError extends Error {}

function isLinkValid(request: Request, asset: Asset, clock: Clock): boolean {
  return Number(request.query['exp']) * 1_000 === asset.expiresAtMs && clock.now() < asset.expiresAtMs;
}

function storeError(response: Response, status: number, code: string): void {
  response.status(status).type('application/xml');
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);
}

async function sendFile(request: Request, response: Response, content: Content): Promise<void> {
  response.set({ 'accept-ranges': 'bytes', etag: content.etag, 'content-type': content.contentType });
  const whole = { start: 0, end: content.lengthBytes - 1 };
  const range = requestedRange(request, content);
  if (range === 'unsatisfiable') {
    response.set('content-range', `bytes */${content.lengthBytes}`);
    return void response.status(416).end();
  }
  const { start, end } = range ?? whole;
  if (range) response.status(206).set('content-range', `bytes ${start}-${end}/${content.lengthBytes}`);
  response.set('content-length', String(end - start + 1));
  await pipeline(content.stream({ start, end }), response).catch((error: unknown) => {
    // Players hang up in the middle all the time; anything else is a fault of the simulator.
    if (!response.destroyed && !(error instanceof CutShortError)) throw error;
  });
}

function requestedRange(
  request: Request,
  content: Content,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const ifRange = request.get('if-range');
  if (ifRange !== undefined && ifRange !== content.etag) return undefined;
  const ranges = request.range(content.lengthBytes);
  if (ranges === -1) return 'unsatisfiable';
  // A malformed header, another unit, or several ranges: the whole file is a right answer.
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

const SLOW_DOWNLOAD_MS = 5_000;

async function spoilDownload(
  response: Response,
  content: Content,
  { fault, clock, closing }: { fault: AssetFault; clock: Clock; closing: AbortSignal },
): Promise<void> {
  const stop = hangUpSignal(response, closing);
  const bytes = await content.bytes();
  switch (fault.name) {
    case 'asset-truncated':
      response.writeHead(200, { 'content-type': content.contentType, 'content-length': bytes.length });
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
      return;
    case 'asset-slow':
      response.writeHead(200, { 'content-type': content.contentType, 'content-length': bytes.length });
      await trickle(response, bytes, { clock, stop, totalMs: durationMs(fault.value, SLOW_DOWNLOAD_MS) });
      response.end();
      return;
    case 'asset-404':
    case 'asset-410':
    case 'asset-late':
    case 'asset-cut':
      throw new Error(`${fault.name} is answered before the file is opened`);
  }
}
