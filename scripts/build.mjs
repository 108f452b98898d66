// Compiles every `src` of the workspace to the `dist` beside it: CommonJS with source maps, one file for one file, and data
// files copied. A file is compiled again when its content or the compiler's settings changed, and an output whose source is
// gone is removed.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const WORKSPACE_FOLDERS = ['packages', 'services', 'tools'];
/** Runs from its sources, in tests only. */
const NOT_BUILT = new Set(['packages/testkit']);
const LEFT_OUT = /\.test\.ts$|\.d\.ts$|\/fixtures\/|\.md$/;

/**
 * @param {string} root of the workspace
 * @param {(line: string) => void} say is told when there is something to compile.
 * @returns {Promise<number>} how many files were made
 */
export async function build(root, say) {
  const swc = createRequire(import.meta.url)('@swc/core');
  const options = await readFile(join(root, '.swcrc'), 'utf8');
  const seed = `${options}\0${swc.version}`;
  const manifestFile = join(root, 'node_modules/.cache/mediagate/build.json');
  const before = existsSync(manifestFile) ? JSON.parse(await readFile(manifestFile, 'utf8')) : {};
  /** @type {Record<string, string>} output to the digest of its source */
  const after = {};
  const work = [];
  for (const folder of await sourceFolders(root)) {
    const outputs = new Set();
    for (const file of await filesUnder(join(folder, 'src'))) {
      if (LEFT_OUT.test(file)) continue;
      const output = outputOf(folder, file);
      outputs.add(output).add(`${output}.map`);
      const content = await readFile(file);
      const key = relative(root, output);
      after[key] = createHash('sha256').update(seed).update(content).digest('hex');
      if (before[key] !== after[key] || !existsSync(output)) work.push({ file, output, content });
    }
    await removeOthers(join(folder, 'dist'), outputs);
  }
  if (work.length === 0) return 0;
  say(`building ${work.length} files`);
  const settings = { ...JSON.parse(options), swcrc: false };
  delete settings.$schema;
  await Promise.all(work.map((item) => make(swc, settings, item)));
  await writeAtomically(manifestFile, JSON.stringify(after));
  return work.length;
}

async function sourceFolders(root) {
  const folders = [];
  for (const group of WORKSPACE_FOLDERS) {
    if (!existsSync(join(root, group))) continue;
    for (const name of await readdir(join(root, group))) {
      if (!NOT_BUILT.has(`${group}/${name}`) && existsSync(join(root, group, name, 'src')))
        folders.push(join(root, group, name));
    }
  }
  return folders;
}

async function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function outputOf(folder, file) {
  const inDist = join(folder, 'dist', relative(join(folder, 'src'), file));
  return inDist.replace(/\.ts$/, '.js');
}

async function make(swc, settings, { file, output, content }) {
  await mkdir(dirname(output), { recursive: true });
  if (!file.endsWith('.ts')) {
    await copyFile(file, output);
    return;
  }
  const source = relative(dirname(output), file);
  const result = await swc.transform(content.toString('utf8'), { ...settings, filename: file, sourceFileName: source });
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

async function removeOthers(dist, wanted) {
  for (const file of await filesUnder(dist)) {
    if (wanted.has(file) || isBeingWritten(file)) continue;
    await rm(file, { force: true });
    if ((await readdir(dirname(file))).length === 0) await rmdir(dirname(file));
  }
}

/** By another build that still runs. */
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
  await build(root, (line) => process.stdout.write(`${line}\n`));
}
