import { crc32, deflateSync } from 'node:zlib';

/** Parts of each image: image libraries keep, or walk through, every one. */
const PARTS = 1_000_000;

const repeated = (part: Buffer) => Buffer.alloc(part.length * PARTS, part);

/** Images of some megabytes whose header is in order and small, and that hold a million parts. */
export const IMAGES_OF_MANY_PARTS = {
  'a GIF of a million frames': gif,
  'a JPEG of a million segments': jpeg,
  'a PNG of a million chunks': png,
  'a WebP of a million chunks': webp,
} satisfies Record<string, () => Buffer>;

/** Each frame is one pixel of the first colour. */
function gif(): Buffer {
  const screen = Buffer.from([1, 0, 1, 0, 0x80, 0, 0]);
  const colours = Buffer.from([0, 0, 0, 255, 255, 255]);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]);
  return Buffer.concat([Buffer.from('GIF89a'), screen, colours, repeated(frame), Buffer.from([0x3b])]);
}

/** Metadata between the start and the description of an image. */
function jpeg(): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0]);
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0]);
  const metadata = Buffer.from([0xff, 0xe1, 0, 8, ...Buffer.from('Exif\0\0')]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), repeated(metadata), frame, scan, Buffer.from([0xff, 0xd9])]);
}

function png(): Buffer {
  const header = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    repeated(pngChunk('tEXt', Buffer.alloc(0))),
    pngChunk('IDAT', deflateSync(Buffer.alloc(17 * 16))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** An extended header of 16 x 16 pixels, then chunks that no reader knows. */
function webp(): Buffer {
  const header = webpChunk('VP8X', Buffer.from([0, 0, 0, 0, 15, 0, 0, 15, 0, 0]));
  const chunks = Buffer.concat([Buffer.from('WEBP'), header, repeated(webpChunk('JUNK', Buffer.alloc(0)))]);
  return webpChunk('RIFF', chunks);
}

function webpChunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), length, content]);
}
