import type { PdfText } from './pdf-text';
import { asCount, asDictionary, type PdfDictionary, PdfSyntaxError, skipBlanks } from './pdf-value';

/** Where an object stands: in the file, or within another object that holds many; `free`: nowhere any more. */
export type Place = { offset: number } | { within: number } | 'free';

/** One of the lists in which a file says where its objects stand; each change of a file adds one. */
export interface Section {
  trailer: PdfDictionary;
  find(object: number): Promise<Place | undefined>;
}

/** Reads the list at `offset`, of which there are two kinds: a table of lines, and a packed stream. */
export async function readSection(text: PdfText, offset: number): Promise<Section> {
  const start = await text.read(offset, 64);
  const position = skipBlanks(start, 0);
  if (start.toString('latin1', position, position + 4) === 'xref') return readTable(text, offset + position + 4);
  return readStream(text, offset);
}

interface Run {
  first: number;
  count: number;
  offset: number;
  lineBytes: number;
}

const RUN = /^[\s\0]*(\d{1,10}) +(\d{1,10})[ \t]*(?:\r\n|\r|\n)/;
const TRAILER = /^[\s\0]*trailer/;
const LINE = /^(\d{10}) (\d{5}) ([nf])/;
const LINE_BYTES = 20;
const MAX_RUNS = 10_000;

/** Lines are of equal length, so that one is read without the others. */
async function readTable(text: PdfText, offset: number): Promise<Section> {
  const runs: Run[] = [];
  let position = offset;
  for (;;) {
    const head = (await text.read(position, 64)).toString('latin1');
    const [trailer] = TRAILER.exec(head) ?? [];
    if (trailer !== undefined) {
      position += trailer.length;
      break;
    }
    const [line, first, count] = RUN.exec(head) ?? [];
    if (line === undefined || runs.length === MAX_RUNS) throw new PdfSyntaxError('the table of objects is broken');
    const run = { first: Number(first), count: Number(count), offset: position + line.length };
    const lineBytes = await measureLine(text, run.offset);
    runs.push({ ...run, lineBytes });
    position = run.offset + run.count * lineBytes;
  }
  const trailer = asDictionary(await text.value(position));
  return { trailer, find: (object) => findInTable(text, runs, object) };
}

/** Some writers leave out one of the two characters at the end of a line. */
async function measureLine(text: PdfText, offset: number): Promise<number> {
  const lines = (await text.read(offset, LINE_BYTES)).toString('latin1');
  return /[\r\n ]$/.test(lines) || !LINE.test(lines) ? LINE_BYTES : LINE_BYTES - 1;
}

async function findInTable(text: PdfText, runs: readonly Run[], object: number): Promise<Place | undefined> {
  const run = runs.find(({ first, count }) => object >= first && object < first + count);
  if (run === undefined) return undefined;
  const line = await text.read(run.offset + (object - run.first) * run.lineBytes, LINE_BYTES);
  const [whole, offset, , kind] = LINE.exec(line.toString('latin1')) ?? [];
  if (whole === undefined) throw new PdfSyntaxError('the table of objects is broken');
  return kind === 'f' ? 'free' : { offset: Number(offset) };
}

async function readStream(text: PdfText, offset: number): Promise<Section> {
  const stream = await text.stream(offset);
  const { dictionary } = stream;
  const bytes = await text.data(stream, asCount(dictionary.get('Length')));
  const [kindBytes = 0, placeBytes = 0, moreBytes = 0] = counts(dictionary, 'W');
  if (kindBytes > 4 || placeBytes > 6 || moreBytes > 6) throw new PdfSyntaxError('the list of objects is broken');
  const entryBytes = kindBytes + placeBytes + moreBytes;
  const runs = dictionary.has('Index') ? counts(dictionary, 'Index') : [0, asCount(dictionary.get('Size'))];

  async function find(object: number): Promise<Place | undefined> {
    let before = 0;
    for (let index = 0; index + 1 < runs.length; index += 2) {
      const [first = 0, count = 0] = runs.slice(index, index + 2);
      if (object >= first && object < first + count) return readEntry((before + object - first) * entryBytes);
      before += count;
    }
    return undefined;
  }

  function readEntry(at: number): Place {
    if (at + entryBytes > bytes.length || placeBytes === 0) throw new PdfSyntaxError('the list of objects is broken');
    const kind = kindBytes === 0 ? 1 : bytes.readUIntBE(at, kindBytes);
    const place = bytes.readUIntBE(at + kindBytes, placeBytes);
    if (kind === 0) return 'free';
    return kind === 2 ? { within: place } : { offset: place };
  }

  return { trailer: dictionary, find };
}

function counts(dictionary: PdfDictionary, key: string): number[] {
  const list = dictionary.get(key);
  if (!Array.isArray(list)) throw new PdfSyntaxError('the list of objects is broken');
  return list.map(asCount);
}
