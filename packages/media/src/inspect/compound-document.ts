import { message } from '@mediagate/contracts';
import type { ByteSource } from '../sources/byte-source';
import { DocumentError, type DocumentFacts } from './document-facts';

/** The compound files of older Office versions ([MS-CFB]): a small file system, whose directory names its streams. */
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** The directory of a document has some dozen entries; these sectors hold 4096 of them in a file of small sectors. */
const MAX_DIRECTORY_SECTORS = 1024;
/** The sector table is spread over sectors. Where the first ones lie stands in the header, the rest in a chain of lists. */
const HEADER_TABLE_SECTORS = 109;
const LAST_REGULAR_SECTOR = 0xfffffffa;

const STREAMS: readonly (readonly [stream: string, contentType: string])[] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
];
/** A newer document behind a password is wrapped in an old one. */
const ENCRYPTED = 'EncryptedPackage';

/**
 * An old Word, Excel or PowerPoint file by the names in its directory; undefined: a compound file that is none. How many
 * pages it has, only its program knows. Throws DocumentError; what the source throws, as it is.
 */
export async function inspectCompound(source: ByteSource): Promise<DocumentFacts | undefined> {
  const names = await readDirectory(source);
  if (names.has(ENCRYPTED)) throw new DocumentError(message('document_password'));
  const [, contentType] = STREAMS.find(([stream]) => names.has(stream)) ?? [];
  return contentType === undefined ? undefined : { contentTypes: [contentType] };
}

async function readDirectory(source: ByteSource): Promise<Set<string>> {
  const header = await readFully(source, 0, HEADER_BYTES);
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw unreadable();
  const sectorBytes = 1 << shift;
  const sectorAt = (sector: number) => (sector + 1) * sectorBytes;
  const placesPerSector = sectorBytes / 4;
  const readPlace = async (sector: number, place: number) => {
    const start = sectorAt(sector) + 4 * place;
    return (await readFully(source, start, start + 4)).readUInt32LE(0);
  };

  async function tableSector(index: number): Promise<number> {
    if (index < HEADER_TABLE_SECTORS) return header.readUInt32LE(76 + 4 * index);
    // The last place of a list names the next list.
    const listPlaces = placesPerSector - 1;
    let list = header.readUInt32LE(68);
    for (let skip = Math.floor((index - HEADER_TABLE_SECTORS) / listPlaces); skip > 0; skip -= 1) {
      list = await readPlace(list, listPlaces);
    }
    return readPlace(list, (index - HEADER_TABLE_SECTORS) % listPlaces);
  }

  async function next(sector: number): Promise<number> {
    return readPlace(await tableSector(Math.floor(sector / placesPerSector)), sector % placesPerSector);
  }

  const names = new Set<string>();
  let sector = header.readUInt32LE(48);
  for (let count = 0; sector <= LAST_REGULAR_SECTOR; count += 1) {
    if (count === MAX_DIRECTORY_SECTORS) throw unreadable();
    const bytes = await readFully(source, sectorAt(sector), sectorAt(sector + 1));
    for (let offset = 0; offset < sectorBytes; offset += ENTRY_BYTES) names.add(readName(bytes, offset));
    sector = await next(sector);
  }
  return names;
}

/** UTF-16, with its length in bytes behind it, the closing zero included. */
function readName(directory: Buffer, offset: number): string {
  const length = Math.min(64, directory.readUInt16LE(offset + 64));
  return directory.toString('utf16le', offset, offset + Math.max(0, length - 2));
}

async function readFully(source: ByteSource, start: number, end: number): Promise<Buffer> {
  const bytes = await source.read(start, end);
  if (bytes.length < end - start) throw unreadable();
  return bytes;
}

function unreadable(): DocumentError {
  return new DocumentError(message('document_unreadable'));
}
