// The floor of images that come in answers: a program that decodes base64 as it comes, hashes it and writes it to files. No JSON, no task,
// no judging, no storage.
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { announce, serveOrders } from '../src/program';

const { FOLDER = '' } = process.env;
const QUOTE = 0x22;
/** Strings of the answer that are no image are shorter. */
const SHORT_BYTES = 32;

interface Order {
  url: string;
  tasks: number;
}

/** The image that is being written. */
interface Image {
  file: WriteStream;
  hash: Hash;
  /** Less than four letters. */
  rest: string;
}

async function take(url: string, task: number): Promise<number> {
  const call = request(url, { method: 'POST' }).end('{}');
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let [isString, image, bytes, images]: [boolean, Image | undefined, number, number] = [false, undefined, 0, 0];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; ) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote < 0 ? chunk.length : quote;
      if (isString && (image !== undefined || end - at > SHORT_BYTES || quote < 0)) {
        image ??= open(join(FOLDER, `${task}-${images++}`));
        bytes += await write(image, chunk.toString('latin1', at, end));
      }
      if (quote >= 0 && isString) image = close(image);
      if (quote >= 0) isString = !isString;
      at = end + 1;
    }
  }
  return bytes;
}

function open(path: string): Image {
  return { file: createWriteStream(path), hash: createHash('sha256'), rest: '' };
}

async function write(image: Image, text: string): Promise<number> {
  const letters = image.rest + text;
  const whole = letters.length - (letters.length % 4);
  image.rest = letters.slice(whole);
  const bytes = Buffer.from(letters.slice(0, whole), 'base64');
  image.hash.update(bytes);
  if (!image.file.write(bytes)) await once(image.file, 'drain');
  return bytes.length;
}

function close(image: Image | undefined): undefined {
  image?.hash.digest();
  image?.file.end();
  return undefined;
}

serveOrders<Order>(async ({ url, tasks }) => {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const taken = await Promise.all(Array.from({ length: tasks }, (_, index) => take(url, index)));
  return { bytes: taken.reduce((sum, each) => sum + each, 0), delayMs: delays.percentile(99) / 1e6 };
});
announce();
