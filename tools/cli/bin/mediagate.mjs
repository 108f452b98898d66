#!/usr/bin/env node
// `npx mediagate …`: the operator's command line. What it says of getting ready goes to stderr, so that the output of a
// command is the command's alone.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bootstrap } from '../../../scripts/bootstrap.mjs';
import { endAs } from '../../../scripts/node-program.cjs';

const require = createRequire(import.meta.url);
const calledFrom = process.cwd();
let program;
try {
  program = await bootstrap((step, detail) => process.stderr.write(`mediagate: ${step}: ${detail}\n`));
} catch (error) {
  process.stderr.write(`mediagate: ${error.message}\n`);
  process.exit(1);
}
if (existsSync('.env')) process.loadEnvFile('.env');
process.chdir(calledFrom);
if (program !== process.execPath) endAs(program, [require.resolve('../dist/main.js'), ...process.argv.slice(2)]);
require('../dist/main.js');
