import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { modulesIn } from '@mediagate/contracts';

const ROOT = join(__dirname, '../../..');
const MAIN = `import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failing } from './deep/failing';

interface Found { default: string }

const found = [...modulesIn(__dirname, 'found/*.ts')].map(([file, load]) => [file, (load() as Found).default]);
process.stdout.write(JSON.stringify({ found, words: readFileSync(join(__dirname, '../words.txt'), 'utf8'), stack: failing().stack }));
`;

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'build-'));
  write('services/b/src/main.ts', MAIN);
  write(
    'services/b/src/deep/failing.ts',
    `interface Kept { out: number }\n\nexport const failing = () => new Error('it');\n`,
  );
  for (const name of ['one', 'two', 'one.test'])
    write(`services/b/src/found/${name}.ts`, `export default '${name}';\n`);
  write('services/b/words.txt', 'words');
});

afterEach(() => rmSync(tree, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function build(folder = '.'): void {
  const program = join(ROOT, 'scripts/build.mjs');
  const { stderr, status } = spawnSync(process.execPath, [program, join(tree, folder)], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
}

/** Runs the program, on the Node of that version as far as it can tell. */
function run(version = process.versions.node) {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const script = `${versions} require('./services/b/dist/main.js');`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script], { cwd: tree, encoding: 'utf8' });
  return { stdout, stderr, status };
}

describe('a program that was built', () => {
  it('needs none of its modules, and finds files where its sources would', () => {
    build();
    rmSync(join(tree, 'services/b/src'), { recursive: true });
    expect(JSON.parse(run().stdout)).toMatchObject({ words: 'words' });
  });

  it('has the modules of a folder that its sources would have found', () => {
    const [first] = modulesIn(join(tree, 'services/b/src'), 'found/*.ts');
    build();
    const { found } = JSON.parse(run().stdout) as { found: [file: string, name: string][] };
    expect(found).toEqual([
      ['found/one.ts', 'one'],
      ['found/two.ts', 'two'],
    ]);
    expect(found[0]?.[0]).toBe(first?.[0]);
  });

  it('keeps what the engine compiled of it below its own checkout, however deep its folder lies', () => {
    write('checkout/simulator/src/main.ts', 'process.stdout.write("ready");\n');
    build('checkout');
    const started = spawnSync(process.execPath, [join(tree, 'checkout/simulator/dist/main.js')], { encoding: 'utf8' });
    expect(started.stdout).toBe('ready');
    expect(readdirSync(join(tree, 'checkout'))).toContain('node_modules');
    expect(readdirSync(tree)).not.toContain('node_modules');
  });

  it('names lines of the sources in stacks', () => {
    build();
    const { stack } = JSON.parse(run().stdout) as { stack: string };
    expect(stack).toMatch(/^Error: it\n/);
    expect(stack).toContain(`${join(tree, 'services/b/src/deep/failing.ts')}:3`);
  });

  it('keeps a map of where lines of its own sources begin alone: each entry is an object in memory once an error is described', () => {
    write('services/b/node_modules/library/index.js', `module.exports = (make) => make(${'1, '.repeat(500)}2);\n`);
    write(
      'services/b/src/deep/failing.ts',
      `import make = require('library');\n\nexport const failing = () => make(() => new Error(['it', ${'1, '.repeat(500)}2][0]));\n`,
    );
    build();
    const { stack } = JSON.parse(run().stdout) as { stack: string };
    expect(stack).toContain(`${join(tree, 'services/b/src/deep/failing.ts')}:3`);
    expect(stack).toContain(`${join(tree, 'services/b/dist/program.js')}:`);
    const { mappings } = JSON.parse(readFileSync(join(tree, 'services/b/dist/program.js.map'), 'utf8'));
    expect(mappings.split(/[,;]/).filter(Boolean).length).toBeLessThan(100);
  });

  it.each(['20.20.2', '22.23.3', '24.10.0', '25.9.0'])(
    'ends on Node %s with one line, before it is loaded',
    (version) => {
      build();
      rmSync(join(tree, 'services/b/dist/program.js'));
      const stderr = `mediagate needs Node 24.11 or newer (24, or 26 and up); this is ${version}\n`;
      expect(run(version)).toEqual({ stdout: '', stderr, status: 1 });
    },
  );

  it.each(['24.11.0', '24.21.0', '26.0.0', '27.1.0'])('runs on Node %s', (version) => {
    build();
    expect(run(version)).toMatchObject({ stderr: '', status: 0 });
  });

  it('leaves nothing of what was built before', () => {
    write('services/b/dist/deep/old.js', '');
    build();
    expect(existsSync(join(tree, 'services/b/dist/deep'))).toBe(false);
    expect(readFileSync(join(tree, 'services/b/dist/program.js'), 'utf8')).not.toContain('one.test');
  });
});
