import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readSigningSecrets } from '@mediagate/callbacks';
import { describeAction, type LoggedAction } from '@mediagate/identity';
import { runSql } from '@mediagate/testkit';
import { Webhook } from 'standardwebhooks';
import { type Caller, type CallerOptions, startTestApi, type TestApi } from '../../../../test/test-api';

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

const PATH = '/v1/webhooks/secret';
/** Makes a caller with the right `manage`. */
const manager = (options: CallerOptions = {}) => api.createCaller({ canManage: true, ...options });
const rotate = ({ key }: Caller, body: object = {}) => api.post(`${PATH}/rotate`, body, { key });

async function secretOf({ accountId }: Caller): Promise<string> {
  const { webhookSecret } = await api.database.account.findUniqueOrThrow({ where: { id: accountId } });
  return webhookSecret;
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
    const caller = await manager();
    const before = await secretOf(caller);
    await rotate(caller, { overlap_seconds: 60 });
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
    ['this very service', 'http://127.0.0.1', /^(blocked_address|own_domain): ./],
    ['another scheme', 'ftp://example.com', /^bad_scheme: The URL must begin with http/],
    ['a URL that is too long', `https://example.com/${'a'.repeat(2048)}`, /^too_long: .+ 2048 characters/],
  ])('200: sends nothing to %s, and says why', async (_what, url, error) => {
    const { status: answered, body } = await test(await api.createCaller(), url);
    expect(answered).toBe(200);
    expect(body.data).toEqual({ delivered: false, status: null, error: expect.stringMatching(error), duration_ms: 0 });
    expect(received).toHaveLength(0);
  });

  it('says why in the language of Accept-Language', async () => {
    const { key } = await api.createCaller();
    const init = { key, headers: { 'accept-language': 'de' } };
    const { body } = await api.post('/v1/webhooks/test', { url: 'ftp://example.com' }, init);
    expect(body.data.error).toBe('bad_scheme: Die URL muss mit http:// oder https:// beginnen.');
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
});

describe('the secret of an account', () => {
  it('200: is the same for all its keys, and kept by no cache', async () => {
    const caller = await manager();
    const sibling = await manager({ accountId: caller.accountId });
    const answer = await api.get(PATH, { key: caller.key });
    expect(answer.body).toEqual({
      code: 200,
      data: { secret: expect.stringMatching(/^whsec_/), previous_valid_until: null },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await api.get(PATH, { key: sibling.key })).body).toEqual(answer.body);
  });

  it('200: is replaced, the one before stays valid for the overlap asked for, and the audit log names the key', async () => {
    const caller = await manager();
    const before = await secretOf(caller);
    const rotated = await rotate(caller, { overlap_seconds: 3600 });
    expect(rotated.status).toBe(200);
    const { secret, previous_valid_until: until } = rotated.body.data;
    expect(secret).not.toBe(before);
    expect(until - Date.now() / 1000).toBeGreaterThan(3500);
    expect(await api.get(PATH, { key: caller.key })).toMatchObject({ body: rotated.body });
    const entries = await api.database.auditLogEntry.findMany({ where: { subject: caller.accountId } });
    expect(entries.filter(({ action }) => action === 'account.rotate_secret')).toMatchObject([
      { actor: `key:${caller.keyId}`, detail: { overlap_seconds: 3600 } },
    ]);
    const shown = entries.find(({ action }) => action === 'account.rotate_secret');
    expect(describeAction(shown as unknown as LoggedAction)).toMatchObject({
      before: { previous_valid_until: null },
      after: { previous_valid_until: until },
    });
  });

  it('409: is not replaced again while two are valid, unless every earlier one is to end', async () => {
    const caller = await manager();
    const before = await secretOf(caller);
    const { secret, previous_valid_until: until } = (await rotate(caller)).body.data;
    const again = await rotate(caller);
    expect([again.status, again.body.error]).toMatchObject([
      409,
      { reason: 'secret_overlapping', previous_valid_until: until },
    ]);
    expect(again.body.error.message).toContain(new Date(until * 1000).toISOString().slice(0, 19));
    expect(await validSecrets(caller)).toEqual([secret, before]);
    const { body } = await rotate(caller, { overlap_seconds: 0 });
    expect(await validSecrets(caller)).toEqual([body.data.secret]);
  });

  it('of many rotations at once one replaces the secret, and the one before stays valid', async () => {
    const caller = await manager();
    const before = await secretOf(caller);
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(caller)));
    const [rotated, ...others] = answers.sort((left, right) => left.status - right.status);
    expect(answers.map(({ status }) => status)).toEqual([200, ...others.map(() => 409)]);
    expect(await validSecrets(caller)).toEqual([rotated?.body.data.secret, before]);
  });

  it('is judged by the clock of the database', async () => {
    const caller = await manager();
    await rotate(caller);
    const lapse = `update accounts set webhook_secret_retires_at = now() - interval '1 millisecond' where id = $1`;
    await runSql(api.database, lapse, [caller.accountId]);
    expect((await api.get(PATH, { key: caller.key })).body.data.previous_valid_until).toBeNull();
    expect((await rotate(caller)).status).toBe(200);
  });

  it('200: ends at once without an overlap, and after a day unless told, also without a body', async () => {
    const caller = await manager();
    expect((await rotate(caller, { overlap_seconds: 0 })).body.data.previous_valid_until).toBeNull();
    const { status, body } = await api.get(`${PATH}/rotate`, { key: caller.key, method: 'POST' });
    expect(status).toBe(200);
    expect(Math.round((body.data.previous_valid_until - Date.now() / 1000) / 3600)).toBe(24);
  });

  it.each([-1, 604_801, 1.5, '60'])('400: an overlap of %p is refused, and nothing changes', async (overlap) => {
    const caller = await manager();
    const before = await secretOf(caller);
    const refused = await rotate(caller, { overlap_seconds: overlap });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'overlap_seconds']);
    expect(await secretOf(caller)).toBe(before);
  });
});

const validSecrets = ({ accountId }: Caller) => readSigningSecrets(api, accountId);
