// What is checked without running anything of mediagate, for `npm run check` and `npm test`. A check counts as one test.
import { spawn } from 'node:child_process';

/** What each check is called, and its command. */
const CHECKS = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of scripts', 'tsc', '-p', 'scripts/tsconfig.json'],
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
    'bench',
  ],
  ['dead code', 'knip', '--no-config-hints'],
];

/**
 * Runs all at the same time, for each leaves a core idle now and then, and reports them in their order: a line each, and what
 * one that failed printed.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Totals>}
 */
export async function runChecks(say) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const runs = CHECKS.map(([name, program, ...args]) => ({ name, run: capture(`node_modules/.bin/${program}`, args) }));
  for (const { name, run } of runs) {
    const { code, output, seconds } = await run;
    say(`${code === 0 ? 'pass' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
    if (code !== 0) say(output);
    total[code === 0 ? 'passed' : 'failed'] += 1;
  }
  return total;
}

/**
 * @param {string} program
 * @param {string[]} args
 */
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
