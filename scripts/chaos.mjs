// `npm run chaos` (by scripts/run.sh): the fault suite. Kills and cuts while jobs run, then the audit.
import { spawnSync } from 'node:child_process';

const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.chaos.cjs', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit' });
process.exitCode = status ?? 1;
