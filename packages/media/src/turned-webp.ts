import type { ByteSource } from './sources/byte-source';

/** The bytes of a WebP before its first chunk. */
const FILE_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** A still WebP has a header, a colour profile, an alpha channel, pixels and two sorts of metadata. */
const MAX_CHUNKS = 16;
/** The orientation stands in the first directory of the metadata. */
const MAX_METADATA_BYTES = 64 * 1024;
const [ANIMATED, HAS_EXIF] = [0x02, 0x08];

/** True where the metadata of a still WebP turns it by a quarter, so that its sides are shown exchanged. Reads no pixels. */
export async function isTurnedWebp(source: ByteSource): Promise<boolean> {
  const head = await source.read(FILE_HEADER_BYTES, FILE_HEADER_BYTES + CHUNK_HEADER_BYTES + 1);
  const flags = head.toString('latin1', 0, 4) === 'VP8X' ? (head[CHUNK_HEADER_BYTES] ?? 0) : 0;
  if ((flags & HAS_EXIF) === 0 || (flags & ANIMATED) !== 0) return false;
  let position = FILE_HEADER_BYTES;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const header = await source.read(position, position + CHUNK_HEADER_BYTES);
    if (header.length < CHUNK_HEADER_BYTES) return false;
    const bytes = header.readUInt32LE(4);
    const start = position + CHUNK_HEADER_BYTES;
    if (header.toString('latin1', 0, 4) === 'EXIF') {
      return isQuarterTurn(await source.read(start, start + Math.min(bytes, MAX_METADATA_BYTES)));
    }
    position = start + bytes + (bytes % 2);
    if (position >= source.totalBytes) return false;
  }
  return false;
}

const PREFIX = 'Exif\0\0';
const [ORIENTATION_TAG, SHORT] = [0x0112, 3];
const ENTRY_BYTES = 12;
/** Orientations from this one on exchange the sides. */
const [FIRST_TURNED, LAST_TURNED] = [5, 8];

/** EXIF is a TIFF: byte order, where the first directory is, and its entries of 12 bytes. */
function isQuarterTurn(exif: Buffer): boolean {
  const tiff = exif.toString('latin1', 0, PREFIX.length) === PREFIX ? exif.subarray(PREFIX.length) : exif;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  if (tiff.length < 8) return false;
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = short(directory);
  for (let at = directory + 2; at < directory + 2 + entries * ENTRY_BYTES && at < tiff.length; at += ENTRY_BYTES) {
    if (short(at) !== ORIENTATION_TAG || short(at + 2) !== SHORT) continue;
    const orientation = short(at + 8);
    return orientation >= FIRST_TURNED && orientation <= LAST_TURNED;
  }
  return false;
}
