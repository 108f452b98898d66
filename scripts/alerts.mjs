// `npm run test:alerts` (by scripts/run.sh): a running system, a real Prometheus with the shipped rules, and each alert made to fire.
// Its last line is that of `npm test`.
import { spawnSync } from 'node:child_process';

const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.alerts.cjs', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit' });
process.exitCode = status ?? 1;
