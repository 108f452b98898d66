// `npm run reference` (by scripts/run.sh): brings the tables of docs/api.md up to date with the operation table and the catalogue.
// `npm run reference -- types.ts` also writes the types of every request and answer, for clients in TypeScript.
import { spawnSync } from 'node:child_process';

const flags = ['--conditions=source', '--require', './scripts/register-typescript.cjs'];
const program = 'packages/api-contract/test/write-reference.ts';
const { status } = spawnSync(process.execPath, [...flags, program, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
