// Runs the checks that run nothing of mediagate, for `npm run check` and `npm test`. A check counts as one test.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Each check's name, and its script in package.json. */
const CHECKS = [
  { name: 'format and lint', script: 'lint' },
  { name: 'types', script: 'types' },
  { name: 'boundaries', script: 'boundaries' },
  { name: 'dead code', script: 'deadcode' },
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
  const runs = CHECKS.map(({ name, script }) => ({ name, run: capture(scripts[script]) }));
  for (const { name, run } of runs) {
    const { code, output, seconds } = await run;
    say(`${code === 0 ? 'pass' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
    if (code !== 0) say(output);
    total[code === 0 ? 'passed' : 'failed'] += 1;
  }
  return total;
}

/** @param {string} command of a script, which finds the workspace's programs as npm lets it */
async function capture(command) {
  const started = performance.now();
  let output = '';
  const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}` };
  const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const collect = (text) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, output, seconds: (performance.now() - started) / 1000 };
}
