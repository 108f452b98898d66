// Runs steps one after the other and ends with one line that a person and a script both read: `N passed, N failed`.

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

/**
 * @param {((say: (line: string) => void) => Promise<Totals>)[]} steps all run, also after one that failed
 * @returns {Promise<void>} leaves the exit code: 1 when something failed or nothing ran
 */
export async function report(steps) {
  const started = performance.now();
  const say = (line) => process.stdout.write(`${line}\n`);
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const step of steps) {
    const { passed, failed, skipped } = await step(say).catch((error) => {
      say(error.stack);
      return { passed: 0, failed: 1, skipped: 0 };
    });
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  say(`took ${duration(performance.now() - started)}`);
  say(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
