/**
 * Where a picture ends by its own format, in bytes from its beginning; undefined: it ends before it should. What stands
 * behind that no viewer shows, and it may be anything: another file, or one that is two kinds of file at once. The sizes that
 * a file names are its own claims, so none is trusted beyond the bytes there are.
 */
export function endOfPicture(bytes: Buffer, contentType: string): number | undefined {
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

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const PNG_CHUNK_FRAME_BYTES = 12;

function endOfPng(bytes: Buffer): number | undefined {
  for (let position = PNG_SIGNATURE_BYTES; position + PNG_CHUNK_FRAME_BYTES <= bytes.length; ) {
    const next = position + PNG_CHUNK_FRAME_BYTES + bytes.readUInt32BE(position);
    if (bytes.toString('latin1', position + 4, position + 8) === 'IEND') return next;
    position = next;
  }
  return undefined;
}

const END_OF_IMAGE = 0xd9;

/** Markers without a segment of their own: stuffed and fill bytes, restarts, the start of the image. */
function standsAlone(marker: number): boolean {
  return marker === 0x00 || marker === 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8);
}

/** From marker to marker: segments are skipped by their length, and what is between them belongs to the scan before. */
function endOfJpeg(bytes: Buffer): number | undefined {
  for (let position = bytes.indexOf(0xff, 2); position >= 0 && position + 1 < bytes.length; ) {
    const marker = bytes.readUInt8(position + 1);
    if (marker === END_OF_IMAGE) return position + 2;
    let next = position + (marker === 0xff ? 1 : 2);
    if (!standsAlone(marker)) {
      if (next + 2 > bytes.length) return undefined;
      next += bytes.readUInt16BE(next);
    }
    position = bytes.indexOf(0xff, next);
  }
  return undefined;
}

/** The container names its size; a chunk of odd length is padded. */
function endOfWebp(bytes: Buffer): number | undefined {
  if (bytes.length < 12) return undefined;
  const size = bytes.readUInt32LE(4);
  return 8 + size + (size % 2);
}

const GIF_HEADER_BYTES = 13;
const GIF_IMAGE_BYTES = 10;

function endOfGif(bytes: Buffer): number | undefined {
  if (bytes.length < GIF_HEADER_BYTES) return undefined;
  let position = GIF_HEADER_BYTES + colourTableBytes(bytes.readUInt8(10));
  while (position < bytes.length) {
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

/** Each begins with its length; one of no length is the last. */
function endOfSubBlocks(bytes: Buffer, start: number): number {
  let position = start;
  while (position < bytes.length) {
    const length = bytes.readUInt8(position);
    position += length + 1;
    if (length === 0) return position;
  }
  return position;
}

const BMP_HEADER_BYTES = 54;
/** Of the header with a colour profile, which stands behind the pixels. */
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
