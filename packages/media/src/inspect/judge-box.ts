import { type DeclaredCounts, requireAtMost } from './declared-counts';
import { ProbeError } from './probe-error';

/** The bytes of a box, its header included; fewer than it says where it is cut off. */
export interface Box {
  name: string;
  /** Where it begins in the file. */
  position: number;
  content: DataView;
}

/** The count of a table stands at `countAt`, behind it entries of so many bytes each. */
interface Table {
  countAt: number;
  entryBytes: number;
}

/** Tables whose entries stand in the file, one after the other. */
const TABLES: Readonly<Record<string, Table>> = {
  stts: { countAt: 4, entryBytes: 8 },
  ctts: { countAt: 4, entryBytes: 8 },
  stss: { countAt: 4, entryBytes: 4 },
  stsc: { countAt: 4, entryBytes: 12 },
  stco: { countAt: 4, entryBytes: 4 },
  co64: { countAt: 4, entryBytes: 8 },
  elst: { countAt: 4, entryBytes: 12 },
  stsd: { countAt: 4, entryBytes: 8 },
  tfra: { countAt: 12, entryBytes: 11 },
};

/**
 * Judges a box of an MP4 or MOV before a library follows what it names: a table of four bytes can name four thousand million
 * samples. Throws ProbeError.
 */
export function judgeBox({ name, position, content }: Box, counts: DeclaredCounts): void {
  const table = TABLES[name];
  if (table !== undefined) requireSpace(name, content, table);
  const judge = JUDGES[name];
  if (judge === undefined || counts.isKnown(position)) return;
  judge(content, counts);
}

function requireSpace(name: string, content: DataView, { countAt, entryBytes }: Table): void {
  const space = (content.byteLength - countAt - 4) / entryBytes;
  requireAtMost(name, uint32(content, countAt), space);
}

const JUDGES: Readonly<Record<string, (content: DataView, counts: DeclaredCounts) => void>> = {
  stts: (content, counts) => addEach('stts', content, counts),
  ctts: (content, counts) => addEach('ctts', content, counts),
  stsc: judgeChunks,
  stsz: judgeSizes,
  stz2: judgePackedSizes,
  trun: judgeRun,
  saiz: judgeSizesOfKeys,
  // Each fragment looks for its track among all of them.
  trak: (_content, counts) => counts.add('trak', TRACK_COST),
};

/** The least that a track with its boxes takes is larger. */
const TRACK_COST = 128;

/** Entries of which each names a number of samples. */
function addEach(name: string, content: DataView, counts: DeclaredCounts): void {
  const entries = uint32(content, 4);
  for (let index = 0; index < entries; index += 1) counts.add(name, uint32(content, 8 + 8 * index));
}

/** First chunk, samples in each: the chunks of an entry end where the next begins. */
function judgeChunks(content: DataView, counts: DeclaredCounts): void {
  const entries = uint32(content, 4);
  let first = 0;
  for (let index = 0; index < entries; index += 1) {
    const next = uint32(content, 8 + 12 * index);
    // Each entry could begin with the first chunk anew.
    if (next < first) throw new ProbeError('stsc names its chunks out of order');
    counts.add('stsc chunks', next - first);
    counts.add('stsc', uint32(content, 12 + 12 * index));
    first = next;
  }
}

function judgeSizes(content: DataView, counts: DeclaredCounts): void {
  const isOneSize = uint32(content, 4) !== 0;
  const samples = uint32(content, 8);
  if (!isOneSize) requireAtMost('stsz', samples, (content.byteLength - 12) / 4);
  counts.add('stsz', samples);
}

function judgePackedSizes(content: DataView, counts: DeclaredCounts): void {
  const bits = content.byteLength < 8 ? 0 : content.getUint8(7);
  const samples = uint32(content, 8);
  requireAtMost('stz2', samples, bits === 0 ? 0 : (8 * (content.byteLength - 12)) / bits);
  counts.add('stz2', samples);
}

/** Duration, size, flags, offset of each sample, as far as they differ from sample to sample. */
const RUN_FIELDS = [0x100, 0x200, 0x400, 0x800];

function judgeRun(content: DataView, counts: DeclaredCounts): void {
  const flags = uint32(content, 0);
  const samples = uint32(content, 4);
  const sampleBytes = 4 * RUN_FIELDS.filter((field) => (flags & field) !== 0).length;
  if (sampleBytes > 0) requireAtMost('trun', samples, (content.byteLength - 8) / sampleBytes);
  counts.add('trun', samples);
}

function judgeSizesOfKeys(content: DataView, counts: DeclaredCounts): void {
  const hasType = (uint32(content, 0) & 1) !== 0;
  counts.add('saiz', uint32(content, hasType ? 13 : 5));
}

/** A number whose bytes are cut off is 0. */
function uint32(content: DataView, at: number): number {
  return at + 4 > content.byteLength ? 0 : content.getUint32(at);
}
