// `npm run fuzz` (by scripts/run.sh): sends generated requests to the system that `npm start` runs, for each operation of its own
// /openapi.json, right ones and wrong ones, and judges every answer by that document: no 5xx, and no status, content type or body
// that it does not have. The seed is fixed, the time bounded. Without a Python to run it says so, and exits with 77.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
const GENERATION_SECONDS = 120;
/** The last requests are answered, and failures made smaller, after that. */
const TOTAL_LIMIT_MS = 180_000;

const home = process.env.MEDIAGATE_HOME ?? '.mediagate';
const runFile = join(home, 'run.json');
if (!existsSync(runFile)) end(1, `There is no ${runFile}: let \`npm start\` run meanwhile.`);
const { baseUrl } = JSON.parse(readFileSync(runFile, 'utf8'));
const programs =
  bringPythonPackages('schemathesis', 'scripts/fuzz-requirements.txt') ??
  end(NOT_RUN, 'NOT RUN: it needs Python 3.10 or newer with venv (Debian: python3-venv).');
const program = join(programs, 'schemathesis');

const folder = mkdtempSync(join(tmpdir(), 'mediagate-fuzz-'));
try {
  const { status } = spawnSync(program, argumentsFor(createKey()), {
    stdio: 'inherit',
    cwd: folder,
    timeout: TOTAL_LIMIT_MS,
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} key */
function argumentsFor(key) {
  return [
    'run',
    `${baseUrl}/openapi.json`,
    '--url',
    baseUrl,
    '--header',
    `Authorization: Bearer ${key}`,
    '--checks',
    CHECKS.join(','),
    '--phases',
    'examples,coverage,fuzzing',
    ...WAITING_OPERATIONS.flatMap((id) => ['--exclude-operation-id', id]),
    '--continue-on-failure',
    '--max-examples',
    String(EXAMPLES_PER_OPERATION),
    '--max-time',
    String(GENERATION_SECONDS),
    '--seed',
    String(SEED),
    '--generation-database',
    'none',
    '--warnings',
    'off',
    '--no-color',
  ];
}

/** Of an account of its own, without a limit on requests; of each family one task is at work at a time. */
function createKey() {
  const { id } = mediagate('account', 'create', '--name', 'fuzz', '--balance', '100000');
  const limits = ['--submit-per-minute', '1000000', '--query-per-minute', '1000000', '--max-concurrent', '1'];
  return mediagate('key', 'create', '--account', id, '--name', 'fuzz', ...limits).key;
}

/** @param {string[]} args */
function mediagate(...args) {
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/mediagate', [...args, '--json'], {
    encoding: 'utf8',
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
