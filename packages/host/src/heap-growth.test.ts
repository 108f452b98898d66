import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How often all of a heap of some 50 MB is collected while 2 GB of buffers come and go, of which 20 MB are held at a time. */
async function wholeCollections(prepare: string): Promise<number> {
  const script = `
    ${prepare}
    const { constants, PerformanceObserver } = require('node:perf_hooks');
    let count = 0;
    new PerformanceObserver((list) => {
      count += list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
    }).observe({ entryTypes: ['gc'] });
    const kept = Array.from({ length: 600_000 }, (_, index) => ({ index, text: String(index) }));
    gc();
    const passing = [];
    let passed = 0;
    const pass = () => {
      for (let piece = 0; piece < 10; piece += 1) passing[passed++ % 300] = Buffer.allocUnsafeSlow(64 * 1024);
      if (passed < 30_000) setImmediate(pass);
      else setTimeout(() => process.stdout.write(String(count * Math.sign(kept.length))), 10);
    };
    pass();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '-e', script]);
  return Number(stdout);
}

it('bytes that pass through make a process look at its whole heap less often', async () => {
  const register = join(__dirname, '../../../scripts/register-typescript.cjs');
  const source = join(__dirname, 'heap-growth.ts');
  const before = await wholeCollections('');
  const after = await wholeCollections(
    `require(${JSON.stringify(register)}); require(${JSON.stringify(source)}).letHeapGrow();`,
  );
  expect(after).toBeLessThan(before);
});
