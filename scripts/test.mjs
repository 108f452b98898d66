// `npm test` (by scripts/run.sh): everything, ending with one line `N passed, N failed`. With arguments only the tests they name are run:
// `npm test -- packages/billing`.
import { spawn } from 'node:child_process';

/** What each check is called, and its command. A check counts as one test. */
const CHECKS = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  [
    'boundaries',
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    'packages',
    'services',
    'tools',
    'simulator',
    'e2e',
  ],
  ['dead code', 'knip', '--no-config-hints'],
];
const TOTALS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m;
/** A worker that Jest had to end, because a test left something open in it. */
const FORCED_EXIT = 'worker process has failed to exit gracefully';
/** After the totals are out only the servers are left to stop; what takes longer was left open by a test. */
const EXIT_LIMIT_MS = 30_000;

const say = (line) => process.stdout.write(`${line}\n`);
const total = { passed: 0, failed: 0, skipped: 0 };

try {
  const patterns = process.argv.slice(2);
  if (patterns.length === 0) await runChecks();
  await runTests(patterns);
} catch (error) {
  say(error.stack);
  total.failed += 1;
}
say(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** They run at the same time, for each leaves a core idle now and then, and are reported in their order. */
async function runChecks() {
  const results = await Promise.all(
    CHECKS.map(([, program, ...args]) => capture(`node_modules/.bin/${program}`, args)),
  );
  CHECKS.forEach(([name], index) => {
    const { code, output, seconds } = results[index];
    say(`${code === 0 ? 'pass' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
    if (code !== 0) say(output);
    total[code === 0 ? 'passed' : 'failed'] += 1;
  });
}

async function capture(program, args) {
  const started = performance.now();
  let output = '';
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const collect = (text) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, output, seconds: (performance.now() - started) / 1000 };
}

async function runTests(patterns) {
  const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...patterns], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
  });
  let tail = '';
  let timer;
  let wasForced = false;
  const pass = (stream) => (text) => {
    stream.write(text);
    wasForced ||= text.includes(FORCED_EXIT);
  };
  child.stderr.setEncoding('utf8').on('data', pass(process.stderr));
  child.stdout.setEncoding('utf8').on('data', (text) => {
    pass(process.stdout)(text);
    tail = (tail + text).slice(-2000);
    if (timer === undefined && TOTALS.test(tail)) timer = setTimeout(() => child.kill('SIGKILL'), EXIT_LIMIT_MS);
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearTimeout(timer);
  count(TOTALS.exec(tail), code, wasForced);
}

function count(totals, code, wasForced) {
  const [, passed = 0, failed = 0, skipped = 0] = totals?.map(Number) ?? [];
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped || 0;
  if (totals === null || (code !== 0 && failed === 0)) {
    say(`FAIL  the test run ended with ${code ?? 'a signal: a test left something open'}`);
    total.failed += 1;
  }
  // Jest gives them half a second, which a busy machine may need: no failure by itself.
  if (wasForced) say('note  a test left a timer, a connection or a worker open, or its process took long to end');
}
