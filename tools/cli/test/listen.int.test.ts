import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callbackHeaders, newWebhookSecret } from '@mediagate/callbacks';
import { type Listener, type ListenOptions, listen } from '../src/actions/listen';
import { runIn } from './world';

const secret = newWebhookSecret();
const record = { id: 'task_1', status: 'completed' };
const body = JSON.stringify(record);
const signed = (by = secret) => callbackHeaders({ id: 'task_1', timestamp: new Date(), body, secrets: [by] });

// biome-ignore lint/suspicious/noExplicitAny: what the command prints; each test says what it must be
const shown: any[] = [];
let listener: Listener | undefined;

async function open(options: Partial<ListenOptions>, env: Record<string, string> = {}): Promise<Listener> {
  const all = { port: 0, status: 200, url: 'http://127.0.0.1:9', ...options };
  listener = await listen({ env }, all, ({ json }) => shown.push(json));
  return listener;
}

function send({ port }: Listener, headers: Record<string, string>, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/hooks/callback`, { method: 'POST', body, headers, ...init });
}

beforeEach(() => {
  shown.length = 0;
});
afterEach(() => listener?.close());

it('answers a callback, and shows it verified; the second time as one that came before', async () => {
  const opened = await open({ secret });
  for (const repeated of [false, true]) {
    expect((await send(opened, signed())).status).toBe(200);
    const expected = {
      received_at: expect.any(Number),
      path: '/hooks/callback',
      id: 'task_1',
      verified: true,
      fault: null,
      repeated,
      record,
    };
    expect(shown.at(-1)).toMatchObject(expected);
  }
});

it.each([
  ['signed by somebody else', () => signed(newWebhookSecret())],
  ['not signed', () => ({})],
])('shows what is %s as not verified', async (_how, headers) => {
  const opened = await open({}, { MEDIAGATE_WEBHOOK_SECRET: secret });
  await send(opened, headers());
  expect(shown).toMatchObject([{ verified: false, fault: expect.any(String), record }]);
});

it('answers with the status of its option, so that retries can be seen', async () => {
  const opened = await open({ secret, status: 503 });
  expect((await send(opened, signed())).status).toBe(503);
});

it('shows nothing of what is no callback', async () => {
  const opened = await open({ secret });
  expect((await fetch(`http://127.0.0.1:${opened.port}/`)).status).toBe(400);
  const tooLong = await send(opened, {}, { body: 'x'.repeat(1_048_577) }).then(
    ({ status }) => status,
    () => 'cut off',
  );
  expect([400, 'cut off']).toContain(tooLong);
  expect(shown).toEqual([]);
});

it('fetches the secret with an API key, and says so when it cannot', async () => {
  const keys: (string | undefined)[] = [];
  const api = createServer((request, response) => {
    keys.push(request.headers.authorization);
    const isRight = request.url === '/v1/webhooks/secret' && request.headers.authorization === 'Bearer mg_key';
    response.writeHead(isRight ? 200 : 401).end(JSON.stringify({ code: 200, data: { secret } }));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
  await send(await open({ url }, { MEDIAGATE_API_KEY: 'mg_key' }), signed());
  expect(shown).toMatchObject([{ verified: true }]);
  expect(await runIn({}, 'listen', '--url', url, '--key', 'mg_wrong')).toMatchObject({
    code: 1,
    err: expect.stringContaining('answered 401'),
  });
  expect(keys).toEqual(['Bearer mg_key', 'Bearer mg_wrong']);
  api.close();
});

it('refuses to start without a secret, and on a port that is taken', async () => {
  expect(await runIn({}, 'listen')).toMatchObject({ code: 1, err: expect.stringContaining('the secret is missing') });
  const { port } = await open({ secret });
  expect(await runIn({}, 'listen', '--secret', secret, '--port', String(port))).toMatchObject({
    code: 1,
    err: expect.stringContaining('EADDRINUSE'),
  });
});
