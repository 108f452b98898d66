import { message } from '@mediagate/contracts';
import type { ByteSource } from '../../sources/byte-source';
import { DocumentError } from '../document-facts';
import { type Place, readSection, type Section } from './cross-reference';
import { createDecrypt, type Decrypt } from './encryption';
import { needsPassword, readLock } from './password';
import { createPdfText, MAX_VALUE_BYTES, type PdfText } from './pdf-text';
import {
  asCount,
  asDictionary,
  isReference,
  type Lookup,
  type PdfDictionary,
  PdfSyntaxError,
  type PdfValue,
  parsePdfValue,
} from './pdf-value';

/** The end of a file, in which it says where its list of objects begins. */
const TAIL_BYTES = 2048;
const START = /startxref[\s\0]+(\d{1,12})[\s\0]/g;
/** Each saved change of a file adds one, or two. */
const MAX_SECTIONS = 200;
const MAX_REFERENCES = 20;
/** Writers put 100 or 200 objects into one stream. */
const MAX_STREAM_OBJECTS = 10_000;
/** Room for as many pairs of numbers. */
const MAX_DIRECTORY_BYTES = 24 * MAX_STREAM_OBJECTS;

/**
 * How many pages a PDF says it has: from its end by way of its list of objects to the root of its pages, some ten short
 * reads however large the file. (The libraries that could be asked read and unpack all of it, which a hostile file makes
 * gigabytes.) Throws DocumentError; what the source throws, as it is.
 */
export async function countPdfPages(source: ByteSource): Promise<number> {
  let isEncrypted = false;
  try {
    const text = createPdfText(source);
    const sections = await readSections(text, await findStart(source));
    const locked = sections.find(({ trailer }) => trailer.has('Encrypt'))?.trailer;
    isEncrypted = locked !== undefined;
    const lookup = createLookup(text, sections, locked && (await openLock(createLookup(text, sections), locked)));
    const [newest] = sections.flatMap(({ trailer }) => trailer.get('Root') ?? []);
    const root = asDictionary(await lookup(newest));
    const pages = asDictionary(await lookup(root.get('Pages')));
    const kids = await lookup(pages.get('Kids'));
    return Math.max(asCount(await lookup(pages.get('Count'))), Array.isArray(kids) ? kids.length : 0);
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error;
    throw new DocumentError(message(isEncrypted ? 'pdf_password' : 'pdf_broken'), { cause: error });
  }
}

/**
 * Answers what reads the streams of a file that is encrypted.
 *
 * @throws DocumentError where readers need a password.
 */
async function openLock(lookup: Lookup, trailer: PdfDictionary): Promise<Decrypt> {
  const encrypt = asDictionary(await lookup(trailer.get('Encrypt')));
  const lock = readLock(encrypt, await lookup(trailer.get('ID')));
  if (needsPassword(encrypt, lock)) throw new DocumentError(message('document_password'));
  return createDecrypt(encrypt, lock, lookup);
}

async function findStart(source: ByteSource): Promise<number> {
  const tail = await source.read(Math.max(0, source.totalBytes - TAIL_BYTES), source.totalBytes);
  const start = [...tail.toString('latin1').matchAll(START)].at(-1)?.[1];
  if (start === undefined) throw new PdfSyntaxError('the file does not say where its list of objects begins');
  return Number(start);
}

/** Newest first. */
async function readSections(text: PdfText, start: number): Promise<Section[]> {
  const sections: Section[] = [];
  const seen = new Set<number>();
  let offset: number | undefined = start;
  while (offset !== undefined) {
    if (seen.has(offset) || seen.size === MAX_SECTIONS) throw new PdfSyntaxError('the lists of objects do not end');
    seen.add(offset);
    const section: Section = await readSection(text, offset);
    // A file for old readers and new has a second list beside a table, of the objects that the table calls free.
    const beside = section.trailer.get('XRefStm');
    if (beside !== undefined) sections.push(await readSection(text, asCount(beside)));
    sections.push(section);
    const previous = section.trailer.get('Prev');
    offset = previous === undefined ? undefined : asCount(previous);
  }
  return sections;
}

function createLookup(text: PdfText, sections: readonly Section[], decrypt?: Decrypt): Lookup {
  let references = 0;

  async function lookup(value: PdfValue | undefined): Promise<PdfValue> {
    if (!isReference(value)) return value ?? null;
    references += 1;
    if (references > MAX_REFERENCES) throw new PdfSyntaxError('references lead round in circles');
    const place = await find(value.object);
    if (place === undefined || place === 'free') return null;
    return lookup(
      'offset' in place ? await readObject(place.offset, value.object) : await unpackObject(place.within, value.object),
    );
  }

  async function find(object: number): Promise<Place | undefined> {
    for (const section of sections) {
      const place = await section.find(object);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  async function readObject(offset: number, number: number): Promise<PdfValue> {
    const object = await text.object(offset);
    if (object.number !== number) throw new PdfSyntaxError('another object stands where one belongs');
    return object.value;
  }

  /** A stream of objects begins with their numbers and where each begins behind that. */
  async function unpackObject(within: number, number: number): Promise<PdfValue> {
    const place = await find(within);
    if (place === undefined || place === 'free' || !('offset' in place)) {
      throw new PdfSyntaxError('there is no stream where one belongs');
    }
    const stream = await text.stream(place.offset);
    const { dictionary } = stream;
    const bytes = await text.data(stream, asCount(await lookup(dictionary.get('Length'))), decrypt?.bind(null, within));
    const first = asCount(dictionary.get('First'));
    const directory = bytes
      .toString('latin1', 0, Math.min(first, MAX_DIRECTORY_BYTES))
      .trim()
      .split(/[\s\0]+/, 2 * Math.min(asCount(dictionary.get('N')), MAX_STREAM_OBJECTS))
      .map(Number);
    const index = directory.findIndex((entry, place) => place % 2 === 0 && entry === number);
    const start = directory[index + 1];
    if (index >= 0 && start !== undefined) {
      // The blank stands for the object behind it: a value that ends the stream is whole.
      const behind = Buffer.concat([bytes.subarray(first + start, first + start + MAX_VALUE_BYTES), Buffer.from(' ')]);
      return parsePdfValue(behind, 0).value;
    }
    throw new PdfSyntaxError('an object is missing in its stream');
  }

  return lookup;
}
