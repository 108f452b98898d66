// Runs Jest for `npm run check` and `npm test`, and reads how many tests passed from its last line.
import { spawn } from 'node:child_process';

const TOTALS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m;
/** In MiB, of each worker too: what tests load and keep is copied less often on its way to the old space. */
const YOUNG_SPACE = '--min-semi-space-size=16';
/** A worker that Jest had to end, because a test left something open in it. */
const FORCED_EXIT = 'worker process has failed to exit gracefully';
/** After the totals are out only the servers are left to stop; what takes longer was left open by a test. */
const EXIT_LIMIT_MS = 30_000;

/**
 * @param {string[]} args
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Totals>} a run that ended badly counts as one failure.
 */
export async function runJest(args, say) {
  const child = spawn(process.execPath, [YOUNG_SPACE, 'node_modules/jest/bin/jest.js', ...args], {
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
  // Jest gives them half a second, which a busy machine may need: no failure by itself.
  if (wasForced) say('note  a test left a timer, a connection or a worker open, or its process took long to end');
  return totals(TOTALS.exec(tail), code, say);
}

function totals(match, code, say) {
  const [, passed = 0, failed = 0, skipped = 0] = match?.map((text) => Number(text ?? 0)) ?? [];
  if (match !== null && (code === 0 || failed > 0)) return { passed, failed, skipped };
  say(`FAIL  the test run ended with ${code ?? 'a signal: a test left something open'}`);
  return { passed, failed: failed + 1, skipped };
}
