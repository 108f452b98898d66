import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NOBODY } from '@mediagate/contracts';
import { acceptFile } from '../src';
import { judgeFile } from '../src/accept-file';
import { createProber } from '../src/inspect/probe';
import { type ByteSource, bufferSource } from '../src/sources/byte-source';
import { createPieceSource } from '../src/sources/piece-source';
import { makeCompound, makeDocx, makePdf, makePdfBomb, makePdfChanges, makeZip } from './documents';
import { longChain, manyRuns, sharedRuns } from './hostile-files';

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

describe('the pages of a PDF', () => {
  const file = (name: string) => readFileSync(path.join(__dirname, 'pdf', name));
  const pagesOf = (source: ByteSource) => inspection.prober.pdfPages(source, inspection);

  it.each([
    ['print.pdf', 7],
    ['linearized.pdf', 7],
    ['object-streams.pdf', 7],
    ['encrypted-object-streams.pdf', 7],
    ['owner-packed-6.pdf', 3],
  ])('are counted in %s, and where only its owner needs a password', async (name, pages) =>
    expect(await pagesOf(bufferSource(file(name)))).toBe(pages),
  );

  it('are not counted where readers need a password', async () => {
    await expect(judge(file('for-readers-6.pdf'))).rejects.toMatchObject(
      refusal('The document is protected by a password.'),
    );
  });

  it('are found with some short reads, however large the file', async () => {
    const text = makePdf(5).toString('latin1');
    const padded = text.replace('%PDF-1.4\n', `%PDF-1.4\n%${'x'.repeat(30_000_000)}\n`);
    const shift = 30_000_002;
    const moved = padded
      .replaceAll(/\n(\d{10}) 00000 n/g, (_, offset) => `\n${String(Number(offset) + shift).padStart(10, '0')} 00000 n`)
      .replace(/startxref\n(\d+)/, (_, offset) => `startxref\n${Number(offset) + shift}`);
    const { source, fetched } = counted(Buffer.from(moved, 'latin1'));
    expect(await pagesOf(source)).toBe(5);
    expect(fetched()).toBeLessThan(400_000);
  });

  it('are counted in a file that says wrongly where its list of objects begins', async () => {
    expect(await pagesOf(bufferSource(makePdf(3, { start: '999999' })))).toBe(3);
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

  it.each([
    ['has no end', makePdf(3).subarray(0, -40)],
    ['has values a thousand deep', makePdf(1, { count: '['.repeat(1_000) })],
    ['has a hundred lists of objects', longChain(100)],
    ['has a list of empty runs', manyRuns(100_000)],
    ['has lists that share one table', sharedRuns(190, 900)],
    ['unpacks to a gigabyte', makePdfBomb(1_000_000_000)],
    ['has many lists of objects that unpack to gigabytes', makePdfChanges(180, 15_000_000)],
    ['is noise', Buffer.from(`%PDF-1.7\n${noise(4_000)}`)],
  ])('are not counted when it %s', async (_case, bytes) => {
    await expect(judge(bytes)).rejects.toMatchObject(
      refusal(/The PDF is broken; its pages cannot be counted|The document cannot be read/),
    );
  });

  it('are nobody’s business where there is no limit', async () => {
    await expect(judge(makePdf(3).subarray(0, -40), { limits: {} })).resolves.toEqual({
      contentType: 'application/pdf',
    });
  });
});
