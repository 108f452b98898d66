import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newTaskId } from '@mediagate/contracts';
import { startTestConsole, type TestConsole } from './test-console';

let app: TestConsole;
let server: Server;
const TASK = newTaskId();

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/metrics') response.end('mediagate_tasks_in_flight 7\n');
    else
      response.writeHead(request.headers.host?.startsWith('127.0.0.2') ? 503 : 200).end('<b>database</b>: failing\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
afterEach(() => app.stop());

async function open(path = '/'): Promise<string> {
  const response = await app.request(path, { cookie: await app.openSession() });
  expect(response.status).toBe(200);
  return response.text();
}

/** The cells of the row that starts with `name`. */
function row(page: string, name: string): string {
  return new RegExp(`<th scope="row">(?:<a[^>]*>)?${name}[\\s\\S]*?</tr>`).exec(page)?.[0] ?? '';
}

describe('the health page', () => {
  it('shows every process of its settings: ready, not ready and down', async () => {
    const { port } = server.address() as AddressInfo;
    app = await startTestConsole({
      processes: [
        { name: 'image', url: `http://127.0.0.1:${port}` },
        { name: 'api', url: `http://127.0.0.2:${port}` },
        { name: 'reconciler', url: 'http://127.0.0.1:1' },
      ],
    });
    const page = await open();
    expect(page).toContain('1 of 3 processes are ready.');
    expect(row(page, 'image')).toMatch(/class="state ready">ready<[\s\S]*<b>7<\/b> tasks in flight/);
    expect(row(page, 'api')).toMatch(/class="state not-ready">not ready<.*&#60;b&#62;database&#60;\/b&#62;: failing/);
    expect(row(page, 'reconciler')).toContain('class="state down">down<');
  });

  it('shows what waits in each queue', async () => {
    app = await startTestConsole();
    await app.queues.enqueueTask({ family: 'image', taskId: TASK, fence: 1 });
    await app.queues.enqueueTask({ family: 'image', taskId: TASK, fence: 2, delayMs: 60_000 });
    const cells = row(await open(), 'image').match(/(?<=<td class="number">)\d+/g);
    expect(cells).toEqual(['1', '0', '1']);
  });

  it('says so when it knows no process', async () => {
    app = await startTestConsole();
    expect(await open()).toContain('CONSOLE_HEALTH_URLS');
  });

  it('refreshes itself only where that was asked for', async () => {
    app = await startTestConsole();
    expect(await open()).not.toContain('http-equiv="refresh"');
    expect(await open('/?live=1')).toContain('<meta http-equiv="refresh" content="5">');
  });

  it('is there without Redis and says so, while the board answers with an error', async () => {
    const { port } = server.address() as AddressInfo;
    app = await startTestConsole({
      redisUrl: 'redis://127.0.0.1:1',
      processes: [{ name: 'image', url: `http://127.0.0.1:${port}` }],
    });
    const page = await open();
    expect(page).toContain('Redis does not answer');
    expect(row(page, 'image')).toContain('class="state ready">ready<');
    const board = await app.request('/queues/api/queues', { cookie: await app.openSession() });
    expect(board.status).toBe(500);
  });
});
