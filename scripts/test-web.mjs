// `npm run test:web` (by scripts/run.sh): the console's page in a browser, with the demo's data of the system that `npm start` runs
// meanwhile. Its screenshots are in coverage/web.
import { spawnSync } from 'node:child_process';

const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.web.cjs', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit' });
process.exitCode = status ?? 1;
