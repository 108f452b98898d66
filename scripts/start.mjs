// `npm start` (by scripts/run.sh): runs the whole system on this machine (tools/dev).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { packServices } from './pack.mjs';

if (existsSync('.env')) process.loadEnvFile('.env');
process.setSourceMapsEnabled(true);
packServices();
createRequire(import.meta.url)('../tools/dev/dist/main.js');
