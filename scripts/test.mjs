// `npm test` (by scripts/run.sh): everything, ending with one line `N passed, N failed`. With arguments only the tests they name are run:
// `npm test -- packages/billing`.
import { runChecks } from './checks.mjs';
import { report } from './report.mjs';
import { runJest } from './run-jest.mjs';

const patterns = process.argv.slice(2);
await report([...(patterns.length === 0 ? [runChecks] : []), (say) => runJest(patterns, say)]);
