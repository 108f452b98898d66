import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { message } from '@mediagate/contracts';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import type { ByteSource } from '../sources/byte-source';
import { DocumentError, type DocumentFacts } from './document-facts';

/** Office files have hundreds. */
const MAX_ENTRIES = 10_000;
/** The size that a document may unpack to, as its directory states it: a bomb of a few kilobytes promises terabytes. */
const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;
const MAX_PROPERTIES_BYTES = 1024 * 1024;

/** The main part shows which of the three types a document has. */
const OFFICE_PARTS: readonly (readonly [part: string, contentType: string])[] = [
  ['word/document.xml', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/workbook.xml', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/presentation.xml', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];
const SLIDE = /^ppt\/slides\/slide\d+\.xml$/;
const PROPERTIES = 'docProps/app.xml';
const PAGES = /<Pages>(\d{1,9})<\/Pages>/;

/** Only Keynote has slides; a text and a table differ in what is packed, not in how it is called. */
const KEYNOTE_PART = /^Index\/(?:Master|Template)?Slide[-.]|^index\.apxl(?:\.gz)?$/;
const IWORK_PART = /^Index\/Document\.iwa$|^Index\.zip$|^index\.xml(?:\.gz)?$/;

/**
 * A ZIP file as the document it is: known by its directory at the end, of which nothing is unpacked but the properties in
 * which a text says how many pages it has. Undefined: a ZIP file that is none. Throws DocumentError; what the source throws,
 * as it is.
 */
export async function inspectZip(source: ByteSource): Promise<DocumentFacts | undefined> {
  const reader = new SourceReader(source);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, source.totalBytes, { autoClose: false });
    const entries = await readDirectory(zip);
    return (await officeFacts(zip, entries)) ?? iworkFacts([...entries.keys()]);
  } catch (error) {
    if (reader.failure !== undefined) throw reader.failure.error;
    throw error instanceof DocumentError ? error : new DocumentError(message('document_unreadable'), { cause: error });
  }
}

async function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) {
    throw new DocumentError(message('document_files', { files: zip.entryCount, limit: MAX_ENTRIES }));
  }
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, entry);
    unpacked += entry.uncompressedSize;
  }
  if (unpacked > MAX_UNPACKED_BYTES) {
    throw new DocumentError(message('document_unpacked', { bytes: unpacked, limit: MAX_UNPACKED_BYTES }));
  }
  return entries;
}

async function officeFacts(zip: ZipFile, entries: Map<string, Entry>): Promise<DocumentFacts | undefined> {
  const [part, contentType] = OFFICE_PARTS.find(([name]) => entries.has(name)) ?? [];
  if (part === undefined || contentType === undefined) return undefined;
  const contentTypes = [contentType] as const;
  if (part.startsWith('ppt/'))
    return { contentTypes, pages: [...entries.keys()].filter((name) => SLIDE.test(name)).length };
  const properties = entries.get(PROPERTIES);
  if (!part.startsWith('word/') || properties === undefined) return { contentTypes };
  const pages = Number(PAGES.exec(await unpackProperties(zip, properties))?.[1] ?? 0);
  // Programs that do not lay out what they write leave a zero.
  return pages > 0 ? { contentTypes, pages } : { contentTypes };
}

async function unpackProperties(zip: ZipFile, entry: Entry): Promise<string> {
  // The library stops at the size that the directory gives, so this holds for what is unpacked too.
  if (entry.uncompressedSize > MAX_PROPERTIES_BYTES) throw new DocumentError(message('document_properties'));
  return (await buffer(await zip.openReadStreamPromise(entry))).toString('utf8');
}

function iworkFacts(names: readonly string[]): DocumentFacts | undefined {
  if (names.some((name) => KEYNOTE_PART.test(name))) return { contentTypes: ['application/vnd.apple.keynote'] };
  if (!names.some((name) => IWORK_PART.test(name))) return undefined;
  return { contentTypes: ['application/vnd.apple.pages', 'application/vnd.apple.numbers'] };
}

/** Lets the library read from a source, and keeps what went wrong there apart from what is wrong with the file. */
class SourceReader extends RandomAccessReader {
  failure: { error: unknown } | undefined;
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    super();
    this.#source = source;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#bring(position, position + length).then((bytes) => {
      bytes.copy(target, offset);
      callback(null);
    }, callback);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bring = () => this.#bring(start, end);
    return Readable.from(
      (async function* () {
        yield await bring();
      })(),
      { objectMode: false },
    );
  }

  async #bring(start: number, end: number): Promise<Buffer> {
    const bytes = await this.#source.read(start, end).catch((error: unknown) => {
      this.failure = { error };
      throw error;
    });
    if (bytes.length < end - start) throw new DocumentError(message('document_cut_off'));
    return bytes;
  }
}
