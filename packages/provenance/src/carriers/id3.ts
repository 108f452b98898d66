import { MAX_PARTS, type PieceReader, type Range } from '../piece-reader';
import { type Carrier, type FoundCarriers, NO_END } from './carrier';

const HEAD_BYTES = 10;
/** The most that stands in a frame before its data: an encoding, a type, a name, a description. */
const FRAME_START_BYTES = 1024;
const [UNSYNCHRONISED, EXTENDED] = [0x80, 0x40];
const MANIFEST_TYPES: readonly string[] = ['application/x-c2pa-manifest-store', 'application/c2pa'];

/** An ID3 tag at the beginning of an MP3, or at `start`: `GEOB` carries C2PA, `PRIV` XMP, `TXXX` a label. */
export async function carriersOfId3(file: PieceReader, start = 0): Promise<FoundCarriers> {
  const head = await file.read(start, HEAD_BYTES);
  if (head.toString('latin1', 0, 3) !== 'ID3') return { carriers: [] };
  const [version, , flags = 0] = head.subarray(3);
  if ((flags & (UNSYNCHRONISED | EXTENDED)) !== 0 || version === undefined || version < 3) {
    return { carriers: [], problem: 'its ID3 tag is of an unusual form' };
  }
  const carriers: Carrier[] = [];
  const end = Math.min(start + HEAD_BYTES + sevenBits(head, 6), file.totalBytes);
  let position = start + HEAD_BYTES;
  let frames = 0;
  for (; frames < MAX_PARTS && position + HEAD_BYTES < end; frames += 1) {
    const frameHead = await file.read(position, HEAD_BYTES);
    const name = frameHead.toString('latin1', 0, 4);
    if (name === '\0\0\0\0') break;
    const bytes = version === 3 ? frameHead.readUInt32BE(4) : sevenBits(frameHead, 4);
    const frame = { start: position, end: Math.min(position + HEAD_BYTES + bytes, end) };
    carriers.push(...(await carrierIn(file, name, frame)));
    position += HEAD_BYTES + bytes;
  }
  return { carriers, problem: frames === MAX_PARTS || position > end ? NO_END : undefined };
}

function sevenBits(bytes: Buffer, at: number): number {
  return [...bytes.subarray(at, at + 4)].reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
}

async function carrierIn(file: PieceReader, name: string, frame: Range): Promise<Carrier[]> {
  const find = FRAMES[name];
  if (find === undefined) return [];
  const start = frame.start + HEAD_BYTES;
  const found = find(await file.read(start, Math.min(FRAME_START_BYTES, frame.end - start)));
  return found === undefined ? [] : [{ kind: found.kind, data: [{ start: start + found.at, end: frame.end }], frame }];
}

type Found = { kind: Carrier['kind']; at: number } | undefined;

const FRAMES: Readonly<Record<string, (head: Buffer) => Found>> = {
  GEOB: (head) => {
    const typeEnd = head.indexOf(0, 1);
    if (!MANIFEST_TYPES.includes(head.toString('latin1', 1, Math.max(1, typeEnd)))) return undefined;
    const description = endOfText(head, typeEnd + 1);
    return { kind: 'c2pa', at: endOfText(head, description) };
  },
  PRIV: (head) => (head.toString('latin1', 0, 4) === 'XMP\0' ? { kind: 'xmp', at: 4 } : undefined),
  TXXX: (head) => {
    const at = endOfText(head, 1);
    const isLabel = head.toString('latin1', 1, at).replaceAll('\0', '').endsWith('AIGC');
    return isLabel ? { kind: 'aigc', at } : undefined;
  },
};

/** Behind the zero that ends a text at `start`: two zeros where the frame's first byte says that texts are UTF-16. */
function endOfText(head: Buffer, start: number): number {
  const isWide = head[0] === 1 || head[0] === 2;
  for (let at = start; at < head.length; at += isWide ? 2 : 1) {
    if (head[at] === 0 && (!isWide || head[at + 1] === 0)) return at + (isWide ? 2 : 1);
  }
  return head.length;
}
