import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkFolders, readMedium, StorageHealth, StorageUnavailableError } from '@mediagate/media';
import { ByteShares } from './byte-shares';
import { CallerFiles, type CallerFilesParts } from './caller-files';

const KIB = 1024;
const SHORT = Buffer.alloc(256 * KIB, 'a');
const LONG = Buffer.alloc(1000 * KIB, 'b');
const ALICE = { id: 'key_1', accountId: 'acct_1' };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediagate-caller-files-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const sharesOf = (maxBytes: number) =>
  new ByteShares({ maxBytes, accountMaxOpen: 1, keyMaxOpen: 1, accountBytesPerSecond: 1 });

function open(parts: Partial<CallerFilesParts> = {}) {
  const memory = sharesOf(10 * LONG.length).lease();
  const disk = sharesOf(10 * LONG.length);
  const makeFolder = createWorkFolders({ root: join(root, 'work') });
  const files = new CallerFiles({ disk, makeFolder, health: new StorageHealth({ places: [] }), ...parts }, memory);
  memory.own(ALICE);
  files.own(ALICE);
  return { files, memory, disk };
}

/** In pieces, as a body brings it. */
function arrive(files: CallerFiles, bytes: Buffer) {
  const file = files.newFile();
  for (let at = 0; at < bytes.length; at += 60_000) file.push(bytes.subarray(at, at + 60_000));
  return file;
}

it('keeps a short file in memory, and none of it on the disk', async () => {
  const { files } = open();
  const file = arrive(files, SHORT);
  const sha256 = file.sha256();
  expect(await file.end()).toEqual(SHORT);
  expect(sha256.toString('hex')).toBe(createHash('sha256').update(SHORT).digest('hex'));
  expect(await readdir(root)).toEqual([]);
});

it('keeps a long file on the disk until the request is over, with its hash, and counts no more of it in memory', async () => {
  const { files, memory } = open();
  const take = jest.spyOn(memory, 'take');
  const file = arrive(files, LONG);
  const sha256 = file.sha256();
  const medium = await file.end();
  expect(medium).toEqual({ path: expect.stringContaining(root), totalBytes: LONG.length, sha256 });
  expect(take.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(SHORT.length);
  expect((await readMedium(medium)).equals(LONG)).toBe(true);
  await files.close();
  expect(await readdir(join(root, 'work'))).toEqual([]);
});

it('counts a file that is read into memory as memory', async () => {
  const { files, memory } = open();
  const medium = await arrive(files, LONG).end();
  const take = jest.spyOn(memory, 'take');
  expect((await files.read(medium)).equals(LONG)).toBe(true);
  expect(take.mock.calls).toEqual([[LONG.length]]);
  await files.close();
});

it('refuses what goes beyond the share of the disk, and gives all of it back', async () => {
  const disk = sharesOf(3 * LONG.length);
  const { files } = open({ disk });
  arrive(files, LONG);
  expect(() => arrive(files, LONG)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  await files.close();
  const { files: later } = open({ disk });
  await arrive(later, LONG).end();
  await later.close();
});

it('has room for an upload before any of it is read, counts an announced byte once, and gives all of it back', async () => {
  const disk = sharesOf(3 * LONG.length);
  const { files: refused } = open({ disk });
  expect(() => refused.openUpload(2 * LONG.length)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  await refused.close();
  const { files } = open({ disk });
  files.openUpload(LONG.length);
  await arrive(files, LONG).end();
  await files.close();
});

it.each([0, LONG.length])('takes no more uploads at once than an account has turns: %i bytes', async (bytes) => {
  const disk = sharesOf(10 * LONG.length);
  const [first, second, later] = [open({ disk }).files, open({ disk }).files, open({ disk }).files];
  first.openUpload(bytes);
  expect(() => second.openUpload(bytes)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  await second.close();
  await first.close();
  later.openUpload(bytes);
  await later.close();
});

it('opens no upload while the storage takes nothing', () => {
  const health = new StorageHealth({ places: [] });
  jest.spyOn(health, 'require').mockImplementation(() => {
    throw new StorageUnavailableError('storage', 'full');
  });
  const { files } = open({ health });
  expect(() => files.openUpload(0)).toThrow(StorageUnavailableError);
});

it('says that the disk takes nothing, where it does not', async () => {
  const makeFolder = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  const { files } = open({ makeFolder });
  await expect(arrive(files, LONG).end()).rejects.toThrow(StorageUnavailableError);
  await files.close();
});

it('lets nobody send more while the disk is behind', async () => {
  let make = (): void => undefined;
  const folder = new Promise<void>((resolve) => {
    make = resolve;
  });
  const makeFolder = createWorkFolders({ root: join(root, 'work') });
  const { files } = open({ makeFolder: () => folder.then(makeFolder) });
  const file = arrive(files, LONG);
  const backlog = files.backlog();
  expect(await Promise.race([backlog, 'the disk is behind'])).toBe('the disk is behind');
  make();
  await backlog;
  expect(files.backlog()).toBeUndefined();
  await file.end();
  await files.close();
});
