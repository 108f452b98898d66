// `npm start` (by scripts/run.sh): runs the whole system on this machine (tools/dev).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

if (existsSync('.env')) process.loadEnvFile('.env');
createRequire(import.meta.url)('../tools/dev/dist/main.js');
