import { once } from 'node:events';
import { request as askByHttp, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { forAllTests } from '@mediagate/testkit';
import { startDeployment, type TestConsole, type TestSession } from './test-console';

const MEBIBYTE = 2 ** 20;
const UPLOAD_BYTES = 100 * MEBIBYTE;

let app: TestConsole;
let developer: TestSession;
let viewer: TestSession;
let operator: TestSession;
const deployment = forAllTests(startDeployment);
beforeAll(async () => {
  app = await deployment.startConsole();
  const accountId = await deployment.addAccount('Customer');
  await deployment.addUser('developer@customer.example', { kind: 'account', role: 'developer', accountId });
  await deployment.addUser('viewer@customer.example', { kind: 'account', role: 'viewer', accountId });
  await deployment.addUser('kim@example.com', { kind: 'operator', role: 'read' });
  developer = await app.openSession('developer@customer.example');
  viewer = await app.openSession('viewer@customer.example');
  operator = await app.openSession('kim@example.com');
});
beforeEach(() => {
  deployment.gateway.asked.length = 0;
  deployment.gateway.answer = (_request, response) => void response.end('{}');
});

it.each([
  '/API/v1/tasks',
  '/api/V1/tasks',
  '/Api/v1/files/x',
  '/api//v1/tasks',
  '//api/v1/tasks',
  '/api/v1/../admin/v1/tasks',
  '/api/v1/%2e%2e/x',
  '/api/v1/tasks\\x',
  '/api/v1/tasks/%00',
])('is not asked by a path that is judged as another one: %s', async (path) => {
  const status = await new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.origin);
    askByHttp({ hostname, port, path, headers: { cookie: developer.cookie } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(404);
  expect(deployment.gateway.asked).toEqual([]);
});

it('is reached at an address of IPv6', async () => {
  const gateway = createServer((_request, response) => void response.end('{"from":"::1"}')).listen(0, '::1');
  await once(gateway, 'listening');
  const GATEWAY_URL = `http://[::1]:${(gateway.address() as AddressInfo).port}`;
  const other = await deployment.startConsole({ config: { GATEWAY_URL } });
  const answer = await other.request('/api/v1/tasks', { cookie: developer.cookie });
  expect([answer.status, await answer.json()]).toEqual([200, { from: '::1' }]);
  gateway.closeAllConnections();
  gateway.close();
});

it('is asked as who is signed in, without what is between the browser and the console', async () => {
  deployment.gateway.answer = (_request, response) =>
    void response
      .writeHead(418, {
        'content-type': 'text/html',
        'set-cookie': 'a=b',
        'access-control-allow-origin': '*',
        'x-request-id': 'req_1',
        'content-security-policy': 'default-src *',
      })
      .end('<script>1</script>');
  const answer = await app.request('/api/v1/tasks/a%2Fb?x=1&x=2', {
    cookie: developer.cookie,
    headers: {
      authorization: 'Bearer of-the-page',
      'x-forwarded-for': '192.0.2.1',
      'idempotency-key': 'k',
      te: 'trailers',
    },
  });
  const [asked] = deployment.gateway.asked;
  expect(asked?.url).toBe('/v1/tasks/a%2Fb?x=1&x=2');
  expect(asked?.headers).toMatchObject({ 'idempotency-key': 'k', authorization: expect.stringMatching(/^Bearer mg_/) });
  for (const name of ['cookie', 'origin', 'x-csrf-token', 'x-forwarded-for', 'te']) {
    expect([name, asked?.headers[name]]).toEqual([name, undefined]);
  }
  expect([answer.status, answer.headers.get('x-request-id'), await answer.text()]).toEqual([
    418,
    'req_1',
    '<script>1</script>',
  ]);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  // Media of callers are shown on their own, never as a page of the console.
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'self';sandbox");
});

it('is asked for nothing by who is not signed in, and for the own kind of thing alone', async () => {
  expect((await app.request('/api/v1/tasks')).status).toBe(401);
  expect((await app.request('/api/admin/v1/accounts')).status).toBe(401);
  expect((await developer.ask('GET', '/api/admin/v1/accounts')).status).toBe(403);
  expect((await operator.ask('GET', '/api/v1/tasks')).status).toBe(403);
  for (const path of ['/api/metrics', '/api/v2/tasks', '/api', '/api/v1/../admin/v1/accounts']) {
    expect([path, [403, 404].includes((await developer.ask('GET', path)).status)]).toEqual([path, true]);
  }
  expect(deployment.gateway.asked).toEqual([]);
});

it('gives operators files by signed links alone, as nobody', async () => {
  const path = '/api/v1/files/a.png?expires=1&signature=s';
  const get = await app.request(path, { cookie: operator.cookie });
  const [asked] = deployment.gateway.asked;
  expect([get.status, asked?.url, asked?.headers.authorization]).toEqual([200, path.slice('/api'.length), undefined]);
  const post = await app.request('/api/v1/files', {
    method: 'POST',
    cookie: operator.cookie,
    headers: { 'x-csrf-token': operator.csrf },
  });
  expect([post.status, deployment.gateway.asked.length]).toEqual([403, 1]);
});

it('is asked by a viewer for what changes nothing', async () => {
  expect((await viewer.ask('GET', '/api/v1/tasks')).status).toBe(200);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    expect([method, (await viewer.ask(method, '/api/v1/images/generations')).status]).toEqual([method, 403]);
  }
  expect(deployment.gateway.asked).toHaveLength(1);
});

it('passes events on as they come, and a reader who leaves ends them at the gateway', async () => {
  const ended = new Promise((resolve) => {
    deployment.gateway.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      response.once('close', resolve);
    };
  });
  const reading = new AbortController();
  const { signal } = reading;
  const response = await fetch(`${app.origin}/api/v1/tasks/t/events`, {
    headers: { cookie: developer.cookie },
    signal,
  });
  const reader = response.body?.getReader();
  // The answer is not over: what arrives was passed on by itself.
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
  reading.abort();
  await ended;
});

it('passes 100 MB on in both directions without gathering them', async () => {
  let received = 0;
  let atOnce = 0;
  deployment.gateway.answer = (request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      // The console would hold what has not arrived yet, if it gathered.
      atOnce = Math.max(atOnce, sent - received);
    });
    request.pipe(response.writeHead(200));
  };
  let sent = 0;
  const upload = askByHttp(`${app.origin}/api/v1/files`, {
    method: 'POST',
    headers: { cookie: developer.cookie, origin: app.origin, 'x-csrf-token': developer.csrf },
  });
  const answered = once(upload, 'response');
  const chunk = Buffer.alloc(MEBIBYTE, 7);
  const write = async () => {
    for (; sent < UPLOAD_BYTES; sent += chunk.length) if (!upload.write(chunk)) await once(upload, 'drain');
    upload.end();
  };
  const writing = write();
  const [answer] = (await answered) as [NodeJS.ReadableStream];
  let returned = 0;
  for await (const part of answer) returned += (part as Buffer).length;
  await writing;
  expect([received, returned]).toEqual([UPLOAD_BYTES, UPLOAD_BYTES]);
  expect(atOnce).toBeLessThan(UPLOAD_BYTES / 3);
});

it('says so when the gateway does not answer, and breaks off what breaks off there', async () => {
  deployment.gateway.answer = (request) => void request.socket.destroy();
  const gone = await developer.ask('GET', '/api/v1/tasks');
  expect([gone.status, await gone.json()]).toMatchObject([502, { reason: 'gateway_unreachable' }]);
  deployment.gateway.answer = (request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('12345', () => request.socket.destroy());
  };
  const cut = await developer.ask('GET', '/api/v1/tasks');
  await expect(cut.text()).rejects.toThrow();
});

/** Bytes as they are, which no client of HTTP would send; resolves with what came back until the console ended the connection. */
async function send(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk;
  return answer;
}

describe('a body never becomes a request of somebody else at the gateway', () => {
  const HIDDEN = 'POST /v1/webhooks/secret/rotate HTTP/1.1\r\nHost: x\r\nX-Pad: ';
  const CHUNKED = ['Transfer-Encoding: chunked', `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`] as const;
  const SIZED = [`Content-Length: ${HIDDEN.length}`, HIDDEN] as const;

  const head = (method: string, ...lines: string[]) =>
    [
      `${method} /api/v1/tasks HTTP/1.1`,
      `Host: ${new URL(app.origin).host}`,
      `Cookie: ${developer.cookie}`,
      ...lines,
      '',
      '',
    ].join('\r\n');

  beforeEach(() => {
    deployment.gateway.answer = (request, response) => void request.resume().once('end', () => response.end('{}'));
  });

  it.each([
    ['chunked', CHUNKED, 'Connection: close'],
    ['with a length', SIZED, 'Connection: close'],
    ['with a length that Connection names', SIZED, 'Connection: close, content-length'],
  ])('a GET %s is refused', async (_what, [framing, body], connection) => {
    expect(await send(head('GET', framing, connection) + body)).toMatch(/^HTTP\/1.1 400 /);
    await developer.ask('GET', '/api/v1/balance');
    expect(deployment.gateway.asked.map(({ url }) => url)).toEqual(['/v1/balance']);
  });

  it.each([
    ['chunked', CHUNKED, 'Connection: close'],
    ['with a length that Connection names', SIZED, 'Connection: close, content-length'],
  ])('a DELETE %s stays one request', async (_what, [framing, body], connection) => {
    const own = [`Origin: ${app.origin}`, `X-CSRF-Token: ${developer.csrf}`, 'Content-Type: application/json'];
    await send(head('DELETE', ...own, framing, connection) + body);
    await developer.ask('GET', '/api/v1/balance');
    expect(deployment.gateway.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /v1/tasks',
      'GET /v1/balance',
    ]);
  });
});
