import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createWorkFolders } from './work-folder';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'mediagate-folders-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function leave(name: string): Promise<string> {
  const folder = path.join(root, name);
  await mkdir(folder);
  const twoHoursAgo = Date.now() / 1000 - 7200;
  await utimes(folder, twoHoursAgo, twoHoursAgo);
  return folder;
}

describe('the folders for work', () => {
  it('are swept again and again of what crashes left, and only of that', async () => {
    const makeFolder = createWorkFolders({ root, sweepEveryMs: 0 });
    const kept = await makeFolder();
    for (const name of ['first', 'second']) {
      await leave(name);
      const folder = await makeFolder();
      expect(await readdir(root)).toEqual([kept, folder].map((each) => path.basename(each.path)).sort());
      await folder.remove();
      await folder.remove();
    }
    const rarely = createWorkFolders({ root });
    await rarely();
    await leave('third');
    await rarely();
    expect(await readdir(root)).toContain('third');
  });

  it('are made as soon as they can be, whatever failed before', async () => {
    const inner = path.join(root, 'inner');
    await writeFile(inner, '');
    const makeFolder = createWorkFolders({ root: inner });
    await expect(makeFolder()).rejects.toMatchObject({ code: 'EEXIST' });
    await rm(inner);
    expect((await stat((await makeFolder()).path)).isDirectory()).toBe(true);
    await rm(inner, { recursive: true });
    expect((await stat((await makeFolder()).path)).isDirectory()).toBe(true);
  });
});
