// `npm run check` (by scripts/run.sh): what needs no server and no program, in less than a minute: format, lint, types,
// boundaries, dead code and the unit tests. Ends with one line `N passed, N failed`, as `npm test` does.
import { runChecks } from './checks.mjs';
import { report } from './report.mjs';
import { runJest } from './run-jest.mjs';

await report([runChecks, runUnitTests]);

async function runUnitTests(say) {
  const started = performance.now();
  const totals = await runJest(['--selectProjects', 'unit'], say);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say(`${totals.failed === 0 ? 'pass' : 'FAIL'}  unit tests: ${totals.passed} (${seconds} s)`);
  return totals;
}
