import { request } from 'node:http';
import { endKey, replaceKeySecret } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, startTestApi } from '../../../test/test-api';

const api = forAllTests(startTestApi);

it.each(['//v1/balance', '/v1//balance', '///v1///balance?currency=//'])(
  '%s is answered as /v1/balance is',
  async (path) => {
    const { key } = await api.createCaller();
    expect((await api.get(path)).status).toBe(401);
    expect(await api.get(path, { key })).toMatchObject({
      status: 200,
      body: (await api.get('/v1/balance', { key })).body,
    });
  },
);

describe('without a good key', () => {
  it('refuses every header that is not exactly one Bearer key', async () => {
    const { key } = await api.createCaller();
    const good = `Bearer ${key}`;
    const bad = ['', 'Bearer', 'Bearer ', key, `Basic ${key}`, `Bearer ${key} x`, `Bearer "${key}"`, `${good},${good}`];
    const wrong = [`Bearer ${key.slice(0, -1)}`, `Bearer ${key}0`, `Bearer ${key.toUpperCase()}`];
    const other = [`Bearer mg_${'0'.repeat(12)}_${'0'.repeat(64)}`, `Bearer ${'x'.repeat(8000)}`];
    for (const authorization of [...bad, ...wrong, ...other]) {
      const { status } = await api.get('/v1/balance', { headers: { authorization } });
      expect({ authorization, status }).toEqual({ authorization, status: 401 });
    }
    expect((await api.get('/v1/balance', { headers: { authorization: good } })).status).toBe(200);
    expect((await api.get('/v1/balance', { headers: { authorization: `bearer  ${key}` } })).status).toBe(200);
  });

  it('refuses two Authorization headers, even equal ones', async () => {
    const { key } = await api.createCaller();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = ['Host', '127.0.0.1', 'Authorization', `Bearer ${key}`, 'authorization', `Bearer ${key}`];
      request(`${api.url}/v1/balance`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(401);
  });

  it('refuses the secret of another key', async () => {
    const [one, two] = [await api.createCaller(), await api.createCaller()];
    const mixed = `mg_${one.keyId}_${two.key.split('_')[2]}`;
    expect((await api.get('/v1/balance', { key: mixed })).status).toBe(401);
  });

  it('refuses a revoked key, and the old secret of a rotated one', async () => {
    const revoked = await api.createCaller();
    await endKey(api.database, revoked.keyId, { actor: 'cli:test' });
    const refused = await api.get('/v1/balance', { key: revoked.key });
    expect(refused).toMatchObject({ status: 401, body: { error: { reason: 'key_revoked' } } });
    const stranger = await api.get('/v1/balance', { key: `${revoked.key.slice(0, -4)}0000` });
    expect(stranger).toMatchObject({ status: 401, body: { error: { reason: 'unauthenticated' } } });
    const rotated = await api.createCaller();
    const secretOf = { id: rotated.keyId, pepper: 'a pepper for tests only' };
    const issued = await replaceKeySecret(api.database, secretOf, { actor: 'cli:test' });
    expect((await api.get('/v1/balance', { key: rotated.key })).status).toBe(401);
    expect((await api.get('/v1/balance', { key: issued.key ?? '' })).status).toBe(200);
  });

  it('lets a key that was revoked a moment ago submit nothing, and then nothing at all', async () => {
    const { key, keyId } = await api.createCaller();
    expect((await api.get('/v1/balance', { key })).status).toBe(200);
    await endKey(api.database, keyId, { actor: 'cli:test' });
    const rows = await api.countRows();
    expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key })).status).toBe(401);
    expect(await api.countRows()).toEqual(rows);
    expect((await api.get('/v1/balance', { key })).status).toBe(401);
  });
});

describe('a key without permission', () => {
  it.each([
    ['/v1/images/generations', { model: 'IMAGEFAST-ext', prompt: '' }],
    ['/openai/v1/images/generations', { model: 'imagefast-ext', prompt: 'a boat' }],
    ['/v1/imgtool/generations/imagine', { prompt: 'a boat' }],
    ['/mj/submit/imagine', { prompt: 'a boat' }],
    ['/v1/audio/speech', { model: 'ttsmodel-mini', input: 'Hello', voice: 'alloy' }],
    ['/v1beta/models/text-2.5-flash:generateContent', { contents: [{ parts: [{ text: 'Hello' }] }] }],
    ['/openai/v1/chat/completions', { model: 'text-2.5-flash', messages: [{ role: 'user', content: 'Hello' }] }],
  ])('POST %s answers 403 for another model, whatever its spelling, and writes nothing', async (path, sent) => {
    const { key } = await api.createCaller({ models: ['imagegen-2'] });
    const rows = await api.countRows();
    expect((await api.post(path, sent, { key })).status).toBe(403);
    expect((await api.post('/v1/estimate', { path, body: sent }, { key })).status).toBe(403);
    expect(await api.countRows()).toEqual(rows);
  });

  it('says which field names the model, and lets the others be used', async () => {
    const { key } = await api.createCaller({ models: ['imagegen-2'] });
    const refused = await api.post('/v1/images/generations', { model: 'imagefast-ext', prompt: 'a boat' }, { key });
    expect([refused.status, refused.body.error]).toMatchObject([
      403,
      {
        message: expect.stringContaining('imagefast-2.5-flash-image-preview'),
        reason: 'key_not_permitted',
        param: 'model',
      },
    ]);
    const allowed = { model: 'imagegen-2', prompt: 'a boat' };
    expect((await api.post('/v1/images/generations', allowed, { key })).status).toBe(200);
  });
});

describe('a path or method there is none of', () => {
  it.each(['/', '/v1', '/v1/nothing', '/v2/balance', '/v1/balance/x', '/V1/balance', '/metrics', '/healthz'])(
    '%s answers 404 as JSON, key or not',
    async (path) => {
      const { status, body, headers } = await api.get(path);
      expect(status).toBe(404);
      expect(body).toEqual({
        error: {
          code: 404,
          message: expect.any(String),
          type: 'not_found',
          reason: 'not_found',
          request_id: expect.any(String),
        },
      });
      expect(headers.get('x-request-id')).toBeTruthy();
    },
  );

  it.each([
    ['DELETE', '/v1/balance', 'GET, OPTIONS, HEAD'],
    ['GET', '/v1/images/generations', 'POST'],
    ['PUT', '/v1/files/x.png', 'GET, HEAD'],
    ['PUT', '/v1/files/file_x', 'GET, DELETE, HEAD'],
    ['OPTIONS', '/v1/tasks/task_1', 'GET, HEAD'],
  ])('%s %s answers 405 and says what is allowed', async (method, path, allowed) => {
    const { status, body, headers } = await api.get(path, { method });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe(allowed);
    expect(body.error).toMatchObject({ code: 405, type: 'invalid_request_error' });
  });

  it('says of a path with a NUL character what is wrong', async () => {
    const { key } = await api.createCaller();
    const { status, body } = await api.get('/mj/task/%00/fetch', { key });
    expect([status, body.description]).toEqual([400, 'path must have no NUL character']);
  });

  it('answers 400 to a path that is not valid percent-encoding', async () => {
    const { status, body } = await api.get('/v1/tasks/%zz');
    expect(status).toBe(400);
    expect(body.error.type).toBe('invalid_request_error');
  });
});
