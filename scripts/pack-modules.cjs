// Writes packs (docs/adr/0096): `node scripts/pack-modules.cjs [services/<name>/dist/main.js …]`, all services' by default. Run on the
// Node that will run them. It loads what they load, and starts none. packages/require-node has what uses packs.
const { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const { dirname, join, relative, resolve } = require('node:path');
const { Script } = require('node:vm');

const ROOT = join(__dirname, '..');
const REQUEST = /\brequire\(\s*(['"])([^'"\n]+)\1\s*\)/g;
/** Would be other text, where it is read as it was written. */
const READS_RAW_TEXT = /String\.raw/;
const MAY_BE_PACKED = /\.(?:c?js|json)$/;

/** Looks from the script in which it stands, which would be the pack. */
const DYNAMIC_IMPORT = /\bimport\s*\(/g;

/** @type {Map<string, {text: string, requires: Record<string, string>}>} */
const known = new Map();

/** @type {Map<string, boolean>} */
const decided = new Map();

/** Comments of libraries are full of `import(…)`, as types. What is taken for code by mistake stays a file. */
function importsLater(text) {
  return [...text.matchAll(DYNAMIC_IMPORT)].some(({ index }) => {
    const before = text.slice(text.lastIndexOf('\n', index) + 1, index);
    const isComment = /^\s*(?:\*|\/\/)/.test(before) || before.lastIndexOf('/*') > before.lastIndexOf('*/');
    return !isComment;
  });
}

/** A file's text, with the files that it requires as far as they were loaded, too. */
function describe(file) {
  const before = known.get(file);
  if (before !== undefined) return before;
  const text = readFileSync(file, 'utf8');
  /** @type {Record<string, string>} */
  const requires = {};
  const module = { text, requires };
  known.set(file, module);
  if (file.endsWith('.json')) return module;
  const { resolve: find } = createRequire(file);
  for (const [, , request = ''] of text.matchAll(REQUEST)) {
    if (isBuiltin(request)) continue;
    const found = foundBy(find, request);
    if (found !== undefined && found in require.cache && mayBePacked(found)) requires[request] = found;
  }
  return module;
}

function foundBy(find, request) {
  try {
    return find(request);
  } catch {
    // It is required where it is there alone, or not in this system.
    return undefined;
  }
}

/** A file that is no CommonJS, or would be another program in a pack, stays where it is. */
function mayBePacked(file) {
  const before = decided.get(file);
  if (before !== undefined) return before;
  const isFit = MAY_BE_PACKED.test(file) && isProgram(file, readFileSync(file, 'utf8'));
  decided.set(file, isFit);
  return isFit;
}

function isProgram(file, text) {
  if (READS_RAW_TEXT.test(text) || importsLater(text)) return false;
  try {
    new Script(functionOf(file, text));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** @returns {string[]} what the main file requires, without running it */
function requestsOf(main) {
  const requests = [...readFileSync(main, 'utf8').matchAll(REQUEST)].map(([, , request = '']) => request);
  return requests.filter((request) => !isBuiltin(request));
}

/** All that was loaded and can be reached from the main file, and what the loaded files found by looking through folders. */
function filesOf(main, byFolder) {
  const files = new Set();
  const look = (file) => {
    if (files.has(file) || !mayBePacked(file)) return;
    files.add(file);
    for (const found of Object.values(describe(file).requires)) look(found);
  };
  const { resolve: find } = createRequire(main);
  for (const request of requestsOf(main)) look(find(request));
  for (const file of byFolder) if (files.has(require.cache[file]?.parent?.filename)) look(file);
  return [...files];
}

function write(main, files) {
  const places = new Map(files.map((file, place) => [file, place]));
  const bodies = [];
  const requires = [];
  const firstLines = [];
  // The first body begins on the second line.
  let line = 2;
  for (const file of files) {
    const { text, requires: found } = describe(file);
    const body = functionOf(file, text);
    bodies.push(body);
    firstLines.push(line + 1);
    line += body.split('\n').length;
    requires.push(Object.fromEntries(Object.entries(found).map(([request, path]) => [request, places.get(path)])));
  }
  const parts = [
    `exports.bodies = [\n${bodies.join(',\n')}\n];`,
    `exports.root = ${JSON.stringify(relative(dirname(main), ROOT))};`,
    `exports.files = ${asJson(files.map((file) => relative(ROOT, file)))};`,
    `exports.requires = ${asJson(requires)};`,
    `exports.firstLines = ${asJson(firstLines)};`,
  ];
  const output = packOf(main);
  writeFileSync(`${output}.${process.pid}`, `${parts.join('\n')}\n`);
  renameSync(`${output}.${process.pid}`, output);
}

/** The text begins on the second line. */
function functionOf(file, text) {
  return `(function (exports, require, module, __filename, __dirname) {\n${bodyOf(file, text)}\n})`;
}

function bodyOf(file, text) {
  const plain = inLatin(
    text
      .replace(/^#!.*/, '')
      .replace(/\r\n?/g, '\n')
      .replace(/^\/\/# sourceMappingURL=.*$/gm, ''),
  );
  return file.endsWith('.json') ? `module.exports = ${asJson(JSON.parse(text))};` : plain;
}

/** Parsed faster than the same as a program. */
function asJson(value) {
  return inLatin(`JSON.parse(${JSON.stringify(JSON.stringify(value))})`);
}

/** One letter that is not Latin makes the engine keep two bytes for each of a whole script. */
function inLatin(text) {
  return text.replace(/[^\0-\xff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @returns {string[]} of every service that is built */
function mainFiles() {
  const folder = join(ROOT, 'services');
  return readdirSync(folder)
    .map((name) => join(folder, name, 'dist/main.js'))
    .filter((main) => existsSync(main));
}

/** @param {string} main */
function packOf(main) {
  return main.replace(/\.js$/, '.pack.js');
}

/** Read from their folder by a service that starts, which none does here. */
function loadModels() {
  const catalogue = join(ROOT, 'packages/catalog/dist/index.js');
  if (existsSync(catalogue)) require(catalogue).loadCatalogue();
}

/** @param {string[]} mains */
function packAll(mains) {
  for (const main of mains) {
    rmSync(packOf(main), { force: true });
    for (const request of requestsOf(main)) createRequire(main)(request);
  }
  loadModels();
  const loaded = Object.keys(require.cache).filter((file) => file !== __filename && mayBePacked(file));
  const required = new Set(loaded.flatMap((file) => Object.values(describe(file).requires)));
  // Found by looking through folders: adapters, models, texts.
  const byFolder = loaded.filter((file) => !required.has(file));
  for (const main of mains) write(main, filesOf(main, byFolder));
}

module.exports = { mainFiles, packOf };

if (require.main === module) {
  const given = process.argv.slice(2).map((main) => resolve(main));
  packAll(given.length > 0 ? given : mainFiles());
  // Libraries may keep timers.
  process.exit(0);
}
