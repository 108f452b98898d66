// `npm run chaos|attack|test:alerts|test:cluster|test:deployment|test:losses|test:traces|test:vendors|test:web` (by scripts/run.sh): a suite that `npm test` leaves out,
// because it takes long or needs programs of its own. jest.<suite>.cjs says what is in it.
import { spawnSync } from 'node:child_process';

const [suite, ...options] = process.argv.slice(2);
const jest = ['node_modules/jest/bin/jest.js', '--config', `jest.${suite}.cjs`, ...options];
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit' });
process.exitCode = status ?? 1;
