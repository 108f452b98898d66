import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ProcessHealth, probeProcesses } from './probe-process';

const servers: Server[] = [];
afterEach(async () => {
  const closing = servers.splice(0).map((server) => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await Promise.all(closing);
});

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Nobody listens there, and the system gives it to nobody; `fetch` does not forbid it. */
const CLOSED_PORT = 2;

const METRICS = `# TYPE process_start_time_seconds gauge
process_start_time_seconds ${Math.floor(Date.now() / 1000) - 90}
mediagate_tasks_in_flight{family="image"} 3
mediagate_task_steps_total{outcome="done"} 40
mediagate_task_steps_total{outcome="wait, \\"again\\" }"} 2
mediagate_audit_violations 1
nothing_we_know NaN
`;

function healthPort(status: number, readiness: string): RequestListener {
  return (request, response) => {
    if (request.url === '/metrics') response.end(METRICS);
    else response.writeHead(status).end(`${readiness}\n`);
  };
}

describe('probing a process', () => {
  it('tells that it is ready, with its figures summed over their labels', async () => {
    const port = await serve(healthPort(200, 'ready'));
    const [health] = await probeProcesses([{ name: 'image', url: `http://127.0.0.1:${port}` }]);
    expect(health).toMatchObject({ name: 'image', address: `127.0.0.1:${port}`, state: 'ready' });
    expect(health?.figures).toEqual({
      upSeconds: expect.any(Number),
      work: [
        { label: 'tasks in flight', value: 3, alarming: false },
        { label: 'task steps', value: 42, alarming: false },
        { label: 'audit violations', value: 1, alarming: true },
      ],
    });
    expect(health?.figures?.upSeconds).toBeGreaterThanOrEqual(89);
    expect(health?.figures?.upSeconds).toBeLessThan(120);
  });

  it('gives the reason of one that lives and is not ready, figures included', async () => {
    const port = await serve(healthPort(503, 'database: failing'));
    const [health] = await probeProcesses([{ name: 'api', url: `http://127.0.0.1:${port}` }]);
    expect(health).toMatchObject({
      state: 'not_ready',
      reason: 'database: failing\n',
      figures: { work: expect.any(Array) },
    });
  });

  it('calls down what refuses, hangs, never ends, redirects or has no name, and waits 2 s for it at most', async () => {
    const hangs = await serve(() => undefined);
    const endless = await serve((_request, response) => {
      const pour = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', pour);
      };
      pour();
    });
    const redirects = await serve((_request, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    const at = (port: number) => `http://127.0.0.1:${port}`;
    const found = await probeProcesses([
      { name: 'refuses', url: at(CLOSED_PORT) },
      { name: 'hangs', url: at(hangs) },
      { name: 'endless', url: at(endless) },
      { name: 'redirects', url: at(redirects) },
      { name: 'nameless', url: 'http://no-such-host.invalid:9090' },
    ]);
    expect(found.map(({ state }) => state)).toEqual(['down', 'down', 'down', 'down', 'down']);
    const reasons = Object.fromEntries(found.map(({ name, reason }) => [name, reason]));
    expect(reasons).toMatchObject({
      refuses: 'ECONNREFUSED',
      hangs: 'no answer within 2 s',
      nameless: 'ENOTFOUND',
      endless: 'it answers with more than 1048576 bytes',
    });
  });

  it('shows each replica behind a name, on one address family', async () => {
    const port = await serve(healthPort(200, 'ready'), '0.0.0.0');
    const resolve = async (hostname: string) => {
      expect(hostname).toBe('image');
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
        { address: '::1', family: 6 },
      ];
    };
    const found = await probeProcesses([{ name: 'image', url: `http://image:${port}` }], resolve);
    const shown = ({ name, address, state }: ProcessHealth) => [name, address, state];
    expect(found.map(shown)).toEqual([
      ['image', `127.0.0.1:${port}`, 'ready'],
      ['image', `127.0.0.2:${port}`, 'ready'],
    ]);
  });
});
