import { Readable } from 'node:stream';
import { GatewayError, message } from '@mediagate/contracts';
import { MediaGoneError, type MediaStore, type StoredMedia } from '@mediagate/media';
import type { Response } from 'express';
import { beginStream } from '../../../http/answers/event-comments';
import { sendStream } from '../../../http/answers/send-stream';

/** The text around files in base64. */
export interface FileFrame {
  contentType: string;
  open: string;
  /** Before and after the base64 of one file. */
  around(file: StoredMedia, index: number): [before: string, after: string];
  close: string;
}

type Store = Pick<MediaStore, 'resolveOwnUrl' | 'open'>;

/** Bytes that make whole groups of base64. */
const GROUP_BYTES = 3;

/**
 * Answers with the files themselves in base64, as they are read: none of them is held in memory.
 *
 * @throws GatewayError `gone` for a file that has expired; CallerLeftError.
 */
export async function sendFiles(
  response: Response,
  urls: readonly string[],
  { frame, store }: { frame: FileFrame; store: Store },
): Promise<void> {
  const files = await Promise.all(urls.map((url) => findFile(url, store)));
  const contents = await Promise.all(files.map(async (file) => ({ file, content: await openFile(file.id, store) })));
  response.statusCode = 200;
  beginStream(response, frame.contentType);
  try {
    await sendStream(Readable.from(pieces(frame, contents), { objectMode: false }), response);
  } finally {
    for (const { content } of contents) content.destroy();
  }
}

interface OpenedFile {
  file: StoredMedia;
  content: Readable;
}

async function* pieces({ open, around, close }: FileFrame, contents: readonly OpenedFile[]): AsyncGenerator<string> {
  yield open;
  for (const [index, { file, content }] of contents.entries()) {
    const [before, after] = around(file, index);
    yield before;
    yield* inBase64(content);
    yield after;
  }
  yield close;
}

async function* inBase64(content: Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - (bytes.length % GROUP_BYTES);
    yield bytes.toString('base64', 0, end);
    rest = bytes.subarray(end);
  }
  yield rest.toString('base64');
}

async function findFile(url: string, store: Store): Promise<StoredMedia> {
  const file = await store.resolveOwnUrl(url);
  if (file === undefined) throw gone();
  return file;
}

async function openFile(id: string, store: Store): Promise<Readable> {
  try {
    return await store.open(id);
  } catch (error) {
    throw error instanceof MediaGoneError ? gone() : error;
  }
}

function gone(): GatewayError {
  return new GatewayError('gone', message('file_expired'));
}
