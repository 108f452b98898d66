import { crc32 } from 'node:zlib';
import { boxesIn } from '../carriers/bmff';
import { segmentsOf } from '../carriers/jpeg';
import { CarrierError, type PieceReader } from '../piece-reader';
import type { Edit } from './edit';

/** Says how XMP is put into a file that has none. @throws CarrierError where it cannot be */
export type Place = (file: PieceReader, xmp: Buffer, sides: Sides) => Promise<Edit[]>;

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

/** The signature, and the chunk that has to be the first. */
const PNG_HEAD_BYTES = 33;

async function inPng(_file: PieceReader, xmp: Buffer): Promise<Edit[]> {
  const body = Buffer.concat([Buffer.from('iTXtXML:com.adobe.xmp\0\0\0\0\0', 'latin1'), xmp]);
  return [insertAt(PNG_HEAD_BYTES, Buffer.concat([bigEndian(body.length - 4), body, bigEndian(crc32(body))]))];
}

/** Behind the segment that says that the file is JFIF or Exif, which has to be the first. */
async function inJpeg(file: PieceReader, xmp: Buffer): Promise<Edit[]> {
  const body = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), xmp]);
  const { value: first } = await segmentsOf(file).next();
  const isForm = first && (first.marker === 0xe0 || (first.marker === 0xe1 && (await isExif(file, first.start))));
  const at = isForm ? first.end : 2;
  const segment = Buffer.from([0xff, 0xe1, 0, 0]);
  segment.writeUInt16BE(body.length + 2, 2);
  return [insertAt(at, Buffer.concat([segment, body]))];
}

async function isExif(file: PieceReader, segment: number): Promise<boolean> {
  return (await file.read(segment + 4, 4)).toString('latin1') === 'Exif';
}

const RIFF_HEAD_BYTES = 12;
const HAS_XMP = 0x04;
const HAS_ALPHA = 0x10;

/** XMP wants the extended form of WebP, whose first chunk says what the file holds. */
async function inWebp(file: PieceReader, xmp: Buffer, { width = 0, height = 0 }: Sides): Promise<Edit[]> {
  const head = await file.read(0, RIFF_HEAD_BYTES + 18);
  const [end, type] = [await endOfRiff(file, head), head.toString('latin1', 12, 16)];
  const chunk = riffChunk('XMP ', xmp);
  if (type === 'VP8X') {
    const flags = insteadOf(20, Buffer.from([head.readUInt8(20) | HAS_XMP]));
    return [sizeOfRiff(end + chunk.length), flags, insertAt(end, chunk)];
  }
  if (width === 0 || height === 0) throw new CarrierError('its sides are not known');
  const hasAlpha = type === 'VP8L' && (head.readUInt8(24) & 0x10) !== 0;
  const form = Buffer.alloc(10);
  form[0] = HAS_XMP | (hasAlpha ? HAS_ALPHA : 0);
  form.writeUIntLE(width - 1, 4, 3);
  form.writeUIntLE(height - 1, 7, 3);
  const extended = riffChunk('VP8X', form);
  return [sizeOfRiff(end + chunk.length + extended.length), insertAt(RIFF_HEAD_BYTES, extended), insertAt(end, chunk)];
}

async function inWav(file: PieceReader, xmp: Buffer): Promise<Edit[]> {
  const end = await endOfRiff(file, await file.read(0, RIFF_HEAD_BYTES));
  const chunk = riffChunk('_PMX', xmp);
  return [sizeOfRiff(end + chunk.length), insertAt(end, chunk)];
}

/** Chunks behind this place are of no viewer. Writers who did not know the size wrote another. */
async function endOfRiff({ totalBytes }: PieceReader, head: Buffer): Promise<number> {
  const end = head.readUInt32LE(4) + 8;
  if (end !== totalBytes || end % 2 !== 0) throw new CarrierError('its header does not say where it ends');
  return end;
}

function sizeOfRiff(totalBytes: number): Edit {
  return insteadOf(4, littleEndian(totalBytes - 8));
}

function riffChunk(name: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name, 'latin1'), littleEndian(data.length), data, Buffer.alloc(data.length % 2)]);
}

const TAG_HEAD_BYTES = 10;

/** A frame at the beginning of the tag that there is, or a tag of its own. */
async function inMp3(file: PieceReader, xmp: Buffer): Promise<Edit[]> {
  const data = Buffer.concat([Buffer.from('XMP\0', 'latin1'), xmp]);
  const head = await file.read(0, TAG_HEAD_BYTES);
  const hasTag = head.toString('latin1', 0, 3) === 'ID3';
  const version = hasTag ? head.readUInt8(3) : 3;
  if (hasTag && (version < 3 || head.readUInt8(5) !== 0)) throw new CarrierError('its ID3 tag is of an unusual form');
  const size = version === 3 ? bigEndian(data.length) : sevenBits(data.length);
  const frame = Buffer.concat([Buffer.from('PRIV', 'latin1'), size, Buffer.alloc(2), data]);
  if (!hasTag) {
    return [insertAt(0, Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), sevenBits(frame.length), frame]))];
  }
  const before = [...head.subarray(6)].reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return [insteadOf(6, sevenBits(before + frame.length)), insertAt(TAG_HEAD_BYTES, frame)];
}

/** At the end, so that no place that an index names moves. */
async function inBmff(file: PieceReader, xmp: Buffer): Promise<Edit[]> {
  const last = (await boxesIn(file)).at(-1);
  const isClosed = last?.end === file.totalBytes && (await file.read(last.start, 4)).readUInt32BE(0) !== 0;
  if (!isClosed) throw new CarrierError('its last box does not say where it ends');
  const body = Buffer.concat([
    Buffer.from('uuid', 'latin1'),
    Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
    xmp,
  ]);
  return [insertAt(file.totalBytes, Buffer.concat([bigEndian(body.length + 4), body]))];
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
