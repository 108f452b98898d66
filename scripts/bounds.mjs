// `npm run bounds` (by scripts/run.sh): counts what may only become less (tools/dev/test/house-style/ceilings.ts): lines, packages, records,
// lengths of functions, comments without a subject.
import { spawnSync } from 'node:child_process';

const program = 'tools/dev/test/house-style/print-bounds.ts';
const flags = ['--require', './scripts/register-typescript.cjs'];
process.exitCode = spawnSync(process.execPath, [...flags, program], { stdio: 'inherit' }).status ?? 1;
