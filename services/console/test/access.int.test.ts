import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appRoutes } from '@bull-board/api/dist/routes.js';
import { newTaskId } from '@mediagate/contracts';
import { startTestConsole, type TestConsole } from './test-console';

const TASK = newTaskId();
const BOARD_FILES = join(dirname(require.resolve('@bull-board/ui/package.json')), 'dist/static');

let app: TestConsole;
beforeAll(async () => {
  app = await startTestConsole();
  await app.queues.enqueueTask({ family: 'image', taskId: TASK, fence: 0 });
});
afterAll(() => app.stop());

/** Every path of Bull Board, as it declares them itself. */
function boardPaths(): { method: string; path: string }[] {
  const routes = [appRoutes.entryPoint, ...appRoutes.api];
  const declared = routes.flatMap(({ method, route }) =>
    [route].flat().flatMap((path) => [method].flat().map((each) => ({ method: each.toUpperCase(), path: fill(path) }))),
  );
  const files = readdirSync(BOARD_FILES, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('.'));
  return [...declared, ...files.map((file) => ({ method: 'GET', path: `/queues/static/${file}` }))];
}

function fill(path: string): string {
  const filled = path.replace(':queueName', 'image').replace(':jobId', `${TASK}-0`).replace(':queueStatus', 'delayed');
  return `/queues${filled}`.replace(/:\w+/g, 'x');
}

describe('without a login', () => {
  it('no path of the board answers, whatever it is asked for as', async () => {
    const paths = boardPaths();
    expect(paths.length).toBeGreaterThan(40);
    for (const { method, path } of paths) {
      for (const accept of ['text/html', 'application/json', '*/*']) {
        const response = await app.request(path, { method, headers: { accept, origin: app.origin } });
        const toLogin = response.status === 303 && response.headers.get('location') === '/login';
        expect([method, path, toLogin || response.status === 401]).toEqual([method, path, true]);
        expect(await response.text()).not.toMatch(/task_|image/);
      }
    }
  });

  it.each([
    '/',
    '/queues',
    '/queues/',
    '/QUEUES',
    '//queues',
    '/./queues',
    '/queues?x=/login',
    '/nothing',
    '/login/x',
    '/login/../queues',
    '/login%2f..%2fqueues',
    '/assets/../queues',
    '/assets/%2e%2e/queues',
    '/assets/nothing.css',
    '/assets/..%2fapp.ts',
    '/assets/%2e%2e%2fapp.ts',
    '/assets/',
    '/assets/../../package.json',
    '/logout',
  ])('%s leads to the login or nowhere', async (path) => {
    const response = await app.request(path);
    expect([303, 401, 403, 404]).toContain(response.status);
    expect(await response.text()).not.toMatch(/task_|createApp|@mediagate/);
  });

  it.each([
    ['none', undefined],
    ['an empty one', 'mediagate-console='],
    ['an invented one', `mediagate-console=${'A'.repeat(43)}`],
    ['one under another name', `console=${'A'.repeat(43)}`],
  ])('a cookie does not help: %s', async (_name, cookie) => {
    const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
    expect((await app.request('/', { headers })).status).toBe(303);
  });

  it('the login page and its assets are all there is', async () => {
    for (const path of ['/login', '/assets/console.css', '/assets/logo.svg']) {
      expect((await app.request(path)).status).toBe(200);
    }
  });
});

describe('every answer', () => {
  it('forbids frames, foreign content and being kept', async () => {
    const cookie = await app.openSession();
    for (const path of ['/login', '/', '/queues', '/queues/api/queues', '/nothing', '/assets/console.css']) {
      const { headers } = await app.request(path, { cookie });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('of a page of ours allows no script at all', async () => {
    const cookie = await app.openSession();
    const response = await app.request('/', { cookie });
    expect(response.headers.get('content-security-policy')).not.toContain('script-src');
    expect(await response.text()).not.toMatch(/<script|javascript:| on\w+=| style=/);
  });

  it('to what is no request says no more than that', async () => {
    const cookie = await app.openSession();
    const response = await app.request('/queues/queue/%zz', { cookie });
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('The request is not valid.\n');
  });
});
