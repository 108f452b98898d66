import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpuMicros } from '../src/machine/cpu';

const BURN_MICROS = 200_000;
/** Two processes start one after the other, on a machine that may be busy. */
const LIMIT_MS = 30_000;
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('CPU time', () => {
  onLinux('of a process is what it has computed', () => {
    const before = cpuMicros([process]) as number;
    const usage = process.cpuUsage();
    while (process.cpuUsage(usage).user + process.cpuUsage(usage).system < BURN_MICROS);
    const spent = (cpuMicros([process]) as number) - before;
    // Counted in ticks of 10 ms.
    expect(spent).toBeGreaterThan(BURN_MICROS - 30_000);
  });

  onLinux(
    'of a server includes its processes, those that have ended as well',
    async () => {
      const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['pipe', 'pipe', 'inherit'] });
      const tree = [{ pid: parent.pid as number, withChildren: true }];
      const alone = [{ pid: parent.pid as number }];
      const before = cpuMicros(tree) as number;
      for (const state of ['burnt', 'ended']) {
        const [text] = (await once(parent.stdout, 'data')) as [Buffer];
        expect(text.toString().trim()).toBe(state);
        expect((cpuMicros(tree) as number) - before).toBeGreaterThan(BURN_MICROS);
        expect((cpuMicros(alone) as number) - before).toBeLessThan(BURN_MICROS);
        parent.stdin.write('go on');
      }
      await once(parent, 'exit');
    },
    LIMIT_MS,
  );
});

/** A process that starts another, which computes; it says so while the other runs, and again when the other has ended. */
const PARENT = `
const burn = 'while (process.cpuUsage().user < ${BURN_MICROS * 1.5}); console.log(1); process.stdin.once("data", () => process.exit())';
const child = require('node:child_process').spawn(process.execPath, ['-e', burn], { stdio: ['pipe', 'pipe', 'inherit'] });
child.stdout.once('data', () => console.log('burnt'));
process.stdin.once('data', () => {
  child.stdin.write('end');
  child.once('exit', () => {
    console.log('ended');
    process.stdin.once('data', () => process.exit());
  });
});
`;
