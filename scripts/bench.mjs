// `npm run bench` (by scripts/run.sh): measures the product beside the programs it is set against. Options: `npm run bench -- --help`.
import { spawn } from 'node:child_process';

const flags = ['--require', './scripts/register-typescript.cjs'];
const child = spawn(process.execPath, [...flags, 'bench/src/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' });
// Ctrl-C reaches both; the benchmark then stops what it started.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => process.exit(code ?? 1));
