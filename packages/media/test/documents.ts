import { deflateRawSync, deflateSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content?: string;
  /** The size that the directory claims, whatever the entry holds. */
  claimedBytes?: number;
}

/** A ZIP file with deflated entries; checksums are left at zero, as nobody here checks them. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', claimedBytes } of entries) {
    const packed = deflateRawSync(content);
    const sizes = { packed: packed.length, unpacked: claimedBytes ?? Buffer.byteLength(content) };
    const local = Buffer.concat([zipHeader('PK\x03\x04', 30, name, sizes, 4), Buffer.from(name), packed]);
    const entry = zipHeader('PK\x01\x02', 46, name, sizes, 6);
    entry.writeUInt32LE(offset, 42);
    files.push(local);
    directory.push(Buffer.concat([entry, Buffer.from(name)]));
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}

function zipHeader(
  mark: string,
  bytes: number,
  name: string,
  sizes: { packed: number; unpacked: number },
  versionAt: number,
): Buffer {
  const header = Buffer.alloc(bytes);
  header.write(mark, 'latin1');
  header.writeUInt16LE(20, versionAt);
  header.writeUInt16LE(8, versionAt + 4);
  header.writeUInt32LE(sizes.packed, versionAt + 14);
  header.writeUInt32LE(sizes.unpacked, versionAt + 18);
  header.writeUInt16LE(Buffer.byteLength(name), versionAt + 22);
  return header;
}

export function makeDocx(pages: number | undefined, extra: readonly ZipEntry[] = []): Buffer {
  const properties = pages === undefined ? '<Properties/>' : `<Properties><Pages>${pages}</Pages></Properties>`;
  return makeZip([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: 'word/document.xml', content: '<document/>' },
    { name: 'docProps/app.xml', content: properties },
    ...extra,
  ]);
}

const SECTOR_BYTES = 512;
const END_OF_CHAIN = 0xfffffffe;
const TABLE_SECTOR = 0xfffffffd;
const FREE = 0xffffffff;

/**
 * A compound file whose directory holds these names, four to a sector. `gap` empty sectors before the directory move it
 * to where the header's own places of the sector table do not reach.
 */
export function makeCompound(names: readonly string[], gap = 0): Buffer {
  const directorySectors = Math.ceil(names.length / 4);
  const places: number[] = Array.from({ length: gap }, () => FREE);
  for (let index = 1; index <= directorySectors; index += 1) {
    places.push(index === directorySectors ? END_OF_CHAIN : gap + index);
  }
  const tableSectors = Math.ceil((places.length + 300) / 128);
  const firstTable = places.length;
  const list = firstTable + tableSectors;
  const header = Buffer.alloc(SECTOR_BYTES, 0xff);
  header.set(Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(gap, 48);
  header.writeUInt32LE(list, 68);
  for (let index = 0; index < Math.min(109, tableSectors); index += 1) {
    header.writeUInt32LE(firstTable + index, 76 + 4 * index);
  }
  const table = Buffer.alloc(tableSectors * SECTOR_BYTES, 0xff);
  for (const [index, place] of places.entries()) table.writeUInt32LE(place, 4 * index);
  for (let index = 0; index < tableSectors; index += 1) table.writeUInt32LE(TABLE_SECTOR, 4 * (firstTable + index));
  const more = Buffer.alloc(SECTOR_BYTES, 0xff);
  for (let index = 109; index < tableSectors; index += 1) more.writeUInt32LE(firstTable + index, 4 * (index - 109));
  const directory = Buffer.alloc(directorySectors * SECTOR_BYTES);
  names.forEach((name, index) => {
    directory.write(name, index * 128, 'utf16le');
    directory.writeUInt16LE(2 * name.length + 2, index * 128 + 64);
  });
  return Buffer.concat([header, Buffer.alloc(gap * SECTOR_BYTES), directory, table, more]);
}

export interface PdfOptions {
  /** The number that the root of the pages claims, however many there are. */
  count?: string;
  trailer?: string;
  /** Where it says that its list of objects begins. */
  start?: string;
}

/** A PDF with a table of objects, and a page a number. */
export function makePdf(pages: number, { count = String(pages), trailer = '', start }: PdfOptions = {}): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`);
  const objects = [
    '<< /Type /Catalog /Lang (en \\) >> ) /Pages 2 0 R % a remark\n >>',
    `<< /Type /Pages /Kids [ ${kids.join(' ')} ] /Count ${count} >>`,
    ...kids.map(() => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 1 1]>>'),
  ];
  let text = '%PDF-1.4\n';
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  objects.forEach((object, index) => {
    table += `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start ?? text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, 'latin1');
}

/**
 * A PDF whose list of objects is a stream that unpacks to this many zeros; `predicted`: to rows that must be worked out byte
 * by byte.
 */
export function makePdfBomb(bytes: number, { predicted = false } = {}): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, predicted ? 4 : 0));
  const parameters = predicted ? '/DecodeParms << /Predictor 15 /Columns 4 >>' : '';
  const head = '%PDF-1.5\n';
  const object = `1 0 obj\n<< /Type /XRef /W [1 2 1] /Size 4 /Root 2 0 R ${parameters} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
  const tail = `\nendstream\nendobj\nstartxref\n${head.length}\n%%EOF\n`;
  return Buffer.concat([Buffer.from(head + object, 'latin1'), packed, Buffer.from(tail, 'latin1')]);
}

/** A PDF that was saved `changes` times: so many lists of objects, each of which unpacks to this many zeros. */
export function makePdfChanges(changes: number, bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes));
  const parts = [Buffer.from('%PDF-1.5\n')];
  let [offset, previous] = [9, ''];
  for (let change = 0; change < changes; change += 1) {
    const head = `1 0 obj\n<< /Type /XRef /W [1 2 1] /Size 4 ${previous} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
    previous = `/Prev ${offset}`;
    const object = Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\n')]);
    parts.push(object);
    offset += object.length;
  }
  return Buffer.concat([...parts, Buffer.from(`startxref\n${previous.slice(6)}\n%%EOF\n`)]);
}
