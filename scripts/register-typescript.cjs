// `node --require ./scripts/register-typescript.cjs file.ts` runs TypeScript straight from the sources,
// for what has to work before anything is built: tests' servers, developers' scripts.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
/** @type {any} its table of extensions has no type */
const Module = require('node:module');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
/** Folder of everything that any process has compiled: a system under test is ten processes of some 500 files each. */
const CACHE = join(ROOT, 'node_modules/.cache/mediagate/typescript');

const settings = readFileSync(join(ROOT, '.swcrc'), 'utf8');
const { version } = require('@swc/core/package.json');
const compiler = digest(`${version}\0${settings}`);
mkdirSync(CACHE, { recursive: true });
Module.enableCompileCache(join(CACHE, 'v8'));

Module._extensions['.ts'] = (module, filename) => {
  module._compile(compiled(filename), filename);
};

/**
 * From the file's one place in the cache, where its last line says what it was made of. A source of the same size and time is
 * taken for the same without being read, as in build.mjs.
 */
function compiled(filename) {
  const output = outputOf(filename);
  const { size, mtimeMs } = statSync(filename);
  const mark = `//${compiler} ${size} ${mtimeMs}`;
  const known = readIfThere(output);
  if (known?.endsWith(mark)) return known;
  const { code, map } = compile(readFileSync(filename, 'utf8'), filename);
  replace(`${output}.map`, map);
  replace(output, `${code}\n${mark}`);
  return code;
}

function outputOf(filename) {
  return join(CACHE, `${digest(filename)}.js`);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Another process that looks at the same moment sees the whole file or none. */
function replace(file, content) {
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

function compile(source, filename) {
  // Only here: loading the compiler takes longer than reading what it made of a whole service.
  const { transformSync } = require('@swc/core');
  return transformSync(source, { ...JSON.parse(settings), filename, swcrc: false, sourceMaps: true });
}

/** Stacks name lines of the sources. Node's own way reads the map of each file when the file is loaded, a quarter of a start. */
Error.prepareStackTrace = (error, frames) =>
  [Error.prototype.toString.call(error), ...frames.map(describe)].join('\n    at ');

/** @type {Map<string, import('node:module').SourceMap>} */
const maps = new Map();

/** @param {NodeJS.CallSite} frame */
function describe(frame) {
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!file?.endsWith('.ts') || line === null || column === null) return String(frame);
  const map = maps.get(file) ?? new Module.SourceMap(JSON.parse(readFileSync(`${outputOf(file)}.map`, 'utf8')));
  maps.set(file, map);
  const { originalLine = line - 1, originalColumn = column - 1 } = map.findEntry(line - 1, column - 1);
  return String(frame).replace(`:${line}:${column}`, `:${originalLine + 1}:${originalColumn + 1}`);
}
