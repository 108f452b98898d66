import { crc32 } from 'node:zlib';
import { boxesIn, C2PA_UUID, XMP_UUID } from '../carriers/bmff';
import { segmentsOf } from '../carriers/jpeg';
import { CarrierError, type PieceReader, type Range } from '../piece-reader';
import type { Edit } from './edit';

/** Says how statements are put into a file. @throws CarrierError where they cannot be */
export type Place = (file: PieceReader, statements: Statements, sides: Sides) => Promise<Edit[]>;

export interface Statements {
  /** For a file that has none. */
  xmp?: Buffer | undefined;
  /** A store of manifests, and the bytes of the one that it takes the place of. */
  store?: { bytes: Buffer; inPlaceOf?: Range | undefined } | undefined;
}

export interface Sides {
  width?: number | undefined;
  height?: number | undefined;
}

export const PLACES: Readonly<Record<string, Place>> = {
  'image/png': inPng,
  'image/jpeg': inJpeg,
  'image/webp': inWebp,
  'audio/wav': inWav,
  'audio/mpeg': inMp3,
  'audio/mp4': inBmff,
  'video/mp4': inBmff,
  'video/quicktime': inBmff,
};

/** How a container holds statements. Bytes before and behind a store are covered by its signature. */
interface Frames {
  xmp(xmp: Buffer): Buffer;
  store(store: Buffer): Buffer;
  beforeStore?(store: Buffer): Buffer;
  behindStore?(store: Buffer): Buffer;
}

const NOTHING = Buffer.alloc(0);

/** Puts each statement in its frame at a place; a store takes the place of another one where there is one. */
function framed({ xmp, store }: Statements, at: number, frames: Frames): Edit[] {
  const edits = xmp === undefined ? [] : [insertAt(at, frames.xmp(xmp))];
  if (store === undefined) return edits;
  const { bytes, inPlaceOf: { start, end } = { start: at, end: at } } = store;
  edits.push(
    { at: start, remove: end - start, insert: frames.beforeStore?.(bytes) ?? NOTHING },
    { ...insertAt(end, frames.store(bytes)), frame: frames.store },
    insertAt(end, frames.behindStore?.(bytes) ?? NOTHING),
  );
  return edits.toSorted((one, other) => one.at - other.at);
}

/** The number of bytes by which edits make a file longer. */
function growthBy(edits: readonly Edit[]): number {
  return edits.reduce((sum, { remove, insert }) => sum + insert.length - remove, 0);
}

/** The signature, and the chunk that has to be the first. */
const PNG_HEAD_BYTES = 33;

async function inPng(_file: PieceReader, statements: Statements): Promise<Edit[]> {
  const keyword = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');
  return framed(statements, PNG_HEAD_BYTES, {
    xmp: (xmp) => pngChunk('iTXt', Buffer.concat([keyword, xmp])),
    store: (store) => pngChunk('caBX', store),
  });
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([bigEndian(data.length), body, bigEndian(crc32(body))]);
}

/** Behind the segment that says that the file is JFIF or Exif, which has to be the first. */
async function inJpeg(file: PieceReader, statements: Statements): Promise<Edit[]> {
  const { value: first } = await segmentsOf(file).next();
  const isForm = first && (first.marker === 0xe0 || (first.marker === 0xe1 && (await isExif(file, first.start))));
  const name = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
  return framed(statements, isForm ? first.end : 2, {
    xmp: (xmp) => jpegSegment(0xe1, name, xmp),
    store: jpegSegments,
  });
}

async function isExif(file: PieceReader, segment: number): Promise<boolean> {
  return (await file.read(segment + 4, 4)).toString('latin1') === 'Exif';
}

function jpegSegment(marker: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

const BOX_HEAD_BYTES = 8;
/** A segment has 65,533 bytes, of which 16 say which piece of which box it is. */
const PIECE_BYTES = 65_000;
/** The word for boxes, and a number that all pieces of one box have. */
const PIECE_HEAD = Buffer.from('JP\x02\x11', 'latin1');

/** A box in pieces, each of which repeats its length and type. */
function jpegSegments(store: Buffer): Buffer {
  const head = store.subarray(0, BOX_HEAD_BYTES);
  const segments: Buffer[] = [];
  for (let start = BOX_HEAD_BYTES; start < store.length; start += PIECE_BYTES) {
    const number = bigEndian(segments.length + 1);
    segments.push(jpegSegment(0xeb, PIECE_HEAD, number, head, store.subarray(start, start + PIECE_BYTES)));
  }
  return Buffer.concat(segments);
}

const RIFF_HEAD_BYTES = 12;
const RIFF_CHUNK_HEAD_BYTES = 8;
const HAS_XMP = 0x04;
const HAS_ALPHA = 0x10;

/** XMP wants the extended form of WebP, whose first chunk says what the file holds. */
async function inWebp(file: PieceReader, statements: Statements, sides: Sides): Promise<Edit[]> {
  const head = await file.read(0, RIFF_HEAD_BYTES + 18);
  const end = await endOfRiff(file, head);
  const form = statements.xmp === undefined ? [] : [extendedForm(head, sides)];
  return withSizeOfRiff(end, [...form, ...(await inChunks(file, statements, { end, xmpName: 'XMP ' }))]);
}

function extendedForm(head: Buffer, { width = 0, height = 0 }: Sides): Edit {
  const type = head.toString('latin1', 12, 16);
  if (type === 'VP8X') return insteadOf(20, Buffer.from([head.readUInt8(20) | HAS_XMP]));
  if (width === 0 || height === 0) throw new CarrierError('its sides are not known');
  const hasAlpha = type === 'VP8L' && (head.readUInt8(24) & 0x10) !== 0;
  const form = Buffer.alloc(10);
  form[0] = HAS_XMP | (hasAlpha ? HAS_ALPHA : 0);
  form.writeUIntLE(width - 1, 4, 3);
  form.writeUIntLE(height - 1, 7, 3);
  return insertAt(RIFF_HEAD_BYTES, riffChunk('VP8X', form));
}

async function inWav(file: PieceReader, statements: Statements): Promise<Edit[]> {
  const end = await endOfRiff(file, await file.read(0, RIFF_HEAD_BYTES));
  return withSizeOfRiff(end, await inChunks(file, statements, { end, xmpName: '_PMX' }));
}

async function inChunks(
  file: PieceReader,
  statements: Statements,
  { end, xmpName }: { end: number; xmpName: string },
): Promise<Edit[]> {
  const before = statements.store?.inPlaceOf;
  const isChunk = before === undefined || (await file.read(before.start, 4)).toString('latin1') === 'C2PA';
  if (!isChunk) throw new CarrierError('its manifest is within another chunk');
  return framed(statements, end, {
    xmp: (xmp) => riffChunk(xmpName, xmp),
    store: (store) => riffChunk('C2PA', store).subarray(0, RIFF_CHUNK_HEAD_BYTES + store.length),
    behindStore: (store) => Buffer.alloc(store.length % 2),
  });
}

/** Chunks behind this place are of no viewer. Writers who did not know the size wrote another. */
async function endOfRiff({ totalBytes }: PieceReader, head: Buffer): Promise<number> {
  const end = head.readUInt32LE(4) + 8;
  if (end !== totalBytes || end % 2 !== 0) throw new CarrierError('its header does not say where it ends');
  return end;
}

function withSizeOfRiff(end: number, edits: readonly Edit[]): Edit[] {
  return [insteadOf(4, littleEndian(end + growthBy(edits) - 8)), ...edits];
}

function riffChunk(name: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name, 'latin1'), littleEndian(data.length), data, Buffer.alloc(data.length % 2)]);
}

const TAG_HEAD_BYTES = 10;
/** The encoding of the texts, the type of the data, and no name and no description of them. */
const STORE_HEAD = Buffer.from('\0application/c2pa\0\0\0', 'latin1');

/** Frames at the beginning of the tag that there is, or a tag of their own. */
async function inMp3(file: PieceReader, statements: Statements): Promise<Edit[]> {
  const head = await file.read(0, TAG_HEAD_BYTES);
  const hasTag = head.toString('latin1', 0, 3) === 'ID3';
  const version = hasTag ? head.readUInt8(3) : 3;
  if (hasTag && (version < 3 || head.readUInt8(5) !== 0)) throw new CarrierError('its ID3 tag is of an unusual form');
  const sizeOf = version === 3 ? bigEndian : sevenBits;
  const headOf = (name: string, bytes: number) =>
    Buffer.concat([Buffer.from(name, 'latin1'), sizeOf(bytes), Buffer.alloc(2)]);
  const edits = framed(statements, hasTag ? TAG_HEAD_BYTES : 0, {
    xmp: (xmp) => Buffer.concat([headOf('PRIV', 4 + xmp.length), Buffer.from('XMP\0', 'latin1'), xmp]),
    beforeStore: ({ length }) => Buffer.concat([headOf('GEOB', STORE_HEAD.length + length), STORE_HEAD]),
    store: (store) => store,
  });
  const growth = growthBy(edits);
  if (!hasTag) return [insertAt(0, Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), sevenBits(growth)])), ...edits];
  const before = [...head.subarray(6)].reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return [insteadOf(6, sevenBits(before + growth)), ...edits];
}

/** At the end, so that no place that an index names moves. A manifest that another takes the place of becomes free space. */
async function inBmff(file: PieceReader, { xmp, store }: Statements): Promise<Edit[]> {
  const last = (await boxesIn(file)).at(-1);
  const isClosed = last?.end === file.totalBytes && (await file.read(last.start, 4)).readUInt32BE(0) !== 0;
  if (!isClosed) throw new CarrierError('its last box does not say where it ends');
  const before = store?.inPlaceOf;
  const freed = before === undefined ? [] : [insteadOf(before.start + 4, Buffer.from('free', 'latin1'))];
  const statements = { xmp, store: store && { bytes: store.bytes } };
  return [
    ...freed,
    ...framed(statements, file.totalBytes, {
      xmp: (bytes) => uuidBox(XMP_UUID, bytes),
      store: (bytes) => uuidBox(C2PA_UUID, MANIFEST_PURPOSE, bytes),
    }),
  ];
}

/** Version and flags, the purpose, and that there is no hash tree. */
const MANIFEST_PURPOSE = Buffer.from('\0\0\0\0manifest\0\0\0\0\0\0\0\0\0', 'latin1');

function uuidBox(uuid: string, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('uuid', 'latin1'), Buffer.from(uuid, 'hex'), ...contents]);
  return Buffer.concat([bigEndian(body.length + 4), body]);
}

function insertAt(at: number, insert: Buffer): Edit {
  return { at, remove: 0, insert };
}

function insteadOf(at: number, insert: Buffer): Edit {
  return { at, remove: insert.length, insert };
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A number of ID3: four times seven bits. */
function sevenBits(value: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));
}
