import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';

const ROOT = join(__dirname, '../../..');
const REGISTER = join(ROOT, 'scripts/register-typescript.cjs');
const PREPARE = join(ROOT, 'packages/require-node/src/prepare-start.ts');
const PACKER = join(ROOT, 'scripts/pack-modules.cjs');
const MAIN = 'services/a/dist/main.js';

let tree: string;

beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'pack-')));
});

afterEach(() => rmSync(tree, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
}

/** Packs what is there, and then makes other programs of files that must not be read any more. */
function pack(gone: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [PACKER, join(tree, MAIN)], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const path of gone) writeFileSync(join(tree, path), '(');
}

/** Runs the main file as a service does, and returns what it prints. */
function run(): string {
  const script = `require(${JSON.stringify(PREPARE)}).prepareStart(${JSON.stringify(join(tree, MAIN))});
    require(${JSON.stringify(join(tree, MAIN))});`;
  const flags = ['--conditions=source', '--require', REGISTER, '-e', script];
  const env = { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('a packed service', () => {
  it('runs without reading the files of its modules: circles, data, letters of any script, this, a refusal to load', () => {
    write({
      [MAIN]: `const all = require('./all'); console.log(JSON.stringify(all));`,
      'services/a/dist/all.js': `#!/usr/bin/env node
        exports.early = 1;
        exports.circle = require('./circle').seen;
        exports.data = require('../data.json');
        exports.text = 'añ – 雨 😀' + \`–\${/[–]/.test('–')}\`;
        exports.isThis = this === exports;
        exports.refusals = [1, 2].map(() => { try { require('./refuses'); } catch (error) { return error.message; } });
        exports.place = [__filename, __dirname, module.filename, require.resolve('node:fs')];`,
      'services/a/dist/circle.js': `exports.seen = require('./all').early;`,
      'services/a/dist/refuses.js': `if (process.argv[1] === undefined) throw new Error('not here');`,
      'services/a/data.json': `{ "number": 1, "text": "雨\u2028" }`,
    });
    pack(['services/a/dist/all.js', 'services/a/dist/circle.js', 'services/a/dist/refuses.js', 'services/a/data.json']);
    expect(JSON.parse(run())).toEqual({
      early: 1,
      circle: 1,
      data: { number: 1, text: '雨\u2028' },
      text: 'añ – 雨 😀–true',
      isThis: true,
      refusals: ['not here', 'not here'],
      place: [
        join(tree, 'services/a/dist/all.js'),
        join(tree, 'services/a/dist'),
        join(tree, 'services/a/dist/all.js'),
        'node:fs',
      ],
    });
  });

  it('reads no file that it finds by looking through a folder, either', () => {
    write({
      [MAIN]: `console.log(require('./all').names());`,
      'services/a/dist/all.js': `const { join } = require('node:path');
        const found = require('node:fs').readdirSync(join(__dirname, 'found'));
        const all = found.map((name) => require(join(__dirname, 'found', name)));
        exports.names = () => all.map(({ name }) => name).join();`,
      'services/a/dist/found/one.js': `exports.name = 'one';`,
      'services/a/dist/found/two.js': `exports.name = require('./one').name + ' and two';`,
    });
    pack(['services/a/dist/found/one.js', 'services/a/dist/found/two.js']);
    expect(run()).toBe('one,one and two\n');
  });

  it('has each module once, by whatever way and from wherever it is required', () => {
    write({
      [MAIN]: `const { one } = require('./one'); const late = require(require('node:path').join(__dirname, 'late.js'));
        console.log(one === late.one, one === require('./one.js').one, require('./module.mjs').default === one);`,
      'services/a/dist/one.js': `exports.one = {};`,
      'services/a/dist/module.mjs': `import { one } from './one.js'; export default one;`,
      'services/a/dist/late.js': `exports.one = require('./one').one;`,
    });
    pack([]);
    expect(run()).toBe('true true true\n');
  });

  it('lets a module import what stands beside it, later too', () => {
    write({
      [MAIN]: `require('./deep/one').load().then((loaded) => console.log(loaded.default));`,
      'services/a/dist/deep/one.js': `/** @type {import('./two')} */\nexports.load = () => import('./two.mjs');`,
      'services/a/dist/deep/two.mjs': `export default 'two';`,
    });
    pack([]);
    expect(run()).toBe('two\n');
  });

  it('names lines of the sources in stacks, and of a library those of its file', () => {
    const source = `interface Left {\n  out: number;\n}\nexport function fail(): Left {\n  throw new Error('it');\n}\n`;
    const settings = { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } } as const;
    const { code, map } = transformSync(source, { ...settings, sourceMaps: true, sourceFileName: '../src/fail.ts' });
    write({
      [MAIN]: `try { require('./library').call(); } catch (error) { console.log(error.stack); }`,
      'services/a/dist/library.js': `const { fail } = require('./fail');\n\nexports.call = () => fail();\n`,
      'services/a/dist/fail.js': code,
      'services/a/dist/fail.js.map': map ?? '',
    });
    pack(['services/a/dist/fail.js', 'services/a/dist/library.js']);
    const [message, thrower, caller] = run().split('\n');
    expect(message).toBe('Error: it');
    expect(thrower).toContain(`${join(tree, 'services/a/src/fail.ts')}:5:9)`);
    expect(caller).toContain(`${join(tree, 'services/a/dist/library.js')}:3:`);
  });
});
