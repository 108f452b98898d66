import type { MediaBytes } from '@mediagate/contracts';
import type { ByteSource } from './sources/byte-source';
import { withSourceOf } from './sources/file-source';
import { FileView } from './sources/file-view';

/**
 * Finds where an image ends by its own format, in bytes from its beginning; undefined: it ends before it should. Bytes behind
 * the end no viewer shows, and they may be anything: another file, or one that is two kinds of file at once. The sizes that a
 * file names are its own claims, so none is trusted beyond the bytes there are.
 */
export async function endOfImage(
  source: ByteSource,
  contentType: string,
  pieceBytes?: number,
): Promise<number | undefined> {
  const end = await ENDS[contentType]?.(new FileView(source, pieceBytes));
  return end !== undefined && end > 0 && end <= source.totalBytes ? end : undefined;
}

/** The bytes before the end; undefined: all of them. */
export function upToEnd(end: number | undefined, bytes: MediaBytes): MediaBytes {
  if (Buffer.isBuffer(bytes)) return bytes.subarray(0, end);
  const { path, totalBytes } = bytes;
  return end === undefined || end === totalBytes ? bytes : { path, totalBytes: end };
}

const ENDS: Readonly<Record<string, (file: FileView) => Promise<number | undefined>>> = {
  'image/png': endOfPng,
  'image/jpeg': endOfJpeg,
  'image/webp': endOfWebp,
  'image/gif': endOfGif,
  'image/bmp': endOfBmp,
  // An upload becomes another file before it is kept (`toStillImage`).
  'image/avif': async (file) => file.length,
};

/**
 * Chunks of a PNG or a WebP, segments of a JPEG, blocks of a GIF: real files have thousands. Each is crossed in one step, so this and the
 * size of the file bound how long the walk stops the process.
 */
const MAX_PARTS = 100_000;

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const PNG_CHUNK_FRAME_BYTES = 12;
/** `IEND` as a number. */
const PNG_END = 0x49454e44;

async function endOfPng(file: FileView): Promise<number | undefined> {
  let position = PNG_SIGNATURE_BYTES;
  for (let chunks = 0; chunks < MAX_PARTS && position + PNG_CHUNK_FRAME_BYTES <= file.length; chunks += 1) {
    const at = file.offsetOf(position, PNG_CHUNK_FRAME_BYTES) ?? (await file.load(position));
    const next = position + PNG_CHUNK_FRAME_BYTES + file.bytes.readUInt32BE(at);
    if (file.bytes.readUInt32BE(at + 4) === PNG_END) return next;
    position = next;
  }
  return undefined;
}

const MARKER = 0xff;
const END_OF_IMAGE = 0xd9;

/** Goes from marker to marker: segments are skipped by their length, and bytes between them belong to the scan before. */
async function endOfJpeg(file: FileView): Promise<number | undefined> {
  let position = 2;
  for (let segments = 0; segments < MAX_PARTS; segments += 1) {
    const code = await nextCode(file, position);
    if (code >= file.length) return undefined;
    const at = file.offsetOf(code, 1) ?? (await file.load(code));
    if (file.bytes[at] === END_OF_IMAGE) return code + 1;
    const length = code + 1;
    if (length + 2 > file.length) return undefined;
    // Before `file.bytes` is read: a load replaces it.
    const lengthAt = file.offsetOf(length, 2) ?? (await file.load(length));
    position = length + file.bytes.readUInt16BE(lengthAt);
  }
  return undefined;
}

/** Bytes without a marker after which a search for the next one is cheaper than a look at each. */
const BYTES_BEFORE_SEARCH = 64;

/**
 * Looks at each byte near markers, because a search costs as much as dozens of bytes and every second byte may be a marker;
 * searches where there are none, as in most of a scan.
 *
 * @returns where the code of the first marker stands that begins a segment or ends the image; the length if none does.
 */
async function nextCode(file: FileView, start: number): Promise<number> {
  let searchAt = start + BYTES_BEFORE_SEARCH;
  for (let position = start; position + 1 < file.length; ) {
    const offset = file.offsetOf(position, 2) ?? (await file.load(position));
    const { bytes } = file;
    const begin = position - offset;
    let at = offset;
    while (at >= 0 && at + 1 < bytes.length) {
      if (bytes[at] === MARKER) {
        if (!standsAlone(bytes[at + 1])) return begin + at + 1;
        searchAt = begin + at + BYTES_BEFORE_SEARCH;
      }
      at = begin + at < searchAt ? at + 1 : bytes.indexOf(MARKER, at + 1);
    }
    position = begin + (at < 0 ? bytes.length : at);
  }
  return file.length;
}

/** Markers without a segment of their own: stuffed and fill bytes, restarts, the start of the image. */
function standsAlone(code: number | undefined): boolean {
  if (code === undefined) return true;
  return code === 0x00 || code === 0x01 || code === 0xff || (code >= 0xd0 && code <= 0xd8);
}

const WEBP_HEADER_BYTES = 12;
/** Name and length of a chunk. */
const WEBP_CHUNK_FRAME_BYTES = 8;

/** The container names its size. */
async function endOfWebp(file: FileView): Promise<number | undefined> {
  if (file.length < WEBP_HEADER_BYTES) return undefined;
  const end = await endOfWebpChunk(file, 0);
  const last = Math.min(end, file.length) - WEBP_CHUNK_FRAME_BYTES;
  let chunks = 0;
  for (let position = WEBP_HEADER_BYTES; position <= last; position = await endOfWebpChunk(file, position)) {
    chunks += 1;
    if (chunks > MAX_PARTS) return undefined;
  }
  return end;
}

/** A chunk of odd length is padded. */
async function endOfWebpChunk(file: FileView, start: number): Promise<number> {
  const at = file.offsetOf(start, WEBP_CHUNK_FRAME_BYTES) ?? (await file.load(start));
  const length = file.bytes.readUInt32LE(at + 4);
  return start + WEBP_CHUNK_FRAME_BYTES + length + (length % 2);
}

/**
 * A GIF without what follows its first frame, and nothing of one that has no frame: image libraries build every frame of the
 * file that they are given, and there may be a million.
 */
export function firstFrameOfGif(bytes: MediaBytes): Promise<Buffer> {
  return withSourceOf(bytes, async (source) => source.read(0, (await endOfGif(new FileView(source), 1)) ?? 0));
}

const GIF_HEADER_BYTES = 13;
const GIF_IMAGE_BYTES = 10;

/** The end of the GIF, or of so many frames if it has more. */
async function endOfGif(file: FileView, maxFrames = Infinity): Promise<number | undefined> {
  if (file.length < GIF_HEADER_BYTES) return undefined;
  const header = file.offsetOf(0, GIF_HEADER_BYTES) ?? (await file.load(0));
  let position = GIF_HEADER_BYTES + colourTableBytes(file.bytes.readUInt8(header + 10));
  let frames = 0;
  for (let blocks = 0; blocks < MAX_PARTS && position < file.length; blocks += 1) {
    const at = file.offsetOf(position, GIF_IMAGE_BYTES) ?? (await file.load(position));
    switch (file.bytes.readUInt8(at)) {
      case 0x3b:
        return position + 1;
      case 0x21:
        position = await endOfSubBlocks(file, position + 2);
        break;
      case 0x2c: {
        if (position + GIF_IMAGE_BYTES > file.length) return undefined;
        const table = colourTableBytes(file.bytes.readUInt8(at + 9));
        position = await endOfSubBlocks(file, position + GIF_IMAGE_BYTES + table + 1);
        frames += 1;
        if (frames === maxFrames) return position;
        break;
      }
      default:
        return undefined;
    }
  }
  return undefined;
}

/** Three bytes a colour; the lowest three bits of the flags are the power of two, if the highest says that there is one. */
function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** Each block begins with its length; one of no length is the last. A file may have millions, so few are waited for. */
async function endOfSubBlocks(file: FileView, start: number): Promise<number> {
  let position = start;
  while (position < file.length) {
    const at = file.offsetOf(position, 1) ?? (await file.load(position));
    const length = file.bytes[at] ?? 0;
    position += length + 1;
    if (length === 0) return position;
  }
  return position;
}

const BMP_HEADER_BYTES = 54;
/** The size of a header with a colour profile; the profile stands behind the pixels. */
const BMP_PROFILED_HEADER_BYTES = 124;
/** Compressions that leave every row its length: none, and colours by bit masks. */
const BMP_PLAIN = [0, 3, 6];

async function endOfBmp(file: FileView): Promise<number | undefined> {
  if (file.length < BMP_HEADER_BYTES) return undefined;
  if (file.offsetOf(0, BMP_HEADER_BYTES) === undefined) await file.load(0);
  const { bytes } = file;
  const [width, height] = [bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))];
  const rowBytes = Math.floor((bytes.readUInt16LE(28) * width + 31) / 32) * 4;
  const isPlain = BMP_PLAIN.includes(bytes.readUInt32LE(30));
  const end = bytes.readUInt32LE(10) + (isPlain ? rowBytes * height : bytes.readUInt32LE(34));
  if (bytes.readUInt32LE(14) < BMP_PROFILED_HEADER_BYTES || bytes.length < 14 + BMP_PROFILED_HEADER_BYTES) return end;
  const profileEnd = 14 + bytes.readUInt32LE(126) + bytes.readUInt32LE(130);
  return Math.max(end, profileEnd);
}
