import type { Input } from 'mediabunny';
import { DeclaredCounts, requireAtMost } from './declared-counts';
import { judgeBox } from './judge-box';
import type { WorkLimit } from './work-limit';

/*
 * The library has no limits of its own, and no place to set any: what it does for a file is counted in the parts that all of
 * its work passes. They are not of its public interface, so its version is fixed, and one that lacks them reads nothing.
 */

interface Slice {
  view: DataView;
  /** Within `view`. */
  bufferPos: number;
  filePos: number;
  /** In the file. */
  end: number;
}

interface Reader {
  requestSlice(start: number, length: number): unknown;
}

interface BoxDemuxer {
  traverseBox(slice: Slice): boolean;
}

interface LacedBlock {
  /** 0: one frame. */
  lacing: number;
  data: Uint8Array;
}

interface ElementDemuxer {
  traverseElement(slice: Slice, stopIds?: number[]): boolean;
  readCluster(startPos: number, segment: unknown): Promise<unknown>;
  expandLacedBlocks(blocks: readonly LacedBlock[], track: { decodingInstructions: readonly unknown[] }): void;
}

type Demuxer = Partial<BoxDemuxer & ElementDemuxer>;

interface InputParts {
  _reader?: Reader;
  _getDemuxer?(): Promise<Demuxer>;
}

/** Has whatever is read of the input be counted as work, and what it declares judged before it is followed. */
export async function boundInput(input: Input, totalBytes: number, work: WorkLimit): Promise<void> {
  const parts = input as unknown as InputParts;
  let reader: Reader | undefined;
  // The library makes its reader together with the demuxer, and finds the format out by it.
  Object.defineProperty(parts, '_reader', {
    configurable: true,
    get: () => reader,
    set: (made: Reader) => {
      reader = boundReader(made, work);
    },
  });
  const demuxer = await parts._getDemuxer?.();
  if (reader === undefined || demuxer === undefined) throw new Error('the library that reads media has no such parts');
  const counts = new DeclaredCounts(totalBytes);
  if (demuxer.traverseBox !== undefined) boundBoxes(demuxer as BoxDemuxer, counts, work);
  if (demuxer.traverseElement !== undefined) boundElements(demuxer as ElementDemuxer, work);
}

function boundReader(reader: Reader, work: WorkLimit): Reader {
  const read = reader.requestSlice.bind(reader);
  reader.requestSlice = (start, length) => {
    work.look(length);
    return read(start, length);
  };
  return reader;
}

function boundBoxes(demuxer: BoxDemuxer, counts: DeclaredCounts, work: WorkLimit): void {
  const traverse = demuxer.traverseBox.bind(demuxer);
  demuxer.traverseBox = (slice) => {
    work.step(1);
    const box = boxAt(slice);
    if (box !== undefined) judgeBox(box, counts);
    return traverse(slice);
  };
}

const BOX_HEADER_BYTES = 8;
const LONG_HEADER_BYTES = 16;

function boxAt({ view, bufferPos, filePos, end }: Slice) {
  const available = Math.min(end - filePos, view.byteLength - bufferPos);
  if (bufferPos < 0 || available < BOX_HEADER_BYTES) return undefined;
  const size = view.getUint32(bufferPos);
  const isLong = size === 1 && available >= LONG_HEADER_BYTES;
  const headerBytes = isLong ? LONG_HEADER_BYTES : BOX_HEADER_BYTES;
  const boxBytes = Math.min(available, isLong ? Number(view.getBigUint64(bufferPos + BOX_HEADER_BYTES)) : size);
  const name = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + bufferPos + 4, 4));
  const contentBytes = Math.max(0, boxBytes - headerBytes);
  const content = new DataView(view.buffer, view.byteOffset + bufferPos + headerBytes, contentBytes);
  return { name, position: filePos, content };
}

/** A byte tells how many frames a block has. */
const MOST_FRAMES = 256;

function boundElements(demuxer: ElementDemuxer, work: WorkLimit): void {
  const traverse = demuxer.traverseElement.bind(demuxer);
  demuxer.traverseElement = (slice, stopIds) => {
    work.step(1);
    return traverse(slice, stopIds);
  };
  const readCluster = demuxer.readCluster.bind(demuxer);
  demuxer.readCluster = (startPos, segment) => {
    work.step(1);
    return readCluster(startPos, segment);
  };
  const expand = demuxer.expandLacedBlocks.bind(demuxer);
  demuxer.expandLacedBlocks = (blocks, track) => {
    for (const { lacing, data } of blocks) {
      if (lacing === 0) continue;
      // The first byte of a packed block may be missing, so such a block counts as the largest.
      const frames = track.decodingInstructions.length > 0 ? MOST_FRAMES : (data[0] ?? 0) + 1;
      requireAtMost('Block', frames, Math.max(data.length, 1));
      work.step(frames);
    }
    expand(blocks, track);
  };
}
