import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeOnce } from '../src/make-once';

const NAME = `make-once-test-${process.pid}`;
const made: string[] = [];

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function bring(make: (path: string) => void): string {
  const path = makeOnce(NAME, make);
  made.push(path);
  return path;
}

function folderOf(text: string, path: string): void {
  mkdirSync(path);
  writeFileSync(join(path, 'file'), text);
}

test('is made once, and found from then on', () => {
  const path = bring((at) => folderOf('first', at));
  bring(() => {
    throw new Error('made again');
  });
  expect(readFileSync(join(path, 'file'), 'utf8')).toBe('first');
});

test('one that another process makes meanwhile stays whole, and nothing is left beside it', () => {
  const path = bring((at) => {
    folderOf('of the slower', at);
    bring((other) => folderOf('of the faster', other));
  });
  expect(readFileSync(join(path, 'file'), 'utf8')).toBe('of the faster');
  expect(readdirSync(dirname(path)).filter((name) => name.startsWith(NAME))).toEqual([basename(path)]);
});

test('one that cannot be made says why, and leaves nothing', () => {
  const fails = () =>
    bring((at) => {
      folderOf('half', at);
      throw new Error('no network');
    });
  expect(fails).toThrow('no network');
  expect(fails).toThrow('no network');
});
