import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NOBODY } from '@mediagate/contracts';
import { acceptFile } from '../src';
import { judgeFile } from '../src/accept-file';
import { countPdfPages } from '../src/inspect/pdf/count-pages';
import { createProber } from '../src/inspect/probe';
import { type ByteSource, bufferSource } from '../src/sources/byte-source';
import { createPieceSource } from '../src/sources/piece-source';
import {
  makeCompound,
  makeDocx,
  makePdf,
  makePdfBomb,
  makePdfChanges,
  makePdfObjectStream,
  makeZip,
} from './documents';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const TYPES = [
  ...['wordprocessingml.document', 'spreadsheetml.sheet', 'presentationml.presentation'].map(
    (name) => `${OFFICE}.${name}`,
  ),
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/pdf',
  'application/vnd.apple.keynote',
  'application/vnd.apple.pages',
  'application/vnd.apple.numbers',
  'text/plain',
  'text/markdown',
];
const limits = (change = {}) => ({
  field: 'file_url',
  maxBytes: 100_000_000,
  contentTypes: TYPES,
  limits: { maxPages: 50 },
  ...change,
});
const inspection = { prober: createProber(), owner: NOBODY, signal: new AbortController().signal };
const judge = (bytes: Buffer, change = {}) => judgeFile(bufferSource(bytes), limits(change), inspection);
const refusal = (problem: string | RegExp) => ({
  name: 'MediaError',
  field: 'file_url',
  message: typeof problem === 'string' ? `file_url: ${problem}` : expect.stringMatching(problem),
});

/** The bytes as if they were far away, and what was fetched of them. */
function counted(bytes: Buffer): { source: ByteSource; fetched(): number } {
  let count = 0;
  const fetch = async (start: number, end: number) => {
    count += end - start;
    return bytes.subarray(start, end);
  };
  return { source: createPieceSource({ totalBytes: bytes.length, fetch }), fetched: () => count };
}

describe('a document is known by its bytes', () => {
  const slides = [1, 2, 3].map((slide) => ({ name: `ppt/slides/slide${slide}.xml` }));

  it.each([
    ['docx', makeDocx(3), { contentType: `${OFFICE}.wordprocessingml.document`, pages: 3 }],
    ['docx that was never laid out', makeDocx(undefined), { contentType: `${OFFICE}.wordprocessingml.document` }],
    ['docx of zero pages', makeDocx(0), { contentType: `${OFFICE}.wordprocessingml.document` }],
    ['xlsx', makeZip([{ name: 'xl/workbook.xml' }]), { contentType: `${OFFICE}.spreadsheetml.sheet` }],
    [
      'pptx',
      makeZip([{ name: 'ppt/presentation.xml' }, ...slides]),
      { contentType: `${OFFICE}.presentationml.presentation`, pages: 3 },
    ],
    [
      'key',
      makeZip([{ name: 'Index/Document.iwa' }, { name: 'Index/Slide-8.iwa' }]),
      { contentType: 'application/vnd.apple.keynote' },
    ],
    ['pages', makeZip([{ name: 'Index/Document.iwa' }]), { contentType: 'application/vnd.apple.pages' }],
    ['older pages', makeZip([{ name: 'index.xml' }]), { contentType: 'application/vnd.apple.pages' }],
    ['doc', makeCompound(['Root Entry', 'WordDocument']), { contentType: 'application/msword' }],
    [
      'doc with a long directory',
      makeCompound(['Root Entry', '1Table', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'WordDocument']),
      { contentType: 'application/msword' },
    ],
    [
      'ppt of 10 MB with its directory at the end',
      makeCompound(['Root Entry', 'a', 'b', 'c', 'PowerPoint Document'], 20_000),
      { contentType: 'application/vnd.ms-powerpoint' },
    ],
    ['xls', makeCompound(['Root Entry', 'Workbook']), { contentType: 'application/vnd.ms-excel' }],
    ['older xls', makeCompound(['Root Entry', 'Book']), { contentType: 'application/vnd.ms-excel' }],
    ['txt', Buffer.from('Grüße\r\n\tan alle\n'), { contentType: 'text/plain' }],
    ['txt in UTF-16', Buffer.from('\ufeffGrüße', 'utf16le'), { contentType: 'text/plain' }],
    ['txt cut by the reader within a letter', Buffer.from('ü'.repeat(5_000)), { contentType: 'text/plain' }],
    ['txt of one letter', Buffer.from('x'), { contentType: 'text/plain' }],
    ['pdf', makePdf(4), { contentType: 'application/pdf', pages: 4 }],
  ])('%s', async (_name, bytes, facts) => expect(await judge(bytes)).toEqual(facts));

  it('and is what the field accepts where formats cannot be distinguished', async () => {
    const numbers = { contentTypes: ['application/vnd.apple.numbers'] };
    await expect(judge(makeZip([{ name: 'Index/Document.iwa' }]), numbers)).resolves.toEqual({
      contentType: 'application/vnd.apple.numbers',
    });
    await expect(judge(Buffer.from('# Title'), { contentTypes: ['text/markdown'] })).resolves.toEqual({
      contentType: 'text/markdown',
    });
  });

  it.each([
    ['any other ZIP file', makeZip([{ name: 'index.html' }]), /is of an unknown type/],
    ['any other compound file', makeCompound(['Root Entry', 'Thumbs']), /is of an unknown type/],
    ['a page', Buffer.from('\n<!DOCTYPE html><title>Sign in</title>'), /is text\/html; accepted are/],
    ['binary data', Buffer.from([1, 2, 3, 0]), /is of an unknown type/],
    ['another alphabet', Buffer.from('Gr\xfc\xdfe', 'latin1'), /is of an unknown type/],
    ['nothing', Buffer.alloc(0), /The file is empty/],
    ['a program', Buffer.from('MZ\x90\0', 'latin1'), /is of an unknown type/],
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /is image\/png; accepted are/],
  ])('so %s is none', async (_name, bytes, problem) => {
    await expect(judge(bytes)).rejects.toMatchObject(refusal(problem));
  });

  it('also where it came with the request itself, unless it takes a parser', async () => {
    await expect(acceptFile(limits(), Buffer.from('words'))).resolves.toMatchObject({ contentType: 'text/plain' });
    await expect(acceptFile(limits(), makeDocx(3))).rejects.toMatchObject(refusal(/is of an unknown type/));
  });
});

describe('a document', () => {
  it.each([
    ['docx', makeDocx(51), 51],
    ['pdf', makePdf(60), 60],
    ['pdf that counts less than it lists', makePdf(60, { count: '2' }), 60],
  ])('%s with too many pages is refused with their number', async (_name, bytes, pages) => {
    const problem = `The document has ${pages} pages; at most 50 are accepted.`;
    await expect(judge(bytes)).rejects.toMatchObject(refusal(problem));
  });

  it.each([
    [
      'that unpacks to terabytes',
      makeDocx(
        1,
        [1, 2, 3].map((index) => ({ name: `word/${index}.xml`, claimedBytes: 0xfffffffe })),
      ),
      /The document unpacks to 128849\d{5} bytes; at most 1073741824 are accepted\.$/,
    ],
    [
      'whose properties are a bomb',
      makeZip([{ name: 'word/document.xml' }, { name: 'docProps/app.xml', content: ' '.repeat(2_000_000) }]),
      'The properties of the document are too large.',
    ],
    [
      'whose properties are a bomb that calls itself small',
      makeZip([
        { name: 'word/document.xml' },
        { name: 'docProps/app.xml', content: ' '.repeat(5_000_000), claimedBytes: 100 },
      ]),
      'The document cannot be read.',
    ],
    ['that lost its end', makeDocx(1).subarray(0, -30), 'The document cannot be read.'],
    ['behind a password', makeCompound(['Root Entry', 'EncryptedPackage']), 'The document is protected by a password.'],
    ['whose directory never ends', endlessCompound(), 'The document cannot be read.'],
    [
      'that lost its directory',
      makeCompound(['Root Entry', 'WordDocument']).subarray(0, 600),
      'The document cannot be read.',
    ],
  ])('%s is refused', async (_name, bytes, problem) => {
    await expect(judge(bytes)).rejects.toMatchObject(refusal(problem));
  });

  it('with more files in it than any has is refused', async () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => ({ name: `word/${index}` }));
    const problem = 'The document holds 10001 files; at most 10000 are accepted.';
    await expect(judge(makeZip(entries))).rejects.toMatchObject(refusal(problem));
  });

  it('of 5 MB is judged by its directory', async () => {
    const { source, fetched } = counted(
      makeZip([{ name: 'media/1', content: noise(10_000_000) }, { name: 'xl/workbook.xml' }]),
    );
    await expect(judgeFile(source, limits(), inspection)).resolves.toEqual({
      contentType: `${OFFICE}.spreadsheetml.sheet`,
    });
    expect(fetched()).toBeLessThan(300_000);
  });
});

/** Text that hardly packs. */
function noise(characters: number): string {
  return randomBytes(characters / 2).toString('hex');
}

function endlessCompound(): Buffer {
  const bytes = makeCompound(['Root Entry']);
  // The directory's one sector is followed by itself.
  bytes.writeUInt32LE(0, 2 * 512);
  return bytes;
}

/** The PDF saved once more, with these objects by their numbers. */
function change(before: Buffer, objects: Record<number, string>): Buffer {
  const [, previous] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(before.toString('latin1')) ?? [];
  let [text, table] = ['\n', 'xref\n'];
  for (const [number, object] of Object.entries(objects)) {
    table += `${number} 1\n${String(before.length + text.length).padStart(10, '0')} 00000 n \n`;
    text += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const end = `trailer\n<< /Size 100 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${before.length + text.length}\n%%EOF\n`;
  return Buffer.concat([before, Buffer.from(text + table + end, 'latin1')]);
}

describe('the pages of a PDF', () => {
  const file = (name: string) => readFileSync(path.join(__dirname, 'pdf', name));
  const withUnknownCipher = () =>
    Buffer.from(file('encrypted-object-streams.pdf').toString('latin1').replaceAll('/AESV3', '/AESV9'), 'latin1');
  const shortLock = file('owner-packed-4.pdf').toString('latin1').replace('/Length 128', '/Length 40 ');
  const withShortKey = Buffer.from(shortLock.replace('/R 4', '/R 9').replace('/V 4', '/V 3'), 'latin1');

  it.each([
    'linearized.pdf',
    'linearized-object-streams.pdf',
    'object-streams.pdf',
    'encrypted.pdf',
    'print.pdf',
    'print-1.3.pdf',
    'encrypted-object-streams.pdf',
  ])('are counted in %s', async (name) => expect(await countPdfPages(bufferSource(file(name)))).toBe(7));

  it.each([3, 4, 6])('are counted where only its owner needs a password, by revision %d', async (revision) =>
    expect(await countPdfPages(bufferSource(file(`for-its-owner-${revision}.pdf`)))).toBe(3),
  );

  it.each(['2', '3', '4', '4-rc4', '5', '6'])(
    'are counted there also where objects are packed, by revision %s',
    async (revision) => expect(await countPdfPages(bufferSource(file(`owner-packed-${revision}.pdf`)))).toBe(3),
  );

  it.each([2, 3, 4, 5, 6])('are not counted where readers need a password, by revision %d', async (revision) => {
    const counted = countPdfPages(bufferSource(file(`for-readers-${revision}.pdf`)));
    await expect(counted).rejects.toThrow('The document is protected by a password.');
  });

  it.each(['/CF 12 0 R', '/CF << /StdCF 13 0 R >>'])(
    'are counted where its cipher stands elsewhere: %s',
    async (cipher) => {
      const packed = file('owner-packed-4.pdf');
      const [lock = ''] = /<< \/CF .* \/V 4 >>/.exec(packed.toString('latin1')) ?? [];
      const bytes = change(packed, {
        10: lock.replace(/\/CF .*? >> >>/, cipher),
        12: '<< /StdCF 13 0 R >>',
        13: '<< /CFM /AESV2 >>',
      });
      expect(await countPdfPages(bufferSource(bytes))).toBe(3);
    },
  );

  it.each(['', '/CF 99 0 R', '/CF << >>', '/CF << /StdCF 99 0 R >>'])(
    'are counted where they are plain, whatever its cipher is: %s',
    async (cipher) => {
      const trailer = `/Encrypt << /Filter /Standard /V 4 /R 9 /StmF /StdCF ${cipher} >>`;
      expect(await countPdfPages(bufferSource(makePdf(7, { trailer })))).toBe(7);
    },
  );

  it('are those of its last change', async () => {
    const bytes = change(makePdf(3), { 2: '<< /Type /Pages /Kids [3 0 R] /Count 9 >>' });
    expect(await countPdfPages(bufferSource(bytes))).toBe(9);
  });

  it('are counted although lines of its table are short', async () => {
    const bytes = Buffer.from(
      makePdf(3)
        .toString('latin1')
        .replaceAll(/ ([nf]) \n/g, ' $1\n'),
      'latin1',
    );
    expect(await countPdfPages(bufferSource(bytes))).toBe(3);
  });

  it('are found with some short reads, however large the file', async () => {
    const text = makePdf(5).toString('latin1');
    const padded = text.replace('%PDF-1.4\n', `%PDF-1.4\n%${'x'.repeat(30_000_000)}\n`);
    const shift = 30_000_002;
    const moved = padded
      .replaceAll(/\n(\d{10}) 00000 n/g, (_, offset) => `\n${String(Number(offset) + shift).padStart(10, '0')} 00000 n`)
      .replace(/startxref\n(\d+)/, (_, offset) => `startxref\n${Number(offset) + shift}`);
    const { source, fetched } = counted(Buffer.from(moved, 'latin1'));
    expect(await countPdfPages(source)).toBe(5);
    expect(fetched()).toBeLessThan(200_000);
  });

  it('are found in a stream of many objects without copying it for each', async () => {
    const bytes = makePdfObjectStream(4_000, 4_000_000);
    const before = process.cpuUsage();
    expect(await countPdfPages(bufferSource(bytes))).toBe(6);
    expect(process.cpuUsage(before).user).toBeLessThan(2_500_000);
    await expect(countPdfPages(bufferSource(makePdfObjectStream(4_000, 4_000_000, 2)))).rejects.toMatchObject({
      name: 'DocumentError',
    });
  });

  it('are not counted when its many lists of objects unpack to gigabytes', async () => {
    const bytes = makePdfChanges(180, 15_000_000);
    const before = process.memoryUsage().rss;
    await expect(countPdfPages(bufferSource(bytes))).rejects.toMatchObject({ name: 'DocumentError' });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('are counted by a process of their own, for as long as that may think', async () => {
    const hasty = { ...inspection, prober: createProber({ maxThinkingMs: 1 }) };
    for (const bytes of [makePdfBomb(15_000_000, { predicted: true }), makeDocx(1)]) {
      await expect(judgeFile(bufferSource(bytes), limits(), hasty)).rejects.toMatchObject({
        ...refusal('The document cannot be read.'),
        transient: true,
      });
    }
  });

  const looped = makePdf(1, { trailer: '/Prev 9999' });
  it.each([
    ['has no end', makePdf(3).subarray(0, -40), 'The PDF is broken'],
    ['points nowhere', makePdf(3, { start: '999999' }), 'The PDF is broken'],
    [
      'points at itself',
      Buffer.from(looped.toString('latin1').replace('9999', String(looped.indexOf('xref')))),
      'The PDF is broken',
    ],
    ['refers to itself', makePdf(1, { count: '2 0 R' }), 'The PDF is broken'],
    ['has a fraction of a page', makePdf(1, { count: '1.5' }), 'The PDF is broken'],
    ['has values a thousand deep', makePdf(1, { count: '['.repeat(1_000) }), 'The PDF is broken'],
    ['unpacks to a gigabyte', makePdfBomb(1_000_000_000), 'The PDF is broken'],
    ['is noise', Buffer.from(`%PDF-1.7\n${noise(4_000)}`), 'The PDF is broken'],
    ['is locked by a cipher that is not known', withUnknownCipher(), 'The PDF is protected by a password'],
    ['has a key too short for its cipher', withShortKey, 'The PDF is protected by a password'],
  ])('are not counted when it %s', async (_case, bytes, problem) => {
    const before = process.memoryUsage().rss;
    await expect(judge(bytes)).rejects.toMatchObject(refusal(`${problem}; its pages cannot be counted.`));
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('are nobody’s business where there is no limit', async () => {
    await expect(judge(makePdf(3, { start: '999999' }), { limits: {} })).resolves.toEqual({
      contentType: 'application/pdf',
    });
  });
});
