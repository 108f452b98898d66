// Compiles every `src` of the workspace to the `dist` beside it: CommonJS with source maps, one file for one file, and data
// files copied. A file is compiled again when its content or the compiler's settings changed, and an output whose source is
// gone is removed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb, runVisibly } from './build-web.mjs';

const WORKSPACE_FOLDERS = ['packages', 'services', 'tools'];
const SIMULATOR = 'simulator';
/** The first runs from its sources, in tests only; the client makes its own `dist` when it is packed. */
const NOT_BUILT = new Set(['packages/testkit', 'packages/client']);
/** Some systems let a process open no more than 256. */
const FILES_AT_ONCE = 32;
/** The file that scripts/pack.mjs makes of outputs and libraries. */
const PACK = /\.pack\.js$/;
const LEFT_OUT = /\.test\.ts$|\.d\.ts$|\/fixtures\/|\.md$/;

/**
 * @param {string} root of the workspace
 * @param {(step: string, detail: string) => void} say hears of it when there is something to compile.
 * @returns {Promise<number>} how many files were made
 */
export async function build(root, say) {
  const options = readFileSync(join(root, '.swcrc'), 'utf8');
  const manifestFile = join(root, 'node_modules/.cache/mediagate/build.json');
  const before = existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {};
  const compiler = createHash('sha256').update(options).update(compilerVersion()).digest('hex');
  /** @type {Record<string, Made>} by output */
  const after = {};
  const libraries = join(root, 'pnpm-lock.yaml');
  if (existsSync(libraries)) after['libraries'] = made(libraries, compiler, before['libraries']);
  const work = [];
  for (const folder of sourceFolders(root)) {
    const there = new Set(filesUnder(join(folder, 'dist')));
    const wanted = new Set();
    for (const file of filesUnder(join(folder, 'src'))) {
      if (LEFT_OUT.test(file)) continue;
      const output = outputOf(folder, file);
      wanted.add(output).add(`${output}.map`);
      const key = relative(root, output);
      after[key] = made(file, compiler, before[key]);
      if (before[key]?.digest !== after[key].digest || !there.has(output)) work.push({ file, output });
    }
    removeOthers(there, wanted);
  }
  if (work.length > 0 || before['libraries']?.digest !== after['libraries']?.digest) removePacks(root);
  if (work.length > 0) {
    say('Build', `${work.length} files`);
    const swc = createRequire(import.meta.url)('@swc/core');
    const settings = { ...JSON.parse(options), swcrc: false };
    delete settings.$schema;
    const left = work.values();
    const makeSome = async () => {
      for (const item of left) await make(swc, settings, item);
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, makeSome));
  }
  const manifest = JSON.stringify(after);
  if (manifest !== JSON.stringify(before)) await writeAtomically(manifestFile, manifest);
  return work.length;
}

/**
 * Says what an output was made of. A source of the same size and time is taken for the same without being read: that alone lets every
 * command look for changes first.
 *
 * @typedef {{ digest: string, compiler: string, size: number, mtimeMs: number }} Made
 * @returns {Made}
 */
function made(file, compiler, before) {
  const { size, mtimeMs } = statSync(file);
  if (before?.compiler === compiler && before.size === size && before.mtimeMs === mtimeMs) return before;
  const digest = createHash('sha256').update(compiler).update(readFileSync(file)).digest('hex');
  return { digest, compiler, size, mtimeMs };
}

/** Read from its manifest: loading the compiler itself takes longer than all the rest when nothing has changed. */
function compilerVersion() {
  return createRequire(import.meta.url)('@swc/core/package.json').version;
}

function sourceFolders(root) {
  const folders = existsSync(join(root, SIMULATOR, 'src')) ? [join(root, SIMULATOR)] : [];
  for (const group of WORKSPACE_FOLDERS) {
    if (!existsSync(join(root, group))) continue;
    for (const name of readdirSync(join(root, group))) {
      if (!NOT_BUILT.has(`${group}/${name}`) && existsSync(join(root, group, name, 'src')))
        folders.push(join(root, group, name));
    }
  }
  return folders;
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function outputOf(folder, file) {
  const inDist = join(folder, 'dist', relative(join(folder, 'src'), file));
  return inDist.replace(/\.ts$/, '.js');
}

async function make(swc, settings, { file, output }) {
  await mkdir(dirname(output), { recursive: true });
  if (!file.endsWith('.ts')) {
    await copyFile(file, output);
    return;
  }
  const source = relative(dirname(output), file);
  const content = await readFile(file, 'utf8');
  const result = await swc.transform(content, { ...settings, filename: file, sourceFileName: source });
  await writeAtomically(`${output}.map`, result.map);
  await writeAtomically(output, `${result.code}\n//# sourceMappingURL=${output.split('/').at(-1)}.map\n`);
}

/** Another build, or a process that imports the file, sees the old one or the new one. */
async function writeAtomically(path, text) {
  const unfinished = `${path}.${process.pid}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, text);
  await rename(unfinished, path);
}

function removeOthers(there, wanted) {
  for (const file of there) {
    if (wanted.has(file) || PACK.test(file) || isBeingWritten(file)) continue;
    rmSync(file, { force: true });
    if (readdirSync(dirname(file)).length === 0) rmdirSync(dirname(file));
  }
}

/** Packs hold what was built before, so they are deleted. */
function removePacks(root) {
  const outputs = sourceFolders(root).flatMap((folder) => filesUnder(join(folder, 'dist')));
  for (const file of outputs) if (PACK.test(file)) rmSync(file, { force: true });
}

/** Whether another build, which still runs, writes the file. */
function isBeingWritten(file) {
  const pid = /\.(\d+)\.tmp$/.exec(file)?.[1];
  if (pid === undefined) return false;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
  await build(root, (step, detail) => process.stdout.write(`${step}: ${detail}\n`));
  if (process.argv[2] === undefined) await buildWeb(runVisibly);
}
