import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { rotateWebhookSecret } from '@mediagate/webhooks';
import { Webhook } from 'standardwebhooks';
import { type Caller, startTestApi, type TestApi } from '../../../test/test-api';

interface Received {
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

let api: TestApi;
let receiver: Server;
let origin: string;
let status = 204;
const received: Received[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    received.push({ path: request.url, headers: request.headers, body: await text(request) });
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  api = await startTestApi({ webhookOrigins: [origin] });
});
afterAll(async () => {
  await api.stop();
  receiver.close();
});
beforeEach(() => {
  received.length = 0;
  status = 204;
});

const test = (caller: Caller, url: unknown) => api.post('/v1/webhooks/test', { url }, { key: caller.key });

function verified(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

async function secretOf(caller: Caller): Promise<string> {
  return (await api.get('/v1/webhooks/secret', { key: caller.key })).body.data.secret;
}

describe('POST /v1/webhooks/test', () => {
  it('200: sends a signed callback, marked as a test, to the path of real ones', async () => {
    const caller = await api.createCaller();
    const answer = await test(caller, `${origin}/hooks/?tenant=7`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      code: 200,
      data: { delivered: true, status: 204, error: null, duration_ms: expect.any(Number) },
    });
    const [callback] = received as [Received];
    expect(callback.path).toBe('/hooks/callback?tenant=7');
    const body = verified(await secretOf(caller), callback);
    expect(body).toMatchObject({ test: true, status: 'completed', id: callback.headers['webhook-id'] });
    expect(await api.get(`/v1/tasks/${callback.headers['webhook-id']}`, { key: caller.key })).toMatchObject({
      status: 404,
    });
  });

  it('200: is signed by both secrets while a rotation lasts', async () => {
    const caller = await api.createCaller();
    const before = await secretOf(caller);
    await rotateWebhookSecret(api.database, caller.accountId, { overlapMs: 60_000 });
    await test(caller, origin);
    const [callback] = received as [Received];
    expect(verified(before, callback)).toEqual(verified(await secretOf(caller), callback));
  });

  it.each([
    [302, 'http_302'],
    [410, 'http_410'],
    [500, 'http_500'],
  ])('200: says that a receiver answered %i', async (answered, error) => {
    status = answered;
    const { body } = await test(await api.createCaller(), origin);
    expect(body.data).toMatchObject({ delivered: false, status: answered, error });
  });

  it.each([
    ['a private address', 'http://10.0.0.1', /^blocked_address: ./],
    ['the loopback address under another port', 'http://127.0.0.2', /^blocked_address/],
    ['this very service', 'http://127.0.0.1', /^(blocked_address|own_domain)/],
    ['a port that is not allowed', 'http://example.com:8443', /^blocked_port/],
    ['another scheme', 'ftp://example.com', /^bad_scheme/],
    ['no URL', 'example', /^bad_url/],
  ])('200: sends nothing to %s, and says why', async (_what, url, error) => {
    const { status: answered, body } = await test(await api.createCaller(), url);
    expect(answered).toBe(200);
    expect(body.data).toEqual({ delivered: false, status: null, error: expect.stringMatching(error), duration_ms: 0 });
    expect(received).toHaveLength(0);
  });

  it.each([
    ['nothing', undefined, 'missing_parameter'],
    ['a blank', ' ', 'missing_parameter'],
    ['a number', 1, 'invalid_parameter'],
  ])('400: names `url` when it is %s', async (_what, url, reason) => {
    const { status: answered, body } = await test(await api.createCaller(), url);
    expect([answered, body.error.param, body.error.reason]).toEqual([400, 'url', reason]);
  });

  it('429: takes two of an account at once', async () => {
    const caller = await api.createCaller();
    const slow = createServer().listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const slowOrigin = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    api.configure({ webhookOrigins: [origin, slowOrigin] });
    const arrived: { end(): void }[] = [];
    const both = new Promise<void>((resolve) => {
      slow.on('request', (_request, response) => {
        if (arrived.push(response) === 2) resolve();
      });
    });
    const underWay = [test(caller, slowOrigin), test(caller, slowOrigin)];
    await both;
    expect((await test(caller, slowOrigin)).status).toBe(429);
    expect((await test(await api.createCaller(), origin)).status).toBe(200);
    for (const response of arrived) response.end();
    for (const { body } of await Promise.all(underWay)) expect(body.data.delivered).toBe(true);
    slow.close();
  });

  it('401: needs a key', async () => {
    expect((await api.post('/v1/webhooks/test', { url: origin })).status).toBe(401);
  });
});

describe('the secret of an account', () => {
  it('200: is the same for all its keys, and kept by no cache', async () => {
    const caller = await api.createCaller();
    const sibling = await api.createCaller({ accountId: caller.accountId });
    const answer = await api.get('/v1/webhooks/secret', { key: caller.key });
    expect(answer.body).toEqual({
      code: 200,
      data: { secret: expect.stringMatching(/^whsec_/), previous_valid_until: null },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await secretOf(sibling)).toBe(answer.body.data.secret);
  });

  it('200: is replaced, and the one before stays valid for the overlap asked for', async () => {
    const caller = await api.createCaller();
    const before = await secretOf(caller);
    const rotated = await api.post('/v1/webhooks/secret/rotate', { overlap_seconds: 3600 }, { key: caller.key });
    expect(rotated.status).toBe(200);
    const { secret, previous_valid_until: until } = rotated.body.data;
    expect(secret).not.toBe(before);
    expect(until - Date.now() / 1000).toBeGreaterThan(3500);
    expect(await api.get('/v1/webhooks/secret', { key: caller.key })).toMatchObject({ body: rotated.body });
  });

  it('200: ends at once with an overlap of zero, and after a day by default', async () => {
    const { key } = await api.createCaller();
    const rotate = (body: object) => api.post('/v1/webhooks/secret/rotate', body, { key });
    expect((await rotate({ overlap_seconds: 0 })).body.data.previous_valid_until).toBeNull();
    const { previous_valid_until: until } = (await rotate({})).body.data;
    expect(Math.round((until - Date.now() / 1000) / 3600)).toBe(24);
  });

  it('200: needs no body', async () => {
    const { key } = await api.createCaller();
    const { status, body } = await api.get('/v1/webhooks/secret/rotate', { key, method: 'POST' });
    expect(status).toBe(200);
    expect(Math.round((body.data.previous_valid_until - Date.now() / 1000) / 3600)).toBe(24);
  });

  it.each([-1, 604_801, 1.5, '60'])('400: an overlap of %p is refused, and nothing changes', async (overlap) => {
    const caller = await api.createCaller();
    const before = await secretOf(caller);
    const refused = await api.post('/v1/webhooks/secret/rotate', { overlap_seconds: overlap }, { key: caller.key });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'overlap_seconds']);
    expect(await secretOf(caller)).toBe(before);
  });
});
