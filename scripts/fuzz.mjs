// `npm run fuzz [-- callers|operators]` (by scripts/run.sh): sends generated requests for each operation of /openapi.json, right ones and
// wrong ones, and judges every answer by that document: no 5xx, and no status, content type or body that it does not have. What
// callers may ask goes to the system that `npm start` runs; what operators may, by a token of the role admin, to one that is started for it
// and removed, because it suspends accounts and closes channels. The seed is fixed, the time bounded. Without a Python to run it says
// so, and exits with 77.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bringPythonPackages } from './python-packages.mjs';

const NOT_RUN = 77;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];
/** They answer when their work has ended, which for links that lead nowhere takes minutes. */
const WAITING_OPERATIONS = ['createOpenAiImage', 'editOpenAiImage'];
const SEED = 1;
const EXAMPLES_PER_OPERATION = 3;
/** The last requests are answered, and failures made smaller, after the time for generating them. */
const CALLERS = { generationSeconds: 120, limitMs: 180_000 };
const OPERATORS = { generationSeconds: 30, limitMs: 60_000 };
/** A running system has this file in its folder. */
const RUN_FILE = 'run.json';
const START_LIMIT_MS = 120_000;

const parts = process.argv[2] === undefined ? ['callers', 'operators'] : [process.argv[2]];
const programs =
  bringPythonPackages('scripts/fuzz-requirements.txt') ??
  end(NOT_RUN, 'NOT RUN: it needs Python 3.10 or newer with venv (Debian: python3-venv).');
const program = join(programs, 'schemathesis');

if (parts.includes('callers')) fuzzCallers();
if (parts.includes('operators')) await fuzzOperators();

function fuzzCallers() {
  const home = process.env.MEDIAGATE_HOME ?? '.mediagate';
  const runFile = join(home, RUN_FILE);
  if (!existsSync(runFile)) end(1, `There is no ${runFile}: let \`npm start\` run meanwhile.`);
  const { baseUrl } = JSON.parse(readFileSync(runFile, 'utf8'));
  const excluded = WAITING_OPERATIONS.flatMap((id) => ['--exclude-operation-id', id]);
  run({
    baseUrl,
    description: '/openapi.json',
    token: createKey(process.env).key,
    paths: excluded,
    ids: {},
    ...CALLERS,
  });
}

async function fuzzOperators() {
  const home = mkdtempSync(join(tmpdir(), 'mediagate-fuzz-home-'));
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...others } = process.env;
  const ports = { PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()) };
  const env = { ...others, ...ports, MEDIAGATE_HOME: home, MEDIAGATE_DEMO: '0' };
  // The user that root runs PostgreSQL as must pass.
  chmodSync(home, 0o755);
  const system = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(system, 'exit');
  try {
    await untilStarted(home, system);
    const { token } = mediagate(env, 'operator', 'create', '--name', 'fuzz', '--role', 'admin');
    const { account, id } = createKey(env);
    const [channel] = mediagate(env, 'channel', 'list').data;
    // Without them nearly every request would ask for something that does not exist.
    const ids = { account_id: account, key_id: id, channel_id: channel.id };
    const { baseUrl } = JSON.parse(readFileSync(join(home, RUN_FILE), 'utf8'));
    run({ baseUrl, description: '/openapi.operators.json', token, paths: [], ids, ...OPERATORS });
  } finally {
    system.kill('SIGTERM');
    await ended;
    rmSync(home, { recursive: true });
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

/**
 * Until it is as `npm start` says that it is.
 *
 * @param {string} home
 * @param {import('node:child_process').ChildProcess} system
 */
async function untilStarted(home, system) {
  const until = Date.now() + START_LIMIT_MS;
  while (system.exitCode === null && Date.now() < until) {
    if (existsSync(join(home, RUN_FILE))) return;
    await wait(200);
  }
  throw new Error('The system for the operators’ requests did not start.');
}

/**
 * @param {{ baseUrl: string, description: string, token: string, paths: string[], ids: Record<string, string>, generationSeconds: number, limitMs: number }} part
 */
function run(part) {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-fuzz-'));
  try {
    const ids = Object.entries(part.ids).map(([name, id]) => `"path.${name}" = ${JSON.stringify(id)}\n`);
    writeFileSync(join(folder, 'schemathesis.toml'), `[parameters]\n${ids.join('')}`);
    const { status } = spawnSync(program, argumentsFor(part), { stdio: 'inherit', cwd: folder, timeout: part.limitMs });
    process.exitCode = Math.max(Number(process.exitCode ?? 0), status ?? 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {Parameters<typeof run>[0]} part */
function argumentsFor({ baseUrl, description, token, paths, generationSeconds }) {
  return [
    'run',
    `${baseUrl}${description}`,
    '--url',
    baseUrl,
    '--header',
    `Authorization: Bearer ${token}`,
    '--checks',
    CHECKS.join(','),
    '--phases',
    'examples,coverage,fuzzing',
    ...paths,
    '--continue-on-failure',
    '--max-examples',
    String(EXAMPLES_PER_OPERATION),
    '--max-time',
    String(generationSeconds),
    '--seed',
    String(SEED),
    '--generation-database',
    'none',
    '--warnings',
    'off',
    '--no-color',
  ];
}

/**
 * Creates a key of an account of its own, without a limit on requests; of each family one task is at work at a time.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function createKey(env) {
  const { id } = mediagate(env, 'account', 'create', '--name', 'fuzz', '--balance', '100000');
  const limits = ['--submit-per-minute', '1000000', '--query-per-minute', '1000000', '--max-concurrent', '1'];
  return { account: id, ...mediagate(env, 'key', 'create', '--account', id, '--name', 'fuzz', ...limits) };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 */
function mediagate(env, ...args) {
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/mediagate', [...args, '--json'], {
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(`mediagate ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/**
 * @param {number} code
 * @param {string} message
 * @returns {never}
 */
function end(code, message) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
