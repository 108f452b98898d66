// `dist/main.js` of every program: ends on a Node that is too old, before a library's failure to load hides the cause, then loads the program
// that was bundled beside it, with what the engine compiled of it the last time (docs/adr/0096). scripts/node-program.cjs has the same rule.
const { readFileSync } = require('node:fs');
const { enableCompileCache, SourceMap } = require('node:module');
const { dirname, join } = require('node:path');

const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
if (!(major === 24 ? minor >= 11 : major >= 26)) {
  process.stderr.write(`mediagate needs Node 24.11 or newer (24, or 26 and up); this is ${node}\n`);
  process.exit(1);
}

const PROGRAM = join(__dirname, 'program.js');
let map;

/** Stacks name lines of the sources; of libraries they name those of the bundle. `--enable-source-maps` reads the map at every start. */
Error.prepareStackTrace = (error, frames) => [headOf(error), ...frames.map(describe)].join('\n    at ');

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    // A name or a message whose reading fails.
    return 'Error';
  }
}

function describe(frame) {
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  if (frame.getFileName() !== PROGRAM || line === null || column === null) return String(frame);
  map ??= new SourceMap(JSON.parse(readFileSync(`${PROGRAM}.map`, 'utf8')));
  const { originalSource, originalLine } = map.findEntry(line - 1, column - 1);
  if (originalSource === undefined) return String(frame);
  const place = `${join(dirname(PROGRAM), originalSource)}:${originalLine + 1}`;
  return String(frame).replace(`${PROGRAM}:${line}:${column}`, place);
}

// scripts/build.mjs writes the way to the root of each program.
enableCompileCache(join(__dirname, '../../..', 'node_modules/.cache/mediagate/compiled'));
require(PROGRAM);
