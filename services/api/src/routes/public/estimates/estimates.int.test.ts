import { nanoToNumber } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { ALLOWED_ORIGIN, SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../../test/test-api';
import { fileOf, pngOf } from '../../../../test/test-images';
import { withoutRequestId } from '../../../../test/without-request-id';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const PRICE = nanoToNumber(smallImagePrice());
const PNG = `data:image/png;base64,${pngOf(320, 320).toString('base64')}`;
const SPEECH = { model: 'ttsmodel-mini', input: 'a boat', voice: 'alloy' };

/** The request id that makes an error and its estimate the same, word for word. */
const headers = { 'x-request-id': 'the-same' };
const estimate = (path: unknown, body?: unknown, key = caller.key) =>
  api.post('/v1/estimate', { path, body }, { key, headers });

describe('POST /v1/estimate', () => {
  it('says what would be held, what a usual outcome costs, by which prices, and whether there is money', async () => {
    const rows = await api.countRows();
    const { status, body } = await estimate('/v1/images/generations', { ...SMALL_IMAGE, unheard_of: 1 });
    expect([status, body]).toEqual([
      200,
      {
        code: 200,
        data: {
          reserved: PRICE,
          expected: expect.any(Number),
          affordable: true,
          unit_prices: expect.arrayContaining([{ unit: 'image_output', price: 30, quantity: expect.any(Number) }]),
          warnings: ['unheard_of was ignored: the model has no such field'],
        },
      },
    ]);
    expect(await api.countRows()).toEqual(rows);
  });

  it('refuses fields of its own body that it does not have, by their names', async () => {
    const sent = { path: '/v1/images/generations', body: SMALL_IMAGE, boddy: {}, n: 2 };
    const { status, body } = await api.post('/v1/estimate', sent, { key: caller.key });
    expect([status, body.error.errors.map(({ param }: { param: string }) => param)]).toEqual([400, ['boddy', 'n']]);
  });

  it('is affordable to the nano-unit, of account and key', async () => {
    const affordable = async (balance: string, quotaNano: bigint | null = null) => {
      const { key } = await api.createCaller({ balance, ...(quotaNano === null ? {} : { quotaNano }) });
      return (await estimate('/v1/images/generations', SMALL_IMAGE, key)).body.data.affordable;
    };
    expect(await affordable(PRICE.toFixed(9))).toBe(true);
    expect(await affordable((PRICE - 1e-9).toFixed(9))).toBe(false);
    expect(await affordable('100', smallImagePrice() - 1n)).toBe(false);
  });

  it.each([
    ['an estimate', '/v1/estimate', { path: '/v1/images/generations', body: SMALL_IMAGE }],
    ['a dry run', '/v1/images/generations?dry_run=true', SMALL_IMAGE],
  ])(
    '%s tells a key of the scope `own` by its quota alone whether it is affordable, never what the account has',
    async (_of, path, sent) => {
      const affordable = async (balance: string, quotaNano: bigint | null) => {
        const { key } = await api.createCaller({ balance, quotaNano, scope: 'own' });
        const { status, body } = await api.post(path, sent, { key });
        expect(status).toBe(200);
        return body.data.affordable;
      };
      for (const balance of ['0', '1000']) {
        expect(await affordable(balance, 10n ** 9n)).toBe(true);
        expect(await affordable(balance, 1n)).toBe(false);
        expect(await affordable(balance, null)).toBeUndefined();
      }
    },
  );

  it.each([
    ['/v1/images/edits', { ...SMALL_IMAGE }],
    ['/v1/imgtool/generations/upscale', { task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 1 }],
    ['/mj/submit/describe', {}],
    ['/mj/submit/change', { taskId: 'x', action: 'UPSCALE', index: 9 }],
    ['/v1/audio/speech', { model: 'ttsmodel-mini' }],
    ['/v1beta/models/text-2.5-flash:generateContent', {}],
    ['/gemini/v1beta/models/none:generateContent', {}],
    ['/v1/images/generations', []],
    ['/v1/imgtool/generations', []],
    ['/mj/submit/imagine', [1]],
  ])('answers a wrong body of %s with just the error of that route', async (path, body) => {
    const [estimated, submitted] = [
      await estimate(path, body),
      await api.post(path, body, { key: caller.key, headers }),
    ];
    expect(withoutRequestId(estimated)).toEqual(withoutRequestId(submitted));
    expect(submitted.status).toBeGreaterThanOrEqual(400);
  });

  it.each<[unknown, unknown, string]>([
    [undefined, {}, 'path'],
    [5, {}, 'path'],
    ['/v1/nothing', {}, 'path'],
    ['/v1/tasks/batch', {}, 'path'],
    ['/v1/images/generations', undefined, 'body'],
  ])('path %j with body %j is 400', async (path, body, param) => {
    const answer = await estimate(path, body);
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  });
});

describe('?dry_run=true', () => {
  const form = () => {
    const fields = new FormData();
    for (const [name, text] of Object.entries({ model: 'imagegen-2', prompt: 'a boat' })) fields.set(name, text);
    fields.set('image', fileOf(pngOf(64, 64)), 'a.png');
    return fields;
  };

  it.each<[path: string, body: unknown]>([
    ['/v1/images/generations', { ...SMALL_IMAGE, webhook: ALLOWED_ORIGIN, metadata: { order: '1' } }],
    ['/v1/images/edits', form()],
    ['/v1/videos/generations', { model: 'videoe-v3', prompt: 'a boat', duration: 5, image_urls: [PNG] }],
    ['/v1/music/generations/lyrics', { prompt: 'a boat' }],
    ['/v1/imgtool/generations/describe', { image_urls: [PNG] }],
    ['/mj/submit/imagine', { prompt: 'a boat' }],
    ['/v1/audio/speech', SPEECH],
    ['/openai/v1/images/generations', SMALL_IMAGE],
    ['/openai/v1/images/edits', form()],
    ['/openai/v1/audio/speech', SPEECH],
  ])('of %s answers the price and writes no row and no file', async (path, body) => {
    const rows = await api.countRows();
    const answer = await api.post(`${path}?dry_run=true`, body, {
      key: caller.key,
      headers: { 'idempotency-key': 'one' },
    });
    expect([path, answer.status, answer.body]).toMatchObject([path, 200, { code: 200, data: { affordable: true } }]);
    expect(answer.body.data.reserved).toBeGreaterThan(0);
    expect(answer.headers.get('x-task-id')).toBeNull();
    expect(await api.countRows()).toEqual(rows);
  });

  it('judges the files of a form, which are not stored', async () => {
    const broken = form();
    broken.set('image', fileOf(Buffer.from('no image')), 'a.png');
    const { status, body } = await api.post('/v1/images/edits?dry_run=true', broken, { key: caller.key });
    expect([status, body.error]).toMatchObject([400, { param: 'image[0]', reason: 'bad_media' }]);
  });

  it('is the price that max_cost is compared with', async () => {
    const path = '/v1/images/generations?dry_run=true';
    const dear = await api.post(path, { ...SMALL_IMAGE, max_cost: PRICE / 2 }, { key: caller.key });
    expect([dear.status, dear.body.error.required]).toEqual([402, PRICE]);
  });

  it.each([
    ['/v1/images/generations', 'language=de', SMALL_IMAGE],
    ['/openai/v1/images/generations', 'api-version=2025-04-01-preview', SMALL_IMAGE],
    ['/openai/v1/audio/speech', 'api-version=2025-04-01-preview', SPEECH],
    ['/mj/submit/imagine', '', { prompt: 'a boat' }],
  ])('of %s goes with what clients of that route send: %s', async (path, word, sent) => {
    const { status } = await api.post(`${path}?dry_run=true&${word}`, sent, { key: caller.key });
    expect([path, status]).toEqual([path, 200]);
  });

  it('that is neither true nor false is 400', async () => {
    const { status, body } = await api.post('/v1/images/generations?dry_run=1', SMALL_IMAGE, { key: caller.key });
    expect([status, body.error.message]).toEqual([400, 'dry_run must be one of true, false']);
  });

  it('of a speech is what its caller would have reserved', async () => {
    const { key, accountId } = await api.createCaller();
    const { body } = await api.post('/v1/audio/speech?dry_run=true', SPEECH, { key });
    const leaving = new AbortController();
    const spoken = api.post('/v1/audio/speech', SPEECH, { key, signal: leaving.signal }).catch(() => undefined);
    let reservation = null;
    while (reservation === null) reservation = await api.database.reservation.findFirst({ where: { accountId } });
    leaving.abort();
    await spoken;
    expect(body.data.reserved).toBe(nanoToNumber(reservation.amountNano));
  });
});
