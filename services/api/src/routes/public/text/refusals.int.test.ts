import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { forAllTests } from '@mediagate/testkit';
import { answer, refuses, says } from '../../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld, RESERVED, type TextWorld } from '../../../../test/text-world';

const world = forAllTests(openTextWorld);

const NOTHING = { held: 0n, settled: 0n };
const ask = (key: string | undefined, body: unknown = BODY, path = `${FLASH}:generateContent`) =>
  world.api.post(path, body, key === undefined ? {} : { key });

/** Names the full number of output tokens; a request that names none may be sent with fewer. */
const ALL_OUTPUT = { ...BODY, generationConfig: { maxOutputTokens: 65_536 } };

const nativeError = (code: number, status: string, message: unknown = expect.any(String)) => ({
  error: expect.objectContaining({ code, message, status, reason: expect.any(String) }),
});

/** The very bytes, over a socket of the test's own. */
async function sendRaw(path: string, key: string, body: string): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(world.api.url);
  const socket = connect(Number(port), hostname);
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  socket.write([...head, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n'));
  const answer = await readText(socket);
  const [status = '', json = ''] = [answer.slice(9, 12), answer.slice(answer.indexOf('\r\n\r\n') + 4)];
  return { status: Number(status), body: JSON.parse(json) };
}

describe('what is refused before anything is reserved or asked, in the native shape', () => {
  it.each<[string, number, string, unknown, string | undefined]>([
    ['a model that there is not', 404, 'NOT_FOUND', BODY, '/v1beta/models/text-9:generateContent'],
    ['a model of another family', 404, 'NOT_FOUND', BODY, '/v1beta/models/videod-02:generateContent'],
    ['a method that there is not', 404, 'NOT_FOUND', BODY, `${FLASH}:embedContent`],
    ['a model without a method', 404, 'NOT_FOUND', BODY, FLASH],
    ['a path that there is not', 404, 'NOT_FOUND', BODY, '/v1beta/tunedModels/x:generateContent'],
    ['the same under /gemini', 404, 'NOT_FOUND', BODY, '/gemini/v2/models/text-2.5-flash:generateContent'],
    ['no contents', 400, 'INVALID_ARGUMENT', {}, undefined],
    ['no JSON', 400, 'INVALID_ARGUMENT', '{"contents":', undefined],
    ['no object', 400, 'INVALID_ARGUMENT', '[]', undefined],
    ['no body', 400, 'INVALID_ARGUMENT', '', undefined],
    ['no UTF-8', 400, 'INVALID_ARGUMENT', Buffer.from([0x22, 0xff, 0x22]), undefined],
    ['a model that no channel serves', 503, 'UNAVAILABLE', BODY, '/v1beta/models/text-2.5-pro:generateContent'],
  ])('%s: %i %s', async (_what, code, status, body, path) => {
    const { key } = await world.caller();
    await world.quiet();
    const before = [await world.api.countRows(), world.vendor.heard.length];
    const got = await ask(key, body, path);
    expect([got.status, got.body]).toEqual([code, nativeError(code, status)]);
    expect([await world.api.countRows(), world.vendor.heard.length]).toEqual(before);
  });

  it.each<[string, unknown, string, object]>([
    ['a model that there is not', BODY, '/v1beta/models/text-9:generateContent', { reason: 'unknown_model' }],
    ['no contents', {}, `${FLASH}:generateContent`, { reason: 'missing_parameter', param: 'contents' }],
    ['no channel', BODY, '/v1beta/models/text-2.5-pro:generateContent', { reason: 'no_upstream' }],
  ])('%s: by its reason', async (_what, body, path, blame) => {
    const { key } = await world.caller();
    const { code, message, status, errors: _, request_id: _id, ...rest } = (await ask(key, body, path)).body.error;
    expect([rest, typeof code, typeof message, typeof status]).toEqual([blame, 'number', 'string', 'string']);
  });

  it('names the models of texts and of images where it knows none of that name; for a count those of texts', async () => {
    const { key } = await world.caller();
    const said = async (method: string) =>
      (await ask(key, BODY, `/v1beta/models/nothing-9:${method}`)).body.error.message;
    expect(await said('generateContent')).toMatch(/imagegen-.*text-2\.5-flash/);
    expect(await said('countTokens')).not.toContain('imagegen-');
  });

  it('names the field that is wrong', async () => {
    const { key } = await world.caller();
    const got = await ask(key, { ...BODY, generationConfig: { maxOutputTokens: 0 } });
    const fault = {
      reason: 'invalid_parameter',
      message: 'generationConfig.maxOutputTokens must be from 1 to 65536',
      param: 'generationConfig.maxOutputTokens',
    };
    expect(got.body.error).toEqual({
      code: 400,
      status: 'INVALID_ARGUMENT',
      ...fault,
      errors: [fault],
      request_id: expect.any(String),
    });
  });

  it.each([
    ['webhook', 'https://example.com'],
    ['webhook_url', 'https://example.com'],
    ['callbackUrl', 'https://example.com'],
    ['language', 'de'],
    ['metadata', { order: '7' }],
    ['max_cost', 1],
    ['max_price', 1],
    ['expires_in', 60],
  ])('names %s, which a body of texts does not take, and sends to no other field', async (param, value) => {
    const { key } = await world.caller();
    await world.quiet();
    const before = [await world.api.countRows(), world.vendor.heard.length];
    const { status, body } = await ask(key, { ...BODY, [param]: value });
    expect([status, body.error.param, body.error.message]).toEqual([
      400,
      param,
      `${param}: parameter is not supported`,
    ]);
    expect([await world.api.countRows(), world.vendor.heard.length]).toEqual(before);
  });

  it.each<[string, string, string]>([
    [
      'a limit given twice in other characters',
      '{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"\\u006daxOutputTokens":60000,"maxOutputTokens":1}}',
      'generationConfig.maxOutputTokens is given twice in one object.',
    ],
    [
      'a prototype',
      '{"contents":[{"parts":[{"text":"x"}]}],"__proto__":{"generationConfig":{"maxOutputTokens":60000}}}',
      '__proto__ is not allowed as the name of a field.',
    ],
  ])('%s, with the field’s name, and however it is counted', async (_what, body, message) => {
    const { key } = await world.caller();
    await world.quiet();
    const before = [await world.api.countRows(), world.vendor.heard.length];
    for (const method of ['generateContent', 'streamGenerateContent']) {
      const got = await sendRaw(`${FLASH}:${method}`, key, body);
      expect([got.status, got.body]).toEqual([400, nativeError(400, 'INVALID_ARGUMENT', message)]);
    }
    expect([await world.api.countRows(), world.vendor.heard.length]).toEqual(before);
  });

  it('another content type: 415, a body of more than 20 MB: 413', async () => {
    const { key } = await world.caller();
    const headers = { 'content-type': 'text/plain' };
    const typed = await world.api.post(`${FLASH}:generateContent`, '{}', { key, headers });
    expect([typed.status, typed.body]).toEqual([415, nativeError(415, 'INVALID_ARGUMENT')]);
    const big = await ask(key, Buffer.alloc(20 * 1024 * 1024 + 1, 0x20));
    expect([big.status, big.body]).toEqual([413, nativeError(413, 'INVALID_ARGUMENT')]);
  });

  it('another HTTP method: 405 with what is allowed', async () => {
    const { key } = await world.caller();
    const got = await world.api.get(`${FLASH}:generateContent`, { key });
    expect([got.status, got.body]).toEqual([405, nativeError(405, 'INVALID_ARGUMENT')]);
    expect(got.headers.get('allow')).toBe('POST');
  });

  it('a method that there is not: 404 with those that there are, before a key is asked for', async () => {
    for (const path of [`${FLASH}:embedContent`, `${FLASH}:GenerateContent`, FLASH, `${FLASH}:`]) {
      const got = await world.api.post(path, BODY);
      expect([got.status, got.body]).toEqual([404, nativeError(404, 'NOT_FOUND')]);
      expect(got.body.error.message).toContain('generateContent, streamGenerateContent, countTokens');
    }
  });

  it('a model whose name has a colon is found before the last one', async () => {
    const { key } = await world.caller();
    const got = await ask(key, BODY, '/v1beta/models/own:tuned:generateContent');
    expect([got.status, got.body.error.reason]).toEqual([404, 'unknown_model']);
    expect((await ask(key, BODY, `${FLASH}%3AgenerateContent`)).status).toBe(200);
  });

  it('a path that cannot be read: 400', async () => {
    const got = await world.api.get('/v1beta/models/%E0%A4%A');
    expect([got.status, got.body]).toEqual([400, nativeError(400, 'INVALID_ARGUMENT')]);
  });

  it('no key, a wrong one, and one only where another family takes it: 401', async () => {
    const { key } = await world.caller();
    for (const headers of [{}, { 'x-goog-api-key': `${key}0` }, { authorization: 'Basic x', 'x-goog-api-key': key }]) {
      const got = await world.api.post(`${FLASH}:generateContent`, BODY, {
        headers: headers as Record<string, string>,
      });
      expect([got.status, got.body]).toEqual([401, nativeError(401, 'UNAUTHENTICATED')]);
    }
    const other = (await world.caller()).key;
    const two = { key, headers: { 'x-goog-api-key': other } };
    const refused = await world.api.post(`${FLASH}:generateContent`, BODY, two);
    expect([refused.status, refused.body.error.message]).toEqual([
      401,
      'Two different API keys were sent, in "Authorization" and in "x-goog-api-key". Send only one.',
    ]);
    const elsewhere = await world.api.get('/v1/balance', { headers: { 'x-goog-api-key': key } });
    expect(elsewhere.status).toBe(401);
    expect((await world.api.get(`/v1/balance?key=${key}`)).status).toBe(401);
    expect((await world.api.post(`${FLASH}:countTokens?key=${key}`, BODY)).status).toBe(401);
  });

  it('a key for another family or model: 403, counting included', async () => {
    const { key } = await world.api.createCaller({ families: ['image'] });
    const { key: pro } = await world.api.createCaller({ models: ['text-2.5-pro'] });
    for (const [method, owner] of [
      ['generateContent', key],
      ['countTokens', key],
      ['generateContent', pro],
      ['countTokens', pro],
    ]) {
      const got = await ask(owner, BODY, `${FLASH}:${method}`);
      expect([got.status, got.body]).toEqual([403, nativeError(403, 'PERMISSION_DENIED')]);
    }
  });

  it('too many requests: 429 with the time to wait', async () => {
    const { key } = await world.api.createCaller({ submitPerMinute: 1 });
    await ask(key);
    const got = await ask(key);
    expect([got.status, got.body]).toEqual([429, nativeError(429, 'RESOURCE_EXHAUSTED')]);
    expect(Number(got.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('too little money, of the account or of the key: 402, where one nano-unit more would do', async () => {
    const enough = `0.${String(RESERVED).padStart(9, '0')}`;
    const tooLittle = `0.${String(RESERVED - 1n).padStart(9, '0')}`;
    const poor = await world.api.createCaller({ balance: tooLittle });
    const bound = await world.api.createCaller({ quotaNano: RESERVED - 1n });
    for (const { key } of [poor, bound]) {
      const calls = world.vendor.heard.length;
      const got = await ask(key, ALL_OUTPUT);
      expect([got.status, got.body]).toEqual([402, nativeError(402, 'PAYMENT_REQUIRED')]);
      expect(world.vendor.heard).toHaveLength(calls);
    }
    const rich = await world.api.createCaller({ balance: enough });
    expect((await ask(rich.key, ALL_OUTPUT)).status).toBe(200);
  });
});

describe('what upstreams refuse', () => {
  it.each<[string, number, string, number, string]>([
    ['the request', 400, 'INVALID_ARGUMENT', 400, 'INVALID_ARGUMENT'],
    ['our key', 401, 'UNAUTHENTICATED', 503, 'UNAVAILABLE'],
    ['our permission', 403, 'PERMISSION_DENIED', 503, 'UNAVAILABLE'],
    ['for the moment', 429, 'RESOURCE_EXHAUSTED', 503, 'UNAVAILABLE'],
    ['because it failed', 500, 'INTERNAL', 502, 'BAD_GATEWAY'],
    ['because it is down', 503, 'UNAVAILABLE', 503, 'UNAVAILABLE'],
  ])(
    '%s (%i) everywhere: refunded, and told without a word of the vendor',
    async (_why, vendorCode, word, code, status) => {
      const caller = await world.caller();
      const secret = `key vendor-key at ${world.vendor.channel().baseUrl} of project 1234`;
      const asked = vendorCode === 400 ? [world.vendor] : [world.vendor, world.other];
      for (const each of asked) each.next(refuses(vendorCode, word, secret));
      const got = await ask(caller.key);
      expect([got.status, got.body]).toEqual([code, nativeError(code, status)]);
      expect(got.body.error.message).not.toMatch(/vendor|127\.0\.0\.1|1234/);
      expect(got.headers.get('retry-after') === null).toBe(status !== 'UNAVAILABLE');
      const id = got.headers.get('x-task-id');
      const record = await world.ended(id, caller);
      expect(record).toMatchObject({ status: 'failed', error: { type: 'task_failed' }, cost: 0 });
      expect(await world.spent(caller)).toEqual(NOTHING);
      const channels = vendorCode === 400 ? ['text-main'] : ['text-main', 'text-second'];
      expect(await world.attempts(id)).toMatchObject(channels.map((channelId) => ({ channelId, state: 'refused' })));
    },
  );
});

describe('a channel that refuses', () => {
  let fresh: TextWorld;
  beforeEach(async () => {
    fresh = await openTextWorld();
  });
  afterEach(() => fresh.close());

  it.each([
    [429, 'RESOURCE_EXHAUSTED', 'rate_limited'],
    [500, 'INTERNAL', 'upstream_fault'],
    [503, 'UNAVAILABLE', 'not_accepted'],
    [403, 'PERMISSION_DENIED', 'operator'],
  ])('with %i hands over to the next one, under the same task', async (code, word, fault) => {
    const caller = await fresh.caller();
    fresh.vendor.next(refuses(code, word));
    const got = await fresh.api.post(`${FLASH}:generateContent`, BODY, { key: caller.key });
    expect(got.body.data).toEqual(answer('From the other one.'));
    const id = got.headers.get('x-task-id');
    expect(await fresh.ended(id, caller)).toMatchObject({ status: 'completed' });
    expect(await fresh.spent(caller)).toEqual({ held: 0n, settled: COST });
    expect(await fresh.attempts(id)).toMatchObject([
      { number: 1, channelId: 'text-main', state: 'refused', fault },
      { number: 2, channelId: 'text-second', state: 'succeeded', fault: null },
    ]);
    const task = await fresh.api.database.task.findUniqueOrThrow({ where: { id: String(id) } });
    expect(task).toMatchObject({ channelId: 'text-second', attemptsMade: 2 });
  });

  it('is left alone once it keeps failing', async () => {
    await fresh.close();
    fresh = await openTextWorld({ script: refuses(500, 'INTERNAL') });
    const { key } = await fresh.caller();
    const statuses = [];
    for (let times = 0; times < 10; times += 1) {
      statuses.push((await fresh.api.post(`${FLASH}:generateContent`, BODY, { key })).status);
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    expect(fresh.vendor.heard.length).toBeLessThan(10);
  });

  it('for good, names the time that the vendor named', async () => {
    const { key } = await fresh.caller();
    const retry = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }];
    const busy = says({ error: { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED', details: retry } }, 429);
    for (const each of [fresh.vendor, fresh.other]) each.next(busy);
    const got = await fresh.api.post(`${FLASH}:generateContent`, BODY, { key });
    expect([got.status, got.headers.get('retry-after')]).toEqual([503, '35']);
  });
});
