// `npm run attack|test:alerts|test:cluster|test:deployment|test:losses|test:nights|test:traces|test:vendors|test:web` (by scripts/run.sh): a suite that `npm test` leaves out,
// because it takes long or needs programs of its own, and `npm run unit`. Each is a project of jest.config.cjs.
import { spawnSync } from 'node:child_process';

const [suite = '', ...options] = process.argv.slice(2);
// Last, because Jest takes every word after it for one more project.
const jest = ['node_modules/jest/bin/jest.js', ...options, '--selectProjects', suite];
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit' });
process.exitCode = status ?? 1;
