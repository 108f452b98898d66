import { MAX_PARTS, type PieceReader } from '../piece-reader';
import { type Box, type Carrier, type FoundCarriers, NO_END } from './carrier';

const HEAD_BYTES = 8;
const LONG_HEAD_BYTES = 16;
const UUID_BYTES = 16;
export const C2PA_UUID = 'd8fec3d61b0e483c92975828877ec481';
export const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';
/** Version and flags, a purpose of a word, the place of a hash tree. */
const PURPOSE_BYTES = 64;
const AFTER_PURPOSE_BYTES = 8;

/** MP4, MOV and M4A: `uuid` boxes carry C2PA and XMP; MOV has XMP in its first `moov/udta` too. */
export async function carriersOfBmff(file: PieceReader): Promise<FoundCarriers> {
  const carriers: Carrier[] = [];
  const top = await boxesIn(file);
  const boxes = top.at(-1)?.end === file.totalBytes ? top : undefined;
  const moov = top.find(({ type }) => type === 'moov');
  for (const box of top) {
    if (box.type === 'uuid') carriers.push(...(await carrierIn(file, box)));
    if (box === moov) carriers.push(...(await xmpOfUserData(file, box)));
  }
  return { carriers: carriers.map((carrier) => ({ ...carrier, boxes })), problem: boxes ? undefined : NO_END };
}

/** The boxes in a file, or in a box of it, in order. */
export async function boxesIn(file: PieceReader, within?: Box): Promise<Box[]> {
  const boxes: Box[] = [];
  const last = within?.end ?? file.totalBytes;
  let position = within?.content ?? 0;
  while (boxes.length < MAX_PARTS && position + HEAD_BYTES <= last) {
    const head = await file.read(position, LONG_HEAD_BYTES);
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === LONG_HEAD_BYTES;
    const bytes = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? last - position : short;
    const headBytes = isLong ? LONG_HEAD_BYTES : HEAD_BYTES;
    if (bytes < headBytes || position + bytes > last) break;
    const type = head.toString('latin1', 4, 8);
    boxes.push({ type, start: position, end: position + bytes, content: position + headBytes });
    position += bytes;
  }
  return boxes;
}

async function carrierIn(file: PieceReader, { start, end, content }: Box): Promise<Carrier[]> {
  const head = await file.read(content, UUID_BYTES + PURPOSE_BYTES);
  const uuid = head.toString('hex', 0, UUID_BYTES);
  const frame = { start, end };
  if (uuid === XMP_UUID) return [{ kind: 'xmp', data: [{ start: content + UUID_BYTES, end }], frame }];
  const purposeEnd = head.indexOf(0, UUID_BYTES + 4);
  const isManifest = head.toString('latin1', UUID_BYTES + 4, Math.max(UUID_BYTES + 4, purposeEnd)) === 'manifest';
  if (uuid !== C2PA_UUID || !isManifest) return [];
  return [{ kind: 'c2pa', data: [{ start: content + purposeEnd + 1 + AFTER_PURPOSE_BYTES, end }], frame }];
}

async function xmpOfUserData(file: PieceReader, moov: Box): Promise<Carrier[]> {
  const carriers: Carrier[] = [];
  const userData = (await boxesIn(file, moov)).find(({ type }) => type === 'udta');
  for (const { type, start, end, content } of userData ? await boxesIn(file, userData) : []) {
    if (type === 'XMP_') carriers.push({ kind: 'xmp', data: [{ start: content, end }], frame: { start, end } });
  }
  return carriers;
}
