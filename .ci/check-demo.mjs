// `node .ci/check-demo.mjs <run.json> <runs>`: whether the demo of `npm start` succeeded, from what the system holds and not
// from what was printed: for each of so many runs one task of each family, completed as the public API shows it, and every
// callback delivered. That their signatures were verified, only the demo's own receiver knows: `demo` in run.json.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('../scripts/register-typescript.cjs');
const { FAMILIES } = require('../packages/contracts/src/families.ts');
const [, , runFile, runs] = process.argv;
const { demo, baseUrl, apiKey, databaseUrl } = JSON.parse(readFileSync(runFile, 'utf8'));
const { Client } = createRequire(new URL('../packages/testkit/package.json', import.meta.url))('pg');

const faults = [];
if (demo !== 'succeeded') faults.push(`run.json says that the demo ${demo}`);

const { tasks, callbacks } = await readRows();
for (const family of FAMILIES) {
  const count = tasks.filter((task) => task.family === family).length;
  if (count !== Number(runs)) faults.push(`${family}: ${count} tasks after ${runs} runs`);
}
for (const { id, family } of tasks) {
  const { status, error } = await readTask(id);
  if (status !== 'completed') faults.push(`${family}: ${id} is ${status}: ${error?.message}`);
}
if (callbacks.length === 0) faults.push('no callback');
for (const { task_id, state } of callbacks) {
  if (state !== 'delivered') faults.push(`the callback of ${task_id} is ${state}`);
}
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function readRows() {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tasks = await client.query('select id, family from tasks order by id');
    const callbacks = await client.query('select task_id, state from webhook_deliveries');
    return { tasks: tasks.rows, callbacks: callbacks.rows };
  } finally {
    await client.end();
  }
}

async function readTask(id) {
  const response = await fetch(`${baseUrl}/v1/tasks/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
  if (!response.ok) return { status: `answered with ${response.status}` };
  return (await response.json()).data;
}
