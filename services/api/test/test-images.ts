import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour with an alpha channel; `declared` says another size in its header than its pixels have. */
export function pngOf(width: number, height: number, declared: { width: number; height: number } = { width, height }) {
  return encode({ width, height, channels: 4, declared });
}

/** The same without an alpha channel. */
export function opaquePngOf(width: number, height: number) {
  return encode({ width, height, channels: 3, declared: { width, height } });
}

/** One of many colours, which takes as many bytes as it has pixels thrice. */
export function noisyPngOf(width: number, height: number) {
  const declared = { width, height };
  return encode({ width, height, channels: 3, declared, row: () => randomBytes(3 * width) });
}

interface Image {
  width: number;
  height: number;
  channels: 3 | 4;
  declared: { width: number; height: number };
  /** The pixels of one; default: all of one colour. */
  row?: () => Buffer;
}

function encode({
  width,
  height,
  channels,
  declared,
  row = () => Buffer.alloc(width * channels, 0x7f),
}: Image): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(declared.width, 0);
  header.writeUInt32BE(declared.height, 4);
  // Eight bits a channel; red green blue, with alpha or without.
  header.set([8, channels === 4 ? 6 : 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.from([0]), row()]));
  const pixels = deflateSync(Buffer.concat(rows));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

export function fileOf(bytes: Buffer, type = 'application/octet-stream'): Blob {
  return new Blob([new Uint8Array(bytes)], { type });
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
