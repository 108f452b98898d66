// `npm run attack` (by scripts/run.sh): the attack suite. A running system by its public faces, what it costs others, then the audit.
import { spawnSync } from 'node:child_process';

const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.attack.cjs', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit' });
process.exitCode = status ?? 1;
