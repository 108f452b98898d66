// `node --conditions=source --require ./scripts/register-typescript.cjs file.ts` runs TypeScript straight from the sources,
// for what has to work before anything is built: tests' servers, developers' scripts.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
/** @type {any} its table of extensions has no type */
const Module = require('node:module');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
/** What was compiled before, by any process: a system under test is ten processes of some 500 files each. */
const CACHE = join(ROOT, 'node_modules/.cache/mediagate/typescript');

const settings = readFileSync(join(ROOT, '.swcrc'), 'utf8');
const { version } = require('@swc/core/package.json');
mkdirSync(CACHE, { recursive: true });
process.setSourceMapsEnabled(true);
Module.enableCompileCache(join(CACHE, 'v8'));

Module._extensions['.ts'] = (module, filename) => {
  module._compile(compiled(readFileSync(filename, 'utf8'), filename), filename);
};

/** From the file's one place in the cache, where its last line says what it was made of. */
function compiled(source, filename) {
  const output = join(CACHE, `${digest(filename)}.js`);
  const mark = `//${digest(`${version}\0${settings}\0${source}`)}`;
  if (existsSync(output)) {
    const code = readFileSync(output, 'utf8');
    if (code.endsWith(mark)) return code;
  }
  const code = `${compile(source, filename)}\n${mark}`;
  // Another process that looks at the same moment sees the whole file or none.
  writeFileSync(`${output}.${process.pid}`, code);
  renameSync(`${output}.${process.pid}`, output);
  return code;
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

function compile(source, filename) {
  // Only here: loading the compiler takes longer than reading what it made of a whole service.
  const { transformSync } = require('@swc/core');
  const options = { ...JSON.parse(settings), filename, swcrc: false, sourceMaps: 'inline' };
  return transformSync(source, options).code;
}
