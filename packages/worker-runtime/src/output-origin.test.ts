import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FetchedOutput } from '@mediagate/media';
import { readWhileStored } from './output-origin';

const signed = readFileSync(path.join(__dirname, '../../provenance/test/files/signed.mp4'));
const warned: unknown[] = [];
const logger = { warn: (event: string, fields: unknown) => warned.push([event, fields]) } as never;
const fetched = (parts: Partial<FetchedOutput>) =>
  ({ role: 'video', contentType: 'video/mp4', bytes: signed, ...parts }) as FetchedOutput;
const reader = { taskId: 'task', logger };
const read = async (parts: Partial<FetchedOutput>) => (await readWhileStored(fetched(parts), reader, async () => 0))[1];

afterEach(() => warned.splice(0));

it('a file that was made of the vendor’s has the statements of that one, which it does not keep', async () => {
  expect(await read({})).toMatchObject({ provenance: [{ standard: 'c2pa', valid: true, kept: true }] });
  const made = {
    bytes: Buffer.from('cut'),
    madeOf: { bytes: signed, contentType: 'video/mp4', actions: ['trimmed'] as const },
  };
  expect(await read(made)).toMatchObject({ provenance: [{ standard: 'c2pa', valid: true, kept: false }] });
});

it('a file that cannot be read is a result without statements, and operators are told', async () => {
  expect(await read({ bytes: { path: '/nowhere/output', totalBytes: 10 } })).toEqual({});
  const detail = expect.stringMatching(/^its provenance was not read: .*ENOENT/);
  expect(warned).toEqual([['output.imperfect', { taskId: 'task', detail }]]);
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
