// Makes a checkout ready to run with nothing but Node and npm: dependencies, the Prisma client, what is built. A step is
// skipped when its inputs are those of the last time it succeeded; one that was killed left no such mark and runs again.
//
// This, generate.mjs and build.mjs run on any Node from 20.19 on, all else on the Node of node-program.cjs. Called as a program
// this prints which one that is: a path, or `node` for the machine's own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areBuilt, build, programSources } from './build.mjs';
import { buildWeb, WEB_OUTPUT, webSources } from './build-web.mjs';
import { nodeProgram } from './node-program.cjs';
import { showSteps } from './steps.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MARKS = join(ROOT, 'node_modules/.cache/mediagate');
const WORKSPACE_FOLDERS = ['packages', 'services', 'tools'];
const OUTPUT_TAIL_LINES = 40;
/** Scripts that run from the sources. */
const NOTHING_BUILT = new Set(['bounds', 'check', 'make-migration', 'property', 'reference']);

/**
 * @param {(step: string, detail: string) => void} say hears of each step that takes time when it begins.
 * @param {string} [script] what the checkout is made ready for; absent: everything
 * @returns {Promise<string>} the path of the Node to go on with
 */
export async function bootstrap(say, script = '') {
  requireNode();
  process.chdir(ROOT);
  await once(
    'install',
    contentOf(['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()]),
    existsSync('node_modules/.pnpm'),
    () => {
      say('Dependencies', 'installing, about a minute the first time');
      return run('npx', [
        '-y',
        'pnpm@10',
        'install',
        '--frozen-lockfile',
        '--prod=false',
        '--config.confirm-modules-purge=false',
      ]);
    },
  );
  const generated = existsSync('packages/database/src/generated/client.ts');
  const inputs = contentOf(['prisma/schema.prisma', 'pnpm-lock.yaml', 'scripts/generate.mjs']);
  await once('generate', inputs, generated, () => {
    say('Database client', 'generating');
    return run(process.execPath, ['scripts/generate.mjs']);
  });
  // Before anything is built, which may take longer than whoever waits for this error would like.
  const program = nodeProgram();
  if (NOTHING_BUILT.has(script)) return program;
  await once('build', stateOf(programSources()), areBuilt(), () => {
    say('Build', 'bundling');
    return build();
  });
  await once('web', contentOf(webSources()), existsSync(WEB_OUTPUT), () => {
    say('Page', 'building');
    return buildWeb(run);
  });
  return program;
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`mediagate needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

function manifests() {
  const inFolders = WORKSPACE_FOLDERS.flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name, 'package.json')),
  );
  const single = [
    'package.json',
    'scripts/package.json',
    'simulator/package.json',
    'services/console/web/package.json',
  ];
  return [...single, ...inFolders.filter((path) => existsSync(path))];
}

/** @param {string[]} files few ones */
function contentOf(files) {
  return files.map((file) => `${file}\0${readFileSync(file, 'utf8')}`);
}

/** A file of the same size and time is taken for the same, without being read: every command looks. @param {string[]} files */
function stateOf(files) {
  return files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${file} ${size} ${mtimeMs}\n`;
  });
}

/**
 * @param {string} name
 * @param {string[]} inputs what the work goes by
 * @param {boolean} outputIsThere
 * @param {() => Promise<void>} work
 */
async function once(name, inputs, outputIsThere, work) {
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(input);
  const digest = hash.digest('hex');
  const mark = join(MARKS, name);
  if (outputIsThere && existsSync(mark) && readFileSync(mark, 'utf8') === digest) return;
  await work();
  mkdirSync(MARKS, { recursive: true });
  writeFileSync(`${mark}.${process.pid}`, digest);
  renameSync(`${mark}.${process.pid}`, mark);
}

/** Runs a program quietly; its output is shown only when it fails. */
async function run(program, args) {
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const tail = output.trimEnd().split('\n').slice(-OUTPUT_TAIL_LINES).join('\n');
  throw new Error(`${program} ${args.join(' ')} failed:\n${tail}`);
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const steps = showSteps(process.stderr);
  try {
    const program = await bootstrap(steps.begin, process.argv[2]);
    steps.end(true);
    process.stdout.write(program === process.execPath ? 'node' : program);
  } catch (error) {
    steps.end(false);
    process.stderr.write(`mediagate: ${error.message}\n`);
    process.exitCode = 1;
  }
}
