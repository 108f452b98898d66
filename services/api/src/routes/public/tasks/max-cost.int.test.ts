import { type JsonObject, nanoToNumber } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../../test/test-api';
import { fileOf, pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const PRICE = nanoToNumber(smallImagePrice());

describe('max_cost', () => {
  it('is kept to, to the nano-unit: the price itself is enough, and anything below is not', async () => {
    const submit = (max_cost: number) =>
      api.post('/v1/images/generations', { ...SMALL_IMAGE, max_cost }, { key: caller.key });
    expect((await submit(PRICE)).status).toBe(200);
    const rows = await api.countRows();
    const { status, body } = await submit(PRICE - 1e-9);
    expect(status).toBe(402);
    expect(body.error).toEqual({
      code: 402,
      message: `The task can cost up to ${PRICE}, which is more than max_cost allows.`,
      type: 'payment_required',
      reason: 'max_cost_exceeded',
      param: 'max_cost',
      required: PRICE,
      request_id: expect.any(String),
    });
    expect(await api.countRows()).toEqual(rows);
  });

  it.each<[path: string, body: JsonObject]>([
    ['/v1/videos/generations', { model: 'videoe-v3', prompt: 'a boat', duration: 5 }],
    ['/v1/music/generations/lyrics', { prompt: 'a boat' }],
    ['/v1/imgtool/generations/imagine', { prompt: 'a boat' }],
    ['/mj/submit/imagine', { prompt: 'a boat' }],
    ['/v1/audio/speech', { model: 'ttsmodel-mini', input: 'a boat', voice: 'alloy' }],
  ])('refuses a submission to %s that can cost more, and writes nothing', async (path, sent) => {
    const rows = await api.countRows();
    const { status, body } = await api.post(path, { ...sent, max_cost: 1e-9 }, { key: caller.key });
    expect([status, body.error ?? body.properties]).toMatchObject([
      402,
      { reason: 'max_cost_exceeded', param: 'max_cost' },
    ]);
    expect(await api.countRows()).toEqual(rows);
  });

  it('of a form is compared before its files are stored', async () => {
    const form = new FormData();
    const fields = { model: 'imagegen-2', prompt: 'a boat', max_cost: '0.000000001' };
    for (const [name, text] of Object.entries(fields)) form.set(name, text);
    form.set('image', fileOf(pngOf(8, 8)), 'a.png');
    const rows = await api.countRows();
    const { status, body } = await api.post('/v1/images/edits', form, { key: caller.key });
    expect([status, body.error]).toMatchObject([402, { reason: 'max_cost_exceeded' }]);
    expect(await api.countRows()).toEqual(rows);
  });

  it.each([0, -1, 'ten', true])('%j is 400', async (max_cost) => {
    const { status, body } = await api.post(
      '/v1/images/generations',
      { ...SMALL_IMAGE, max_cost },
      { key: caller.key },
    );
    expect([status, body.error.param]).toEqual([400, 'max_cost']);
  });
});

describe('expires_in', () => {
  it.each([0, 86_401, 1.5, '60'])('%j is 400', async (expires_in) => {
    const { status, body } = await api.post(
      '/v1/images/generations',
      { ...SMALL_IMAGE, expires_in },
      { key: caller.key },
    );
    expect([status, body.error.param]).toEqual([400, 'expires_in']);
  });

  it('says until when work must have begun', async () => {
    const { body } = await api.post('/v1/images/generations', { ...SMALL_IMAGE, expires_in: 60 }, { key: caller.key });
    const { createdAt, startBy } = await api.database.task.findUniqueOrThrow({ where: { id: body.data[0].task_id } });
    expect(Number(startBy) - Number(createdAt)).toBe(60_000);
  });

  it('is refused of a speech, whose caller may hang up', async () => {
    const speech = { model: 'ttsmodel-mini', input: 'a boat', voice: 'alloy', expires_in: 60 };
    const { status, body } = await api.post('/v1/audio/speech', speech, { key: caller.key });
    expect([status, body.error]).toMatchObject([400, { param: 'expires_in', reason: 'unsupported_parameter' }]);
  });
});

describe('an Idempotency-Key', () => {
  it.each([{ max_cost: 5 }, { expires_in: 60 }, { metadata: { order: '1' } }])(
    'with another %j is another request',
    async (field) => {
      const headers = { 'idempotency-key': `key-${Object.keys(field)}` };
      const submit = (body: JsonObject) => api.post('/v1/images/generations', body, { key: caller.key, headers });
      const first = await submit({ ...SMALL_IMAGE, ...field });
      expect(first.status).toBe(200);
      expect((await submit({ ...SMALL_IMAGE, ...field })).headers.get('idempotency-replayed')).toBe('true');
      expect((await submit(SMALL_IMAGE)).status).toBe(409);
    },
  );
});
