import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { serve } from './fixtures';

export interface FileServer {
  origin: string;
  /** `range` headers, in the order they came; undefined: the whole file was asked for. */
  asked: (string | undefined)[];
  /** The bytes sent in all answers together. */
  sentBytes(): number;
  close(): Promise<void>;
}

export type Manner =
  /** As a good server does. */
  | 'ranges'
  /** Knows no parts, and says how large the file is. */
  | 'whole'
  /** Knows no parts, and does not say. */
  | 'chunked'
  /** Compresses whatever it sends, parts too. */
  | 'gzip';

/** Serves one file, whatever the path. */
export async function serveFile(bytes: Buffer, manner: Manner = 'ranges', host?: string): Promise<FileServer> {
  const asked: (string | undefined)[] = [];
  let sent = 0;
  const isInParts = manner === 'ranges' || manner === 'gzip';
  const [answer, file] = [isInParts ? answerPart : answerWhole, manner === 'gzip' ? gzipSync(bytes) : bytes];
  const site = await serve((request, response) => {
    asked.push(request.headers.range);
    response.on('close', () => {
      sent += response.socket?.bytesWritten ?? 0;
    });
    if (manner === 'gzip') response.setHeader('content-encoding', 'gzip');
    answer(file, manner, { request, response });
  }, host);
  return { ...site, asked, sentBytes: () => sent };
}

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
}

function answerPart(bytes: Buffer, _manner: Manner, { request, response }: Call): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) {
    response.end(bytes);
    return;
  }
  const [start, end] = [Number(from), Math.min(Number(to), bytes.length - 1)];
  if (start > end) response.writeHead(416).end();
  else
    response
      .writeHead(206, { 'content-range': `bytes ${start}-${end}/${bytes.length}` })
      .end(bytes.subarray(start, end + 1));
}

function answerWhole(bytes: Buffer, manner: Manner, { response }: Call): void {
  if (manner === 'whole') response.setHeader('content-length', bytes.length);
  let position = 0;
  const pump = () => {
    while (position < bytes.length) {
      const chunk = bytes.subarray(position, position + 16_384);
      position += chunk.length;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on('drain', pump);
  pump();
}
