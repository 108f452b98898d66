import { MAX_PARTS, type PieceReader } from '../piece-reader';
import { type Carrier, type FoundCarriers, NO_END } from './carrier';
import { carriersOfId3 } from './id3';

const FILE_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const KINDS: Readonly<Record<string, Carrier['kind']>> = { C2PA: 'c2pa', 'XMP ': 'xmp', _PMX: 'xmp' };

/** WebP and WAV: chunks named `C2PA`, and `XMP ` or `_PMX`; the first ID3 tag of a WAV is read too. */
export async function carriersOfRiff(file: PieceReader): Promise<FoundCarriers> {
  const carriers: Carrier[] = [];
  let position = FILE_HEAD_BYTES;
  let tag: FoundCarriers | undefined;
  for (let chunks = 0; chunks < MAX_PARTS && position + CHUNK_HEAD_BYTES <= file.totalBytes; chunks += 1) {
    const head = await file.read(position, CHUNK_HEAD_BYTES);
    const name = head.toString('latin1', 0, 4);
    const bytes = head.readUInt32LE(4);
    const data = { start: position + CHUNK_HEAD_BYTES, end: position + CHUNK_HEAD_BYTES + bytes };
    const frame = { start: position, end: data.end + (bytes % 2) };
    const kind = KINDS[name];
    if (kind !== undefined) carriers.push({ kind, data: [data], frame });
    if (name.toLowerCase() === 'id3 ' && tag === undefined) {
      tag = await carriersOfId3(file, data.start);
      carriers.push(...tag.carriers);
    }
    position = frame.end;
  }
  return { carriers, problem: position === file.totalBytes ? tag?.problem : NO_END };
}
