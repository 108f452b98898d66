import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

it('the engine knows the flags: of one that it does not know it complains', async () => {
  const register = join(__dirname, '../../../../scripts/register-typescript.cjs');
  const source = join(__dirname, 'heap-growth.ts');
  const run = async (script: string) => promisify(execFile)(process.execPath, ['-r', register, '-e', script]);
  expect((await run(`require('node:v8').setFlagsFromString('--no-such-flag=1')`)).stderr).toContain('no-such-flag');
  const module = `require(${JSON.stringify(source)})`;
  expect((await run(`${module}.letHeapGrow()`)).stderr).toBe('');
});
