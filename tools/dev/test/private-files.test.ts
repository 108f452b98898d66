import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../src/home';
import { keepFilesPrivate } from '../src/private-files';

let folder: string;
let umask: number;

beforeEach(() => {
  umask = process.umask(0);
  folder = mkdtempSync(join(tmpdir(), 'home-'));
});

afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Everything under a folder that its group or others may read or write. */
function openPaths(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(path, name)).mode & 0o066) !== 0,
  );
}

describe('a home', () => {
  it('is listed by its owner alone; root lets the user of PostgreSQL pass', () => {
    const { path } = openHome(join(folder, 'new'));
    expect(modeOf(path)).toBe(process.getuid?.() === 0 ? '711' : '700');
  });

  it('takes files from then on that are for their owner alone, whatever the umask was', () => {
    const home = openHome(folder);
    keepFilesPrivate(home.path);
    home.write('run.json', {});
    mkdirSync(join(folder, 'redis'));
    writeFileSync(join(folder, 'redis/appendonly.aof'), '');
    expect(openPaths(folder)).toEqual([]);
  });

  it('closes what earlier versions left open, and follows no link out of it', () => {
    const outside = join(folder, 'outside');
    const path = join(folder, 'home');
    mkdirSync(outside);
    for (const sub of ['media/objects/ab', 'redis/appendonlydir']) {
      mkdirSync(join(path, sub), { recursive: true });
      writeFileSync(join(path, sub, 'file'), '');
    }
    symlinkSync(outside, join(path, 'media/link'));
    expect(openPaths(path)).not.toEqual([]);
    keepFilesPrivate(path);
    rmSync(join(path, 'media/link'));
    expect(openPaths(path)).toEqual([]);
    expect(modeOf(outside)).toBe('777');
  });

  it('leaves the folder of another start alone, whose PostgreSQL passes through it', () => {
    mkdirSync(join(folder, 'other'), { mode: 0o711 });
    keepFilesPrivate(folder);
    expect(modeOf(join(folder, 'other'))).toBe('711');
  });
});
