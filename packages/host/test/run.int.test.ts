import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Scenario } from './process-under-test';

const REGISTER = join(__dirname, '../../../scripts/register-typescript.cjs');
/** A process compiles its sources first. */
interface Started {
  child: ChildProcess;
  /** Resolves once the text was printed; rejects when the process ends without. */
  printed(text: string): Promise<void>;
  /** Resolves with the exit code; null when a signal killed it. */
  exit: Promise<number | null>;
  output(): string;
  /** The events logged so far. */
  events(): string[];
}

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

function start(scenario: Scenario, env: NodeJS.ProcessEnv = {}): Started {
  const argv = ['--require', REGISTER, join(__dirname, 'process-under-test.ts'), scenario];
  const child = spawn(process.execPath, argv, { env: { PATH: process.env['PATH'], ...env } });
  running.add(child);
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  const exit = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    child,
    exit,
    output: () => output,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve();
        };
        listeners.add(look);
        look();
        void exit.then(() => reject(new Error(`ended without printing ${text}:\n${output}`)));
      }),
    events: () => [...output.matchAll(/"message":"([^"]+)"/g)].flatMap(([, event]) => event ?? []),
  };
}

async function startServing(scenario: Scenario, env?: NodeJS.ProcessEnv): Promise<Started> {
  const started = start(scenario, env);
  await started.printed('process.started');
  return started;
}

describe('a shutdown', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s drains all together, then closes in reverse, and exits 0',
    async (signal) => {
      const { child, exit, events } = await startServing('orderly');
      child.kill(signal);
      expect(await exit).toBe(0);
      expect(events().slice(1)).toEqual([
        'process.draining',
        'drain.first_begun',
        'drain.second_begun',
        'drain.first_done',
        'close.server',
        'close.queues',
        'process.close_failed',
        'close.database',
        'process.ended',
      ]);
    },
  );

  it('ends at once on a second signal', async () => {
    const { child, exit, printed, events } = await startServing('stuck', { DRAIN_SECONDS: '3600' });
    child.kill('SIGTERM');
    await printed('process.draining');
    child.kill('SIGTERM');
    expect(await exit).toBe(130);
    expect(events().at(-1)).toBe('process.ended_at_once');
  });

  it('goes on when nobody reads its output any more, and ends in good order', async () => {
    const { child, exit } = await startServing('talkative');
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.kill('SIGHUP');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('cuts a drain at its deadline, closes all the same and exits 1', async () => {
    const { child, exit, events, output } = await startServing('stuck');
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    expect(events().slice(2)).toEqual(['process.drain_cut', 'close.database', 'process.ended']);
    expect(output()).toContain('"durationMs":1000');
  });

  it('has the time that DRAIN_SECONDS gives rather than the one of the service', async () => {
    const { child, exit, output } = await startServing('stuck', { DRAIN_SECONDS: '2' });
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    expect(output()).toContain('"durationMs":2000');
  });

  it('of a process that is still starting is no failed start', async () => {
    const { child, exit, printed, events } = start('starting');
    await printed('test.starting');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(events()).toEqual(['test.starting', 'process.draining', 'process.ended']);
  });
});

describe('a bug', () => {
  it.each([
    ['rejecting', 'process.unhandled_rejection', 'forgotten promise'],
    ['throwing', 'process.uncaught_exception', 'thrown in the background'],
  ] as const)('that leaves the process %s ends it with 1 and is logged', async (scenario, event, message) => {
    const { child, exit, events, output } = await startServing(scenario);
    child.kill('SIGHUP');
    expect(await exit).toBe(1);
    expect(events().at(-1)).toBe(event);
    expect(output()).toContain(message);
  });
});

describe('a start', () => {
  it('that fails exits 1 and says why', async () => {
    const { exit, events, output } = start('unstartable');
    expect(await exit).toBe(1);
    expect(events()).toEqual(['process.start_failed']);
    expect(output()).toContain('the port is taken');
  });

  it('with settings that do not fit exits 1 and names them all', async () => {
    const { exit, output } = start('plain', {
      HEALTH_PORT: 'x',
      LOG_LEVEL: 'loud',
      LOG_FORMAT: 'xml',
      DRAIN_SECONDS: '0',
    });
    expect(await exit).toBe(1);
    for (const name of ['HEALTH_PORT', 'LOG_LEVEL', 'LOG_FORMAT', 'DRAIN_SECONDS']) {
      expect(output()).toMatch(new RegExp(`^  ${name} is `, 'm'));
    }
  });

  it('logs as LOG_FORMAT and LOG_LEVEL say', async () => {
    const { child, exit, output } = await startServing('plain', { LOG_FORMAT: 'text', LOG_LEVEL: 'info' });
    child.kill('SIGTERM');
    await exit;
    expect(output()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} info {2}process\.started$/m);
  });
});

describe('SIGHUP', () => {
  it('reads again what can be, refuses what does not fit, and the process goes on', async () => {
    const { child, exit, printed, events, output } = await startServing('reloadable');
    child.kill('SIGHUP');
    await printed('settings.refused');
    expect(events().slice(1)).toEqual(['reload.prices', 'settings.reloaded', 'settings.refused']);
    expect(output()).toContain('"digest":"0123456789ab"');
    expect(output()).toContain('channels: a fault in line 3');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('does no harm where nothing can be read again', async () => {
    const { child, exit, printed } = await startServing('plain');
    child.kill('SIGHUP');
    await printed('settings.nothing_to_reload');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });
});
