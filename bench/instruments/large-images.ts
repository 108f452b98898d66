// A vendor that answers each call with four PNGs of 25 MB in one JSON, as OpenAI's image models do at 4K.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { announce } from '../src/program';

const [IMAGES, IMAGE_CHUNKS, CHUNK_BYTES] = [4, 25, 1024 * 1024];
const USAGE = '"usage":{"input_tokens":60,"output_tokens":196,"total_tokens":256}';

/** Nobody unfolds its pixels, so that random bytes stand for them. */
function png(): Buffer {
  const header = Buffer.from('00000f00000008700802000000', 'hex');
  const pixels = Array.from({ length: IMAGE_CHUNKS }, () => chunk('IDAT', randomBytes(CHUNK_BYTES)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), ...pixels, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  bytes.writeUInt32BE(data.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

const BASE64 = Buffer.from(png().toString('base64'));

function* answer(): Generator<Buffer | string> {
  yield '{"data":[';
  for (let index = 0; index < IMAGES; index += 1) {
    yield index === 0 ? '{"b64_json":"' : ',{"b64_json":"';
    for (let at = 0; at < BASE64.length; at += CHUNK_BYTES) yield BASE64.subarray(at, at + CHUNK_BYTES);
    yield '"}';
  }
  yield `],${USAGE}}`;
}

const server = createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json');
  request.once('end', () => Readable.from(answer(), { objectMode: false }).pipe(response));
});
server.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));
