import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MarkPolicy } from '@mediagate/contracts';
import type { FetchedOutput } from '@mediagate/media';
import { originsOf, readParentOf, readWhileStored } from './output-origin';

const signed = readFileSync(path.join(__dirname, '../../provenance/test/files/signed.mp4'));
const warned: unknown[] = [];
const logger = { warn: (event: string, fields: unknown) => warned.push([event, fields]) } as never;
const fetched = (parts: Partial<FetchedOutput>) =>
  ({ role: 'video', contentType: 'video/mp4', bytes: signed, ...parts }) as FetchedOutput;
const reader = { taskId: 'task', logger };
const read = async (parts: Partial<FetchedOutput>) => (await readWhileStored(fetched(parts), reader, async () => 0))[1];

afterEach(() => warned.splice(0));

const madeOf = { bytes: signed, contentType: 'video/mp4', actions: ['trimmed'] as const };
const made = { bytes: Buffer.from('cut'), madeOf };

it('a file that was made of the vendor’s has the statements of that one, of which it keeps a manifest that is carried on', async () => {
  const keptIn = async (parts: Partial<FetchedOutput>, carriesParent?: boolean) => {
    const { provenance = [] } = originsOf(await read(parts), { ...parts, ...(carriesParent && { carriesParent }) });
    expect(provenance).toMatchObject([{ standard: 'c2pa', valid: true }]);
    return provenance.map(({ kept }) => kept);
  };
  expect(await keptIn({})).toEqual([true]);
  expect(await keptIn(made)).toEqual([false]);
  expect(await keptIn(made, true)).toEqual([true]);
});

it('XMP of a vendor’s file stays in that one', () => {
  const xmp = { source_type: 'trainedAlgorithmicMedia', issuer: null, generator: null, valid: null, problem: null };
  const { provenance } = originsOf([{ standard: 'iptc', ...xmp }], { madeOf, carriesParent: true });
  expect(provenance).toMatchObject([{ kept: false }]);
});

const signing: MarkPolicy = { marks: 'signed', unmarked: 'deliver' };

it('the vendor’s manifest is read for files that were made of the vendor’s and are to be signed', async () => {
  const parentOf = (parts: Partial<FetchedOutput>, policy = signing) => readParentOf(fetched(parts), policy, reader);
  expect(await parentOf({})).toBeUndefined();
  const parent = { contentType: 'video/mp4', sourceType: 'trainedAlgorithmicMedia', store: expect.any(Buffer) };
  expect(await parentOf(made)).toEqual(parent);
  expect(await parentOf({ parts: [] })).toEqual(parent);
  expect(
    await parentOf({ cover: { bytes: Buffer.from('image'), contentType: 'image/jpeg', width: 1, height: 1, madeOf } }),
  ).toEqual(parent);
  expect(await parentOf(made, { ...signing, marks: 'metadata' })).toBeUndefined();
});

it('a file that cannot be read is a result without statements, and operators are told', async () => {
  const bytes = { path: '/nowhere/output', totalBytes: 10 };
  expect(originsOf(await read({ bytes }), {})).toEqual({});
  expect(await readParentOf(fetched({ ...made, madeOf: { ...madeOf, bytes } }), signing, reader)).toBeUndefined();
  const detail = expect.stringMatching(/^its provenance was not read: .*ENOENT/);
  expect(warned).toEqual(Array(2).fill(['output.imperfect', { taskId: 'task', detail }]));
});

it('a file is stored while it is read, and is read to the end where storing fails', async () => {
  let isStoring = false;
  const both = readWhileStored(fetched({ bytes: { path: '/nowhere/output', totalBytes: 10 } }), reader, async () => {
    isStoring = true;
    throw new Error('the storage is full');
  });
  expect(isStoring).toBe(true);
  await expect(both).rejects.toThrow('the storage is full');
  expect(warned).toHaveLength(1);
});
