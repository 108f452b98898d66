/**
 * Finds where an image ends by its own format, in bytes from its beginning; undefined: it ends before it should. Bytes behind
 * the end no viewer shows, and they may be anything: another file, or one that is two kinds of file at once. The sizes that a
 * file names are its own claims, so none is trusted beyond the bytes there are.
 */
export function endOfImage(bytes: Buffer, contentType: string): number | undefined {
  const end = ENDS[contentType]?.(bytes);
  return end !== undefined && end > 0 && end <= bytes.length ? end : undefined;
}

const ENDS: Readonly<Record<string, (bytes: Buffer) => number | undefined>> = {
  'image/png': endOfPng,
  'image/jpeg': endOfJpeg,
  'image/webp': endOfWebp,
  'image/gif': endOfGif,
  'image/bmp': endOfBmp,
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

function endOfPng(bytes: Buffer): number | undefined {
  let position = PNG_SIGNATURE_BYTES;
  for (let chunks = 0; chunks < MAX_PARTS && position + PNG_CHUNK_FRAME_BYTES <= bytes.length; chunks += 1) {
    const next = position + PNG_CHUNK_FRAME_BYTES + bytes.readUInt32BE(position);
    if (bytes.readUInt32BE(position + 4) === PNG_END) return next;
    position = next;
  }
  return undefined;
}

const MARKER = 0xff;
const END_OF_IMAGE = 0xd9;

/** Goes from marker to marker: segments are skipped by their length, and bytes between them belong to the scan before. */
function endOfJpeg(bytes: Buffer): number | undefined {
  let position = 2;
  for (let segments = 0; segments < MAX_PARTS; segments += 1) {
    const code = nextCode(bytes, position);
    if (bytes[code] === END_OF_IMAGE) return code + 1;
    const length = code + 1;
    if (length + 2 > bytes.length) return undefined;
    position = length + bytes.readUInt16BE(length);
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
function nextCode(bytes: Buffer, start: number): number {
  let searchAt = start + BYTES_BEFORE_SEARCH;
  for (let at = start; at >= 0 && at + 1 < bytes.length; ) {
    if (bytes[at] === MARKER) {
      if (!standsAlone(bytes[at + 1])) return at + 1;
      searchAt = at + BYTES_BEFORE_SEARCH;
    }
    at = at < searchAt ? at + 1 : bytes.indexOf(MARKER, at + 1);
  }
  return bytes.length;
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
function endOfWebp(bytes: Buffer): number | undefined {
  if (bytes.length < WEBP_HEADER_BYTES) return undefined;
  const end = endOfWebpChunk(bytes, 0);
  const last = Math.min(end, bytes.length) - WEBP_CHUNK_FRAME_BYTES;
  let chunks = 0;
  for (let position = WEBP_HEADER_BYTES; position <= last; position = endOfWebpChunk(bytes, position)) {
    chunks += 1;
    if (chunks > MAX_PARTS) return undefined;
  }
  return end;
}

/** A chunk of odd length is padded. */
function endOfWebpChunk(bytes: Buffer, start: number): number {
  const length = bytes.readUInt32LE(start + 4);
  return start + WEBP_CHUNK_FRAME_BYTES + length + (length % 2);
}

/**
 * A GIF without what follows its first frame, and nothing of one that has no frame: image libraries build every frame of the
 * file that they are given, and there may be a million.
 */
export function firstFrameOfGif(bytes: Buffer): Buffer {
  return bytes.subarray(0, endOfGif(bytes, 1) ?? 0);
}

const GIF_HEADER_BYTES = 13;
const GIF_IMAGE_BYTES = 10;

/** The end of the GIF, or of so many frames if it has more. */
function endOfGif(bytes: Buffer, maxFrames = Infinity): number | undefined {
  if (bytes.length < GIF_HEADER_BYTES) return undefined;
  let position = GIF_HEADER_BYTES + colourTableBytes(bytes.readUInt8(10));
  let frames = 0;
  for (let blocks = 0; blocks < MAX_PARTS && position < bytes.length; blocks += 1) {
    switch (bytes.readUInt8(position)) {
      case 0x3b:
        return position + 1;
      case 0x21:
        position = endOfSubBlocks(bytes, position + 2);
        break;
      case 0x2c: {
        if (position + GIF_IMAGE_BYTES > bytes.length) return undefined;
        const table = colourTableBytes(bytes.readUInt8(position + 9));
        position = endOfSubBlocks(bytes, position + GIF_IMAGE_BYTES + table + 1);
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

/** Each block begins with its length; one of no length is the last. */
function endOfSubBlocks(bytes: Buffer, start: number): number {
  let position = start;
  while (position < bytes.length) {
    const length = bytes[position] ?? 0;
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

function endOfBmp(bytes: Buffer): number | undefined {
  if (bytes.length < BMP_HEADER_BYTES) return undefined;
  const [width, height] = [bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))];
  const rowBytes = Math.floor((bytes.readUInt16LE(28) * width + 31) / 32) * 4;
  const isPlain = BMP_PLAIN.includes(bytes.readUInt32LE(30));
  const end = bytes.readUInt32LE(10) + (isPlain ? rowBytes * height : bytes.readUInt32LE(34));
  if (bytes.readUInt32LE(14) < BMP_PROFILED_HEADER_BYTES || bytes.length < 14 + BMP_PROFILED_HEADER_BYTES) return end;
  const profileEnd = 14 + bytes.readUInt32LE(126) + bytes.readUInt32LE(130);
  return Math.max(end, profileEnd);
}
