import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Serving } from './stray-process';

const SCRIPTS = join(__dirname, '../../../scripts');
const NODE = ['--require', join(SCRIPTS, 'register-typescript.cjs')];

interface Running {
  child: ChildProcess;
  url: string;
  mistakes: string[];
  /** Resolves with the lines so far once one has all the texts in it. */
  logged(...texts: string[]): Promise<string>;
}

async function start(): Promise<Running> {
  const child = spawn(process.execPath, [...NODE, join(__dirname, 'stray-process.ts')], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  let output = '';
  const listeners = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  });
  const [{ port, mistakes }] = (await once(child, 'message')) as [Serving];
  return {
    child,
    mistakes,
    url: `http://127.0.0.1:${port}`,
    logged: (...texts) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.split('\n').some((line) => texts.every((text) => line.includes(text)))) resolve(output);
        };
        listeners.add(look);
        void gone.then(() => reject(new Error(`ended without logging ${texts}:\n${output}`)));
        look();
      }),
  };
}

let running: Running;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.child.kill('SIGKILL'));

async function strays(): Promise<number> {
  running.child.send('metrics');
  const [{ metrics }] = (await once(running.child, 'message')) as [{ metrics: string }];
  return Number(/^mediagate_http_stray_errors_total (\d+)$/m.exec(metrics)?.[1]);
}

it('an error in the aftermath of a request is logged with its id and counted, and the process goes on', async () => {
  const { url, mistakes, logged, child } = running;
  for (const [index, mistake] of mistakes.entries()) {
    const headers = { 'X-Request-Id': `request-${index}` };
    const outcome = await fetch(`${url}/${mistake}`, { method: 'POST', body: 'a body', headers }).then(
      (answer) => answer.text(),
      () => 'the connection was destroyed',
    );
    expect(['answered', 'the connection was destroyed']).toContain(outcome);
    await logged('http.stray_error', `"requestId":"request-${index}"`);
    expect(await (await fetch(`${url}/well`)).text()).toBe('well');
  }
  expect(await strays()).toBeGreaterThanOrEqual(mistakes.length);
  expect(child.exitCode).toBeNull();
});

it('an error that belongs to no request ends the process', async () => {
  const { url, child } = running;
  const gone = once(child, 'exit');
  await fetch(`${url}/bug`, { method: 'POST' });
  expect(await gone).toEqual([1, null]);
});
