import { MAX_PARTS, type PieceReader, type Range } from '../piece-reader';
import type { Carrier } from './carrier';

const [MARKER, APP1, APP11, START_OF_SCAN] = [0xff, 0xe1, 0xeb, 0xda];
const XMP_NAME = 'http://ns.adobe.com/xap/1.0/\0';
/** Common identifier, number of the box, number of the piece. */
const PIECE_HEAD_BYTES = 8;
/** Length and type of the box, which each piece repeats. */
const BOX_HEAD_BYTES = 8;

/** APP11 carries C2PA, in pieces of at most 64 kB; APP1 carries XMP. Both stand before the scan. */
export async function carriersOfJpeg(file: PieceReader): Promise<Carrier[]> {
  const carriers: Carrier[] = [];
  const boxes = new Map<number, Piece[]>();
  let position = 2;
  for (let segments = 0; segments < MAX_PARTS && position + 4 <= file.totalBytes; segments += 1) {
    const head = await file.read(position, 4);
    if (head[0] !== MARKER || head[1] === START_OF_SCAN) break;
    const frame = { start: position, end: position + 2 + head.readUInt16BE(2) };
    if (head[1] === APP1) carriers.push(...(await xmpIn(file, frame)));
    if (head[1] === APP11) await addPiece(boxes, file, frame);
    position = frame.end;
  }
  return [...carriers, ...[...boxes.values()].map(boxOf)];
}

interface Piece {
  number: number;
  data: Range;
  frame: Range;
}

async function xmpIn(file: PieceReader, frame: Range): Promise<Carrier[]> {
  const start = frame.start + 4;
  const name = await file.read(start, XMP_NAME.length);
  if (name.toString('latin1') !== XMP_NAME) return [];
  return [{ kind: 'xmp', data: [{ start: start + XMP_NAME.length, end: frame.end }], frame }];
}

async function addPiece(boxes: Map<number, Piece[]>, file: PieceReader, frame: Range): Promise<void> {
  const start = frame.start + 4;
  const head = await file.read(start, PIECE_HEAD_BYTES + BOX_HEAD_BYTES);
  if (head.length < 16 || head.toString('latin1', 0, 2) !== 'JP' || head.toString('latin1', 12, 16) !== 'jumb') return;
  const [box, number] = [head.readUInt16BE(2), head.readUInt32BE(4)];
  const data = { start: start + PIECE_HEAD_BYTES + (number === 1 ? 0 : BOX_HEAD_BYTES), end: frame.end };
  const pieces = boxes.get(box) ?? [];
  pieces.push({ number, data, frame });
  boxes.set(box, pieces);
}

/** The pieces are in the file's order. The frame ends where another segment follows: that one is not the manifest's. */
function boxOf(pieces: readonly Piece[]): Carrier {
  const start = pieces[0]?.frame.start ?? 0;
  const end = pieces.reduce((reached, { frame }) => (frame.start === reached ? frame.end : reached), start);
  const inOrder = pieces.toSorted((one, other) => one.number - other.number);
  return { kind: 'c2pa', data: inOrder.map(({ data }) => data), frame: { start, end } };
}
