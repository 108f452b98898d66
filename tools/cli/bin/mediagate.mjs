#!/usr/bin/env node
// `npx mediagate …`: the operator's command line. What it says of getting ready goes to stderr, so that the output of a
// command is the command's alone.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bootstrap } from '../../../scripts/bootstrap.mjs';

const calledFrom = process.cwd();
try {
  await bootstrap((line) => process.stderr.write(`mediagate: ${line}\n`));
} catch (error) {
  process.stderr.write(`mediagate: ${error.message}\n`);
  process.exit(1);
}
if (existsSync('.env')) process.loadEnvFile('.env');
process.chdir(calledFrom);
process.setSourceMapsEnabled(true);
createRequire(import.meta.url)('../dist/main.js');
