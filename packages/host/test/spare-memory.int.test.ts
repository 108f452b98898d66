import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const REGISTER = join(__dirname, '../../../scripts/register-typescript.cjs');
const SOURCE = join(__dirname, '../src/memory/spare-memory.ts');

it('the engine collects when it is asked to, and complains of nothing', async () => {
  const script = `
    const { collector } = require(${JSON.stringify(SOURCE)});
    const collect = collector();
    const dropped = new WeakRef({ of: 'nobody' });
    setImmediate(() => { collect(); process.stdout.write(String(dropped.deref()) + typeof globalThis.gc); });`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-r', REGISTER, '-e', script]);
  expect({ stdout, stderr }).toEqual({ stdout: 'undefinedundefined', stderr: '' });
});
