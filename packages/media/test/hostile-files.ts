/*
 * Small files, built byte by byte, each of which names more than it holds: what a reader would do for it has nothing to do
 * with its size.
 */

/** Numbers of an unsigned kind, one behind the other. */
const u8 = (...values: number[]): Buffer => Buffer.from(values);
const u16 = (...values: number[]): Buffer => numbers(2, values);
export const u32 = (...values: number[]): Buffer => numbers(4, values);

function numbers(bytes: number, values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(bytes * values.length);
  values.forEach((value, index) => {
    buffer.writeUIntBE(value, index * bytes, bytes);
  });
  return buffer;
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
export const MOST = 0xffffffff;

/** A box of an MP4 or MOV. */
export function box(name: string, ...content: Buffer[]): Buffer {
  const inner = Buffer.concat(content);
  return Buffer.concat([u32(8 + inner.length), text(name), inner]);
}

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const FULL = u32(0);

const mvhd = box('mvhd', FULL, u32(0, 0, 1000, 1000), u32(0x10000), zeros(12), MATRIX, zeros(24), u32(2));
const tkhd = box('tkhd', u32(7), u32(0, 0, 1, 0, 1000), zeros(16), MATRIX, u32(320 << 16, 180 << 16));
const mdhd = box('mdhd', FULL, u32(0, 0, 1000, 1000), u16(0x55c4, 0));
const hdlr = (kind: string) => box('hdlr', FULL, u32(0), text(kind), zeros(13));
const AVC = box(
  'avc1',
  zeros(6),
  u16(1),
  zeros(16),
  u16(320, 180),
  u32(0x480000, 0x480000, 0),
  u16(1),
  zeros(32),
  u16(24, 0xffff),
);
const SOWT = box('sowt', zeros(6), u16(1), zeros(8), u16(2, 16, 0, 0), u32(0xbb800000));

/** Tables of a track that are right: one sample of eight bytes. */
const TABLES: Readonly<Record<string, Buffer>> = {
  stts: box('stts', FULL, u32(1, 1, 1000)),
  stsc: box('stsc', FULL, u32(1, 1, 1, 1)),
  stsz: box('stsz', FULL, u32(0, 1, 8)),
  stco: box('stco', FULL, u32(1, 40)),
};

function track(kind: 'vide' | 'soun', tables: Readonly<Record<string, Buffer | readonly Buffer[]>>): Buffer {
  const stsd = box('stsd', FULL, u32(1), kind === 'vide' ? AVC : SOWT);
  const stbl = box('stbl', stsd, ...Object.values({ ...TABLES, ...tables }).flat());
  return box('trak', tkhd, box('mdia', mdhd, hdlr(kind), box('minf', stbl)));
}

const ftyp = box('ftyp', text('isom'), u32(0), text('isom'));
const mdat = box('mdat', zeros(64));

/** An MP4 of one track, of whose tables some are replaced by these. */
export function mp4(
  tables: Readonly<Record<string, Buffer | readonly Buffer[]>>,
  kind: 'vide' | 'soun' = 'vide',
): Buffer {
  return Buffer.concat([ftyp, mdat, box('moov', mvhd, track(kind, tables))]);
}

const EMPTY: Readonly<Record<string, Buffer>> = {
  stts: box('stts', FULL, u32(0)),
  stsc: box('stsc', FULL, u32(0)),
  stsz: box('stsz', FULL, u32(0, 0)),
  stco: box('stco', FULL, u32(0)),
};
const mvex = box('mvex', box('trex', FULL, u32(1, 1, 40, 1, 0)));

/** A fragment whose runs name so many samples each, of the track's usual length and size. */
export function fragment(samples: readonly number[]): Buffer {
  const runs = samples.map((count) => box('trun', u32(0), u32(count)));
  return box(
    'moof',
    box('mfhd', FULL, u32(1)),
    box('traf', box('tfhd', u32(0x020000), u32(1)), box('tfdt', FULL, u32(0)), ...runs),
  );
}

/** An MP4 in fragments; of 2.8 KB with what fills it. */
export function fragmented(samples: readonly number[], fill = 2_000): Buffer {
  return Buffer.concat([
    ftyp,
    box('moov', mvhd, track('vide', EMPTY), mvex),
    fragment(samples),
    box('mdat', zeros(fill)),
  ]);
}

/** The file of the report: 4,294,967,295 samples in 2.8 KB. */
export const endlessRun = (): Buffer => fragmented([MOST]);

/** A box that holds itself so many times over. */
export function nested(name: string, times: number): Buffer {
  const header = (left: number) => Buffer.concat([u32(8 * (left + 1)), text(name)]);
  return Buffer.concat([
    ftyp,
    box('moov', mvhd, ...Array.from({ length: times }, (_, index) => header(times - 1 - index))),
  ]);
}

export function manyTracks(tracks: number): Buffer {
  return Buffer.concat([ftyp, mdat, box('moov', mvhd, ...Array.from({ length: tracks }, () => box('trak')))]);
}

/** An element of Matroska, its length in eight bytes. */
function element(id: number[], ...content: Buffer[]): Buffer {
  const inner = Buffer.concat(content);
  return Buffer.concat([u8(...id), u8(0x01, 0, 0, 0), u32(inner.length), inner]);
}

const EBML = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text('webm')));
const OPUS_TRACK = element(
  [0x16, 0x54, 0xae, 0x6b],
  element(
    [0xae],
    element([0xd7], u8(1)),
    element([0x73, 0xc5], u8(1)),
    element([0x83], u8(2)),
    element([0x86], text('A_OPUS')),
    element([0xe1], element([0xb5], u32(0x473b8000)), element([0x9f], u8(2))),
  ),
);
const SCALE = element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], u32(1_000_000)));

/** A cluster that begins at so many milliseconds. */
const cluster = (at: number, ...blocks: Buffer[]) =>
  element([0x1f, 0x43, 0xb6, 0x75], element([0xe7], u32(at)), ...blocks.map((block) => element([0xa3], block)));

/** A block of track 1 of which a byte says that it holds so many frames, each of the same size. */
const laced = (frames: number, data: Buffer) => Buffer.concat([u8(0x81), u16(0), u8(0x84, frames - 1), data]);
function webm(...clusters: Buffer[]): Buffer {
  return Buffer.concat([EBML, element([0x18, 0x53, 0x80, 0x67], SCALE, OPUS_TRACK, ...clusters)]);
}

/** Blocks of one byte, each of 256 frames. */
export const emptyLaces = (blocks: number): Buffer =>
  webm(cluster(0, ...Array.from({ length: blocks }, () => laced(256, zeros(0)))));

/** Each cue points at clusters that hold nothing of its track: a reader tries the one before, and looks through all of them again. */
export function lyingCues(cues: number, clusters: number): Buffer {
  const ofAnother = Buffer.concat([u8(0x82), u16(0), u8(0x80), zeros(8)]);
  const all = Array.from({ length: clusters }, (_, index) => cluster(index, ofAnother));
  const cue = (at: number, place: number) =>
    element([0xbb], element([0xb3], u32(at)), element([0xb7], element([0xf7], u8(1)), element([0xf1], u32(place))));
  const index = (place: number) =>
    element([0x1c, 0x53, 0xbb, 0x6b], ...Array.from({ length: cues }, (_, at) => cue(10 + at, place)));
  return webm(index(Buffer.concat([SCALE, OPUS_TRACK, index(0)]).length), ...all);
}

/** Elements within one another, each of which has no content but the next. */
export function deepElements(times: number): Buffer {
  let inner: Buffer = Buffer.alloc(0);
  for (let depth = 0; depth < times; depth += 1) inner = element([0xae], inner);
  return webm(element([0x16, 0x54, 0xae, 0x6b], inner));
}

/** An MP3 whose tag says that it is 256 MB long. */
export const longTag = (): Buffer => Buffer.concat([text('ID3'), u8(4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f), zeros(2_000)]);
/** Tags of no length, one behind the other. */
export const manyTags = (tags: number): Buffer =>
  Buffer.concat(Array.from({ length: tags }, () => Buffer.concat([text('ID3'), u8(4, 0, 0, 0, 0, 0, 0)])));
/** The head of a frame of 24 bytes, at every fourth byte. */
export const framesWithinFrames = (heads: number): Buffer =>
  Buffer.concat(Array.from({ length: heads }, () => u8(0xff, 0xf3, 0x14, 0xc4)));
/** A table that says that the sound has four thousand million frames. */
export const longVbrTable = (): Buffer =>
  Buffer.concat([u8(0xff, 0xfb, 0x90, 0x44), zeros(32), text('Xing'), u32(3, MOST, MOST), zeros(2_000)]);

/** A WAV whose data takes no bytes a sample. */
export function wav({ rate = 48_000, align = 4, channels = 2, declared = 4_000 } = {}): Buffer {
  const le = (bytes: number, value: number) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntLE(value, 0, bytes);
    return buffer;
  };
  const format = [le(2, 1), le(2, channels), le(4, rate), le(4, 0), le(2, align), le(2, 16)];
  const chunks = [text('WAVEfmt '), le(4, 16), ...format, text('data'), le(4, declared), zeros(4_000)];
  return Buffer.concat([text('RIFF'), le(4, MOST), ...chunks]);
}
/** Chunks of no length. */
export const manyChunks = (chunks: number): Buffer =>
  Buffer.concat([text('RIFF'), u32(MOST), text('WAVE'), ...Array.from({ length: chunks }, () => text('junk\0\0\0\0'))]);

/** Pages of an Ogg of 255 segments of no bytes each. */
export function emptyPages(pages: number): Buffer {
  const page = (index: number) => {
    const head = Buffer.alloc(27);
    head.write('OggS', 'latin1');
    head.writeUInt8(index === 0 ? 2 : 0, 5);
    head.writeUInt32LE(1, 14);
    head.writeUInt32LE(index, 18);
    head.writeUInt8(255, 26);
    return Buffer.concat([head, zeros(255)]);
  };
  return Buffer.concat(Array.from({ length: pages }, (_, index) => page(index)));
}

/** A FLAC whose every second byte may begin a frame. */
export function endlessFrames(bytes: number): Buffer {
  const info = Buffer.concat([u16(16, 65_535), zeros(6), u32(0x0bb80170, 0xffffffff), zeros(16)]);
  const head = Buffer.concat([text('fLaC'), u8(0x80, 0, 0, 34), info]);
  return Buffer.concat([head, Buffer.alloc(bytes, Buffer.from([0xff, 0xf8, 0xc9, 0x18, 0x00]))]);
}
/** Empty blocks of metadata. */
export const manyBlocks = (blocks: number): Buffer =>
  Buffer.concat([text('fLaC'), ...Array.from({ length: blocks }, () => u8(1, 0, 0, 0))]);

/** A PDF whose lists of objects are these; the last is the one that it begins with. */
function pdf(lists: readonly ((offset: number) => string)[], tail = ''): Buffer {
  let bytes = '%PDF-1.4\n';
  let last = 0;
  for (const list of lists) {
    last = bytes.length;
    bytes += list(last);
  }
  return text(`${bytes}${tail}startxref\n${last}\n%%EOF\n`);
}
/** Each list of objects names the one before. */
export const longChain = (lists: number): Buffer => {
  let before: number | undefined;
  return pdf(
    Array.from({ length: lists }, () => (offset: number) => {
      const previous = before === undefined ? '' : `/Prev ${before}`;
      before = offset;
      return `xref\n0 1\n0000000000 65535 f \ntrailer<<${previous}>>\n`;
    }),
  );
};
/** Many runs of a table, each of no objects. */
export const manyRuns = (runs: number): Buffer => pdf([() => `xref\n${'0 0\n'.repeat(runs)}trailer<<>>\n`]);
/** The same table read for each of many lists that begin within its blanks. */
export const sharedRuns = (lists: number, runs: number): Buffer => {
  const first = 9;
  const xref = `xref\n${'0 0\n'.repeat(runs)}trailer<</Prev `;
  return text(`%PDF-1.4\n${' '.repeat(lists)}${xref}${first}>>\nstartxref\n${first + lists}\n%%EOF\n`);
};

/** A compound file of one sector, whose directory leads back to itself, by a table that is spread over lists. */
export function directoryInCircles(sector = 0): Buffer {
  const head = Buffer.alloc(512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head);
  head.writeUInt16LE(9, 30);
  head.writeUInt32LE(sector, 48);
  head.writeUInt32LE(0, 68);
  head.fill(0, 76);
  return Buffer.concat([head, zeros(512)]);
}
/** The place of a sector that stands at the end of lists which lead back to themselves. */
export const endlessLists = (): Buffer => {
  const file = Buffer.concat([directoryInCircles(0x7fffff), Buffer.alloc(4)]);
  return Buffer.concat([file, Buffer.alloc(1024)]);
};

/** A ZIP whose end says that it has so many entries. */
export function zip(entries: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(1_000, 12);
  end.writeUInt32LE(4, 16);
  return Buffer.concat([text('PK\x03\x04'), zeros(1_000), end]);
}
