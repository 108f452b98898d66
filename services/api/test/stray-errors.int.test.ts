import { once } from 'node:events';
import { type StartedProcess, startProcess } from '@mediagate/testkit/servers';
import type { Serving } from './stray-process';

interface Running extends StartedProcess {
  url: string;
  mistakes: string[];
}

async function start(): Promise<Running> {
  const started = startProcess({ main: 'services/api/test/stray-process.ts' });
  const [{ port, mistakes }] = (await once(started.child, 'message')) as [Serving];
  return { ...started, mistakes, url: `http://127.0.0.1:${port}` };
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
  const { url, mistakes, printed, child } = running;
  for (const [index, mistake] of mistakes.entries()) {
    const headers = { 'X-Request-Id': `request-${index}` };
    const outcome = await fetch(`${url}/${mistake}`, { method: 'POST', body: 'a body', headers }).then(
      (answer) => answer.text(),
      () => 'the connection was destroyed',
    );
    expect(['answered', 'the connection was destroyed']).toContain(outcome);
    await printed('http.stray_error', `"requestId":"request-${index}"`);
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
