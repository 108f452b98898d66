import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROCESS_CLOCKS } from './clocks';
import { ROOT, sourceFiles } from './source-files';

/** Code that runs beside a gateway or before one: no row of a gateway comes of it. The page has the clock of whoever looks at it. */
const BESIDE =
  /^(?:simulator|bench|e2e|scripts|\.ci|deploy)\/|^tools\/(?!cli\/)|^packages\/(?:client|testkit)\/|^services\/console\/web\//;
const TEST = /\.test\.tsx?$|\/test\/|\/fixtures\//;
const CLOCK = /\bDate\.now\(\)|\bnew Date\(\)/g;

describe('the clock of a process', () => {
  const found = sourceFiles()
    .filter((file) => /\.tsx?$/.test(file) && !BESIDE.test(file) && !TEST.test(file))
    .map((file) => ({ file, times: clocksIn(readFileSync(path.join(ROOT, file), 'utf8')) }))
    .filter(({ times }) => times > 0);

  it('is read where a reason is given, and nowhere else', () => {
    const folders = Object.keys(PROCESS_CLOCKS).filter((name) => name.endsWith('/'));
    const times: Record<string, number> = {};
    for (const { file, times: more } of found) {
      const name = folders.find((folder) => file.startsWith(folder)) ?? file;
      times[name] = (times[name] ?? 0) + more;
    }
    const listed = Object.entries(PROCESS_CLOCKS).map(([name, entry]) => [name, entry.times]);
    expect(times).toEqual(Object.fromEntries(listed));
  });

  it('is in no statement and in no job of the reconciler', () => {
    const strict = /^packages\/database\/(?!src\/clock-ahead\.ts$)|^services\/reconciler\//;
    expect(found.filter(({ file }) => strict.test(file))).toEqual([]);
  });
});

function clocksIn(source: string): number {
  return source.match(CLOCK)?.length ?? 0;
}
