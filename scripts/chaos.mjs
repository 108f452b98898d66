// `npm run chaos`: the fault suite. Kills and cuts while jobs run, then the audit.
import { spawnSync } from 'node:child_process';
import { bootstrap } from './bootstrap.mjs';

await bootstrap((line) => process.stdout.write(`${line}\n`));
const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.chaos.cjs', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit' });
process.exitCode = status ?? 1;
