// `npm start`: makes the checkout ready, then runs the whole system on this machine (tools/dev).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bootstrap } from './bootstrap.mjs';

try {
  await bootstrap((line) => process.stdout.write(`mediagate: ${line}\n`));
} catch (error) {
  process.stderr.write(`mediagate: ${error.message}\n`);
  process.exit(1);
}
if (existsSync('.env')) process.loadEnvFile('.env');
process.setSourceMapsEnabled(true);
createRequire(import.meta.url)('../tools/dev/dist/main.js');
