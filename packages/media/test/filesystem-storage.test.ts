import files, { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';

import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { timeOrderedId } from '@mediagate/contracts';
import { createFilesystemStorage, ObjectMissingError, type Storage } from '../src';
import { BROKEN_BODIES, describeStorage, playBody } from './storage-conformance';

let root: string;
let storage: Storage;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'mediagate-storage-'));
  storage = await createFilesystemStorage({ root });
});

afterAll(() => rm(root, { recursive: true }));

describeStorage('the filesystem', () => storage);

describe('the filesystem', () => {
  it.each(BROKEN_BODIES)(
    'keeps nothing of a body that %s, and the object before it',
    async (_case, parts, bytes, message) => {
      const facts = { contentType: 'image/png', bytes };
      await storage.put('results/kept.png', Buffer.from('before'), { ...facts, bytes: 6 });
      for (const key of ['results/fresh.png', 'results/kept.png']) {
        await expect(storage.put(key, playBody(parts), facts)).rejects.toThrow(message);
      }
      await expect(storage.open('results/fresh.png')).rejects.toBeInstanceOf(ObjectMissingError);
      expect(await text(await storage.open('results/kept.png'))).toBe('before');
    },
  );

  it('reads the first byte alone', async () => {
    await storage.put('results/first.png', Buffer.from('abc'), { contentType: 'image/png', bytes: 3 });
    expect(await text(await storage.open('results/first.png', { start: 0, end: 0 }))).toBe('a');
  });

  it.each(['by a second name', 'piece by piece, where it lies on another volume'])('keeps a file %s', async (how) => {
    const isFar = how.startsWith('piece');
    const linked = jest.spyOn(files, 'link');
    if (isFar) linked.mockRejectedValueOnce(Object.assign(new Error('another volume'), { code: 'EXDEV' }));
    const file = path.join(root, 'file');
    await writeFile(file, 'abc');
    await storage.put('results/kept-file.png', { path: file, totalBytes: 3 }, { contentType: 'image/png', bytes: 3 });
    const kept = (await readdir(root, { recursive: true })).find((name) => name.endsWith('kept-file.png')) ?? '';
    const [mine, theirs] = await Promise.all([stat(file), stat(path.join(root, kept))]);
    expect(mine.ino === theirs.ino).toBe(!isFar);
    linked.mockRestore();
    await rm(file);
    expect(await text(await storage.open('results/kept-file.png'))).toBe('abc');
  });

  it('holds no half-written file after all of this', async () => {
    await expect(readdir(path.join(root, 'incoming'))).resolves.toEqual([]);
  });

  it('keeps what callers made from other users of the machine, whatever the umask', async () => {
    const before = process.umask(0);
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-modes-'));
    try {
      const open = await createFilesystemStorage({ root: path.join(folder, 'media') });
      await open.put('results/kept.png', Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      expect(entries.map(({ name }) => name)).toContain('kept.png');
      for (const entry of entries) {
        const mode = (await stat(path.join(entry.parentPath, entry.name))).mode & 0o777;
        expect([entry.name, mode.toString(8)]).toEqual([entry.name, entry.isDirectory() ? '700' : '600']);
      }
    } finally {
      process.umask(before);
      await rm(folder, { recursive: true });
    }
  });

  it('spreads objects over folders', async () => {
    const bytes = Buffer.from('x');
    for (let index = 0; index < 50; index += 1) {
      await storage.put(`uploads/${index}.png`, bytes, { contentType: 'image/png', bytes: 1 });
    }
    expect((await readdir(path.join(root, 'objects'))).length).toBeGreaterThan(20);
  });

  it('keeps what is stored in the same second in one folder, so that one flush is for all of it', async () => {
    const keys = Array.from({ length: 20 }, () => `results/${timeOrderedId(1_900_000_000_000)}.png`);
    for (const key of keys) await storage.put(key, Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
    const [first = ''] = keys;
    const folder = path.join(root, 'objects', `t-${path.basename(first).slice(6, 8)}`, 'results');
    expect(await readdir(folder)).toEqual(expect.arrayContaining(keys.map((key) => path.basename(key))));
  });

  it('flushes a folder into those above it before anything counts as stored in it, whoever has made the folder', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'mediagate-lasting-'));
    const fresh = path.join(home, 'data', 'media');
    const opened = jest.spyOn(files, 'open');
    const flushed = () => opened.mock.calls.splice(0).map(([folder]) => path.relative(home, String(folder)));
    try {
      const byTime = await createFilesystemStorage({ root: fresh });
      expect(flushed()).toEqual(['data', '', 'data/media']);
      const keys = [1, 2].map((step) => `results/${timeOrderedId(1_900_000_000_000 + step)}.png`) as [string, string];
      const second = `data/media/objects/t-${path.basename(keys[0]).slice(6, 8)}`;
      // Made by a process that died before it had flushed anything, or is about to.
      await mkdir(path.join(home, second, 'results'), { recursive: true });
      const put = (key: string) => byTime.put(key, Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
      await put(keys[0]);
      expect(flushed()).toEqual([second, 'data/media/objects', `${second}/results`]);
      await put(keys[1]);
      expect(flushed()).toEqual([`${second}/results`]);
    } finally {
      opened.mockRestore();
      await rm(home, { recursive: true });
    }
  });

  it('sweeps out at the start what a crash left, and nothing that may still be written', async () => {
    const [left, current] = ['left', 'current'].map((name) => path.join(root, 'incoming', name)) as [string, string];
    await writeFile(left, 'x');
    await writeFile(current, 'x');
    const twoHoursAgo = Date.now() / 1000 - 7200;
    await utimes(left, twoHoursAgo, twoHoursAgo);
    await createFilesystemStorage({ root });
    await expect(readdir(path.join(root, 'incoming'))).resolves.toEqual(['current']);
    await rm(current);
  });

  it('starts on a folder that cannot be made, and works once it can', async () => {
    const file = path.join(root, 'file');
    await writeFile(file, '');
    const late = await createFilesystemStorage({ root: file });
    const put = () => late.put('results/late.png', Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
    await expect(put()).rejects.toMatchObject({ code: 'EEXIST' });
    await rm(file);
    await put();
    expect(await text(await late.open('results/late.png'))).toBe('x');
  });

  it('makes its folders anew where another volume was mounted meanwhile', async () => {
    const mounted = await mkdtemp(path.join(tmpdir(), 'mediagate-mounted-'));
    const storage = await createFilesystemStorage({ root: mounted });
    const put = () => storage.put('results/a.png', Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
    await rm(mounted, { recursive: true });
    await mkdir(mounted);
    await expect(put()).rejects.toMatchObject({ code: 'ENOENT' });
    await put();
    await rm(mounted, { recursive: true });
  });
});
