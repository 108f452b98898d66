import { crc32 } from 'node:zlib';

export interface PlainPng {
  format: 'png';
  width: number;
  height: number;
  hasAlpha: boolean;
}

const SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data; its checksum stands behind them. */
const BEFORE_DATA_BYTES = 8;
const FRAME_BYTES = 12;
/** Far below what the image library takes for a side. */
const MAX_SIDE = 65_535;
const [GRAY, RGB, GRAY_ALPHA, RGB_ALPHA] = [0, 2, 4, 6];
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  [GRAY]: [1, 2, 4, 8, 16],
  [RGB]: [8, 16],
  [GRAY_ALPHA]: [8, 16],
  [RGB_ALPHA]: [8, 16],
};

/** May stand before the pixels, each once, and say nothing about what size the image has. `caBX`: where the image is from. */
const HARMLESS: Readonly<Record<string, (data: Buffer) => boolean>> = {
  gAMA: (data) => data.length === 4 && data.readUInt32BE(0) > 0,
  sRGB: (data) => data.length === 1 && data.readUInt8(0) <= 3,
  pHYs: (data) => data.length === 9 && data.readUInt8(8) <= 1,
  caBX: (data) => data.length > 0,
};

/**
 * Reads the header of a PNG that is as plain as most that models make: every chunk up to its first pixels is there, is known and
 * matches its checksum. Undefined: it has something else, which the image library is to judge.
 */
export function readPlainPng(bytes: Buffer): PlainPng | undefined {
  const header = chunkAt(bytes, SIGNATURE_BYTES);
  const facts = header?.type === 'IHDR' ? readHeader(header.data) : undefined;
  if (header === undefined || facts === undefined) return undefined;
  const seen = new Set<string>();
  for (let { next } = header; ; ) {
    const chunk = chunkAt(bytes, next);
    if (chunk === undefined) return undefined;
    if (chunk.type === 'IDAT') return facts;
    if (seen.has(chunk.type) || HARMLESS[chunk.type]?.(chunk.data) !== true) return undefined;
    seen.add(chunk.type);
    next = chunk.next;
  }
}

interface Chunk {
  type: string;
  data: Buffer;
  /** Where the next one begins. */
  next: number;
}

/** Undefined: the chunk is not there to its end, or does not match its checksum. */
function chunkAt(bytes: Buffer, position: number): Chunk | undefined {
  if (position + FRAME_BYTES > bytes.length) return undefined;
  const start = position + BEFORE_DATA_BYTES;
  const end = start + bytes.readUInt32BE(position);
  if (end + 4 > bytes.length) return undefined;
  const type = bytes.toString('latin1', position + 4, start);
  // The checksum of the pixels is not tested: the library does not read them either.
  const isSound = type === 'IDAT' || crc32(bytes.subarray(position + 4, end)) === bytes.readUInt32BE(end);
  return isSound ? { type, data: bytes.subarray(start, end), next: end + 4 } : undefined;
}

function readHeader(data: Buffer): PlainPng | undefined {
  if (data.length !== 13) return undefined;
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8);
  const isKnown = DEPTHS[colour]?.includes(depth) === true && compression === 0 && filter === 0 && interlace <= 1;
  const isUsual = width > 0 && width <= MAX_SIDE && height > 0 && height <= MAX_SIDE;
  if (!isKnown || !isUsual) return undefined;
  return { format: 'png', width, height, hasAlpha: colour === GRAY_ALPHA || colour === RGB_ALPHA };
}
