import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const REGISTER = join(__dirname, '../../../scripts/register-typescript.cjs');
const MIB = 1024 * 1024;

/** Makes objects of which some stay for a while, and prints the most space that new ones had, in bytes. */
const WORK = `
const { getHeapSpaceStatistics } = require('node:v8');
const kept = [];
let most = 0;
let turns = 0;
function turn() {
  for (let made = 0; made < 200_000; made += 1) {
    const object = { made, list: [made] };
    if (made % 10 === 0) kept[(made / 10) % 20_000] = object;
  }
  most = Math.max(most, getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);
  turns += 1;
  if (turns < 100) setImmediate(turn);
  else console.log(most);
}
turn();`;

async function mostSpace(prepare: string): Promise<number> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-r', REGISTER, '-e', prepare + WORK]);
  expect(stderr).toBe('');
  return Number(stdout);
}

it('new objects have no more than some 64 MiB, where the engine by itself would give them twice as much', async () => {
  const source = JSON.stringify(join(__dirname, 'new-space.ts'));
  const [bounded, free] = await Promise.all([mostSpace(`require(${source}).boundNewSpace();`), mostSpace('')]);
  expect(bounded).toBeLessThan(80 * MIB);
  expect(free).toBeGreaterThan(96 * MIB);
});
