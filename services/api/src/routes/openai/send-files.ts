import { Readable } from 'node:stream';
import { GatewayError, type JsonObject, message } from '@mediagate/contracts';
import { MediaGoneError, type MediaStore, type StoredMedia } from '@mediagate/media';
import type { Response } from 'express';
import { sendStream } from '../../http/send-stream';

interface FilesAnswer {
  urls: readonly string[];
  /** Fields of the answer beside `data`. */
  fields: JsonObject;
}

type Store = Pick<MediaStore, 'resolveOwnUrl' | 'open'>;

/** Bytes that make whole groups of base64. */
const GROUP_BYTES = 3;

/**
 * Answers with the files themselves in base64, as they are read: none of them is held in memory.
 *
 * @throws GatewayError `gone` for a file that has expired; CallerLeftError.
 */
export async function sendFiles(response: Response, { urls, fields }: FilesAnswer, store: Store): Promise<void> {
  const files = await Promise.all(urls.map((url) => findFile(url, store)));
  const contents = await Promise.all(files.map(({ id }) => openFile(id, store)));
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  try {
    await sendStream(Readable.from(pieces(fields, contents), { objectMode: false }), response);
  } finally {
    for (const content of contents) content.destroy();
  }
}

async function* pieces(fields: JsonObject, contents: readonly Readable[]): AsyncGenerator<string> {
  const head = JSON.stringify(fields).slice(0, -1);
  yield `${head},"data":[`;
  for (const [index, content] of contents.entries()) {
    yield index === 0 ? '{"b64_json":"' : ',{"b64_json":"';
    yield* inBase64(content);
    yield '"}';
  }
  yield ']}';
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
