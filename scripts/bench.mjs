// `npm run bench`: measures the product beside the programs it is set against. Options: `npm run bench -- --help`.
import { spawn } from 'node:child_process';
import { bootstrap } from './bootstrap.mjs';

try {
  await bootstrap((line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
const flags = ['--conditions=source', '--require', './scripts/register-typescript.cjs'];
const child = spawn(process.execPath, [...flags, 'bench/src/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' });
// Ctrl-C reaches both; the benchmark then stops what it started.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => process.exit(code ?? 1));
