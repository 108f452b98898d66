import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../../..');

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'build-'));
  copyFileSync(join(ROOT, '.swcrc'), join(tree, '.swcrc'));
  write('packages/a/src/index.ts', `export const answer: number = 42;\n`);
  write('packages/a/src/index.test.ts', `throw new Error('a test is not built');\n`);
  write(
    'services/b/src/deep/main.ts',
    `import { join } from 'node:path';\nexport const path: string = join('x', 'y');\n`,
  );
  write('services/b/src/deep/words.json', '{ "word": 1 }\n');
});

afterEach(() => rmSync(tree, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function build(): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), tree], {
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}

const writtenAt = (path: string) => statSync(join(tree, path)).mtimeMs;
const run = (expression: string) =>
  spawnSync(process.execPath, ['-p', expression], { cwd: tree, encoding: 'utf8' }).stdout.trim();

describe('the build', () => {
  it('makes CommonJS that runs, with source maps and data files, and leaves tests out', () => {
    build();
    expect(run(`require('./packages/a/dist/index.js').answer`)).toBe('42');
    expect(run(`require('./services/b/dist/deep/main.js').path`)).toBe('x/y');
    expect(readFileSync(join(tree, 'services/b/dist/deep/words.json'), 'utf8')).toBe('{ "word": 1 }\n');
    const map = JSON.parse(readFileSync(join(tree, 'services/b/dist/deep/main.js.map'), 'utf8')) as {
      sources: string[];
    };
    expect(map.sources).toEqual(['../../src/deep/main.ts']);
    expect(existsSync(join(tree, 'packages/a/dist/index.test.js'))).toBe(false);
  });

  it('makes again only what changed', () => {
    build();
    const untouched = writtenAt('services/b/dist/deep/main.js');
    expect(build()).toBe('');
    write('packages/a/src/index.ts', 'export const answer: number = 43;\n');
    expect(build()).toBe('Build: 1 files\n');
    expect(run(`require('./packages/a/dist/index.js').answer`)).toBe('43');
    expect(writtenAt('services/b/dist/deep/main.js')).toBe(untouched);
  });

  it('makes again what is missing, and everything when the compiler is set otherwise', () => {
    build();
    rmSync(join(tree, 'packages/a/dist'), { recursive: true });
    expect(build()).toBe('Build: 1 files\n');
    const settings = readFileSync(join(tree, '.swcrc'), 'utf8');
    write('.swcrc', settings.replace('es2023', 'es2022'));
    expect(build()).toBe('Build: 3 files\n');
  });

  it('removes what has no source any more', () => {
    build();
    rmSync(join(tree, 'services/b/src/deep/main.ts'));
    build();
    expect(existsSync(join(tree, 'services/b/dist/deep/main.js'))).toBe(false);
    expect(existsSync(join(tree, 'services/b/dist/deep/main.js.map'))).toBe(false);
    expect(existsSync(join(tree, 'services/b/dist/deep/words.json'))).toBe(true);
  });
});
