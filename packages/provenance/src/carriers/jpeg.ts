import { MAX_PARTS, type PieceReader, type Range } from '../piece-reader';
import { type Carrier, type FoundCarriers, NO_END } from './carrier';

const [MARKER, APP1, APP11, START_OF_SCAN] = [0xff, 0xe1, 0xeb, 0xda];
const XMP_NAME = 'http://ns.adobe.com/xap/1.0/\0';
/** Common identifier, number of the box, number of the piece. */
const PIECE_HEAD_BYTES = 8;
/** Length and type of the box, which each piece repeats. */
const BOX_HEAD_BYTES = 8;

/** APP11 carries C2PA, in pieces of at most 64 kB; APP1 carries XMP. Both stand before the scan. */
export async function carriersOfJpeg(file: PieceReader): Promise<FoundCarriers> {
  const carriers: Carrier[] = [];
  const boxes = new Map<number, Piece[]>();
  let marker: number | undefined;
  for await (const segment of segmentsOf(file)) {
    marker = segment.marker;
    if (marker === APP1) carriers.push(...(await xmpIn(file, segment)));
    if (marker === APP11) await addPiece(boxes, file, segment);
  }
  const problem = marker === START_OF_SCAN ? undefined : NO_END;
  return { carriers: [...carriers, ...[...boxes.values()].map(boxOf)], problem };
}

interface Segment extends Range {
  marker: number | undefined;
}

/** The segments up to the scan, and that one. Any number of fill bytes may stand before a marker. */
export async function* segmentsOf(file: PieceReader): AsyncGenerator<Segment> {
  let position = 2;
  for (let reads = 0; reads < MAX_PARTS && position + 4 <= file.totalBytes; reads += 1) {
    const head = await file.read(position, 4);
    const marker = head[1];
    if (head[0] !== MARKER) return;
    if (marker === MARKER) {
      position += 1;
      continue;
    }
    const end = position + 2 + head.readUInt16BE(2);
    yield { marker, start: position, end };
    if (marker === START_OF_SCAN) return;
    position = end;
  }
}

interface Piece {
  number: number;
  data: Range;
  frame: Range;
}

async function xmpIn(file: PieceReader, { start: at, end }: Range): Promise<Carrier[]> {
  const start = at + 4;
  const name = await file.read(start, XMP_NAME.length);
  if (name.toString('latin1') !== XMP_NAME) return [];
  return [{ kind: 'xmp', data: [{ start: start + XMP_NAME.length, end }], frame: { start: at, end } }];
}

async function addPiece(boxes: Map<number, Piece[]>, file: PieceReader, { start: at, end }: Range): Promise<void> {
  const start = at + 4;
  const head = await file.read(start, PIECE_HEAD_BYTES + BOX_HEAD_BYTES);
  if (head.length < 16 || head.toString('latin1', 0, 2) !== 'JP' || head.toString('latin1', 12, 16) !== 'jumb') return;
  const [box, number] = [head.readUInt16BE(2), head.readUInt32BE(4)];
  const data = { start: start + PIECE_HEAD_BYTES + (number === 1 ? 0 : BOX_HEAD_BYTES), end };
  const pieces = boxes.get(box) ?? [];
  pieces.push({ number, data, frame: { start: at, end } });
  boxes.set(box, pieces);
}

/** The pieces are in the file's order. The frame ends where another segment follows: that one is not the manifest's. */
function boxOf(pieces: readonly Piece[]): Carrier {
  const start = pieces[0]?.frame.start ?? 0;
  const end = pieces.reduce((reached, { frame }) => (frame.start === reached ? frame.end : reached), start);
  const inOrder = pieces.toSorted((one, other) => one.number - other.number);
  return { kind: 'c2pa', data: inOrder.map(({ data }) => data), frame: { start, end } };
}
