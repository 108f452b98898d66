import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { isTaskId, nanoToDecimal } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { catalogue } from '../../../../test/shared/known-api';
import { ALLOWED_ORIGIN, SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../../test/test-api';
import { pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const submit = (body: unknown, headers: Record<string, string> = {}) =>
  api.post('/v1/images/generations', body, { key: caller.key, headers });

describe('POST /v1/images/generations that is accepted', () => {
  it('answers the acknowledgement of the specification and nothing more', async () => {
    const { status, headers, body } = await submit(SMALL_IMAGE);
    expect(status).toBe(200);
    expect(body).toEqual({ code: 200, data: [{ status: 'submitted', task_id: expect.stringMatching(/^task_/) }] });
    expect(isTaskId(body.data[0].task_id)).toBe(true);
    expect(headers.get('x-task-id')).toBe(body.data[0].task_id);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('is answered with 100 where its caller asks before sending the body', async () => {
    const headers = {
      authorization: `Bearer ${caller.key}`,
      'content-type': 'application/json',
      expect: '100-continue',
    };
    const call = request(`${api.url}/v1/images/generations`, { method: 'POST', headers });
    call.flushHeaders();
    await once(call, 'continue');
    call.end(JSON.stringify(SMALL_IMAGE));
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const { data } = (await json(answer)) as { data: [{ task_id: string }] };
    expect([answer.statusCode, isTaskId(data[0].task_id)]).toEqual([200, true]);
  });

  it('writes the task, its reservation and its hold, and takes the price from the balance', async () => {
    const payer = await api.createCaller({ balance: '1' });
    const before = await api.countRows();
    const { body } = await api.post('/v1/images/generations', SMALL_IMAGE, { key: payer.key });
    const after = await api.countRows();
    expect(after).toEqual({
      ...before,
      tasks: Number(before['tasks']) + 1,
      reservations: Number(before['reservations']) + 1,
      ledger_entries: Number(before['ledger_entries']) + 1,
    });
    const task = await api.database.task.findUniqueOrThrow({ where: { id: body.data[0].task_id } });
    expect(task).toMatchObject({
      accountId: payer.accountId,
      keyId: payer.keyId,
      family: 'image',
      kind: 'image',
      status: 'submitted',
      model: 'imagegen-2.5-flare',
      operation: 'images.generations',
      reservedNano: smallImagePrice(),
    });
    const deadlineMs = task.deadlineAt.getTime() - task.createdAt.getTime();
    expect(deadlineMs).toBe(catalogue.find('imagegen-2.5-flare')?.deadlineMs);
    const { body: balance } = await api.get('/v1/balance', { key: payer.key });
    expect(balance.used_balance).toBe(0);
    const { body: account } = await api.get('/v1/user/balance', { key: payer.key });
    expect(account.remain_balance).toBe(Number(nanoToDecimal(1_000_000_000n - smallImagePrice())));
  });

  it('takes every image model of the catalogue, and an alias, in any letter case', async () => {
    const models = catalogue.entries.filter(({ operation }) => operation === 'images.generations');
    const names = models.flatMap((entry) => [entry.id, ...entry.aliases]);
    expect(names).toContain('imagefast-ext');
    for (const name of names) {
      const { status } = await submit({ model: name.toUpperCase(), prompt: 'a lighthouse' });
      expect({ name, status }).toEqual({ name, status: 200 });
    }
  });

  it('stores whatever webhook it is sent, and cuts no character of an ignored field in two', async () => {
    const webhook = `not a URL 🌊 ${'x'.repeat(10_000)}`;
    const { status, body } = await submit({ ...SMALL_IMAGE, webhook, [`${'f'.repeat(63)}🌊`]: 1 });
    expect(status).toBe(200);
    const task = await api.database.task.findUniqueOrThrow({ where: { id: body.data[0].task_id } });
    expect(task).toMatchObject({
      webhook,
    });
    expect(body.data[0].warnings).toEqual([
      expect.stringMatching(/^webhook was ignored: /),
      expect.stringContaining('f🌊 was ignored'),
    ]);
  });

  it('names ignored fields in warnings, in the language that the caller prefers', async () => {
    const { body } = await submit({ ...SMALL_IMAGE, colour: 'red', language: 'xx' });
    expect(body.data[0].warnings).toEqual([
      expect.stringContaining('language was ignored'),
      expect.stringContaining('colour was ignored'),
    ]);
    const inGerman = await submit({ ...SMALL_IMAGE, colour: 'red' }, { 'accept-language': 'de' });
    expect(inGerman.headers.get('content-language')).toBe('de');
    expect(inGerman.body.data[0].warnings).toEqual(['colour wurde ignoriert: Das Modell hat kein solches Feld']);
  });

  it('keeps webhook and language with the task, and treats blank ones as missing', async () => {
    const full = await submit({ ...SMALL_IMAGE, webhook: 'https://example.com/hooks/', language: ' ZH ' });
    const blank = await submit({ ...SMALL_IMAGE, webhook: '  ', language: '' });
    const find = (answer: typeof full) =>
      api.database.task.findUniqueOrThrow({ where: { id: answer.body.data[0].task_id } });
    expect(await find(full)).toMatchObject({ webhook: 'https://example.com/hooks/', language: 'zh' });
    expect(await find(blank)).toMatchObject({ webhook: null, language: null, warnings: [] });
  });

  it('names the origin of this machine that will not be called, and the variable that lets it be', async () => {
    const { body } = await submit({ ...SMALL_IMAGE, webhook: 'http://localhost:9123/hooks' });
    expect(body.data[0].warnings).toEqual([
      'webhook was ignored: Port 9123 is not allowed. Whoever runs this service lets callbacks go to http://localhost:9123 by naming it in CALLBACK_ALLOW_ORIGINS.',
    ]);
  });

  it.each(['https://example.com/hooks', `${ALLOWED_ORIGIN}/hooks`])(
    'has nothing to say against the webhook %s',
    async (webhook) => {
      const { body } = await submit({ ...SMALL_IMAGE, webhook });
      expect(body.data[0]).not.toHaveProperty('warnings');
    },
  );

  it('takes null for a field that is not set', async () => {
    const nulls = { webhook: null, language: null, n: null, image_urls: null, colour: null };
    const { status, body } = await submit({ ...SMALL_IMAGE, ...nulls });
    expect(status).toBe(200);
    expect(body.data[0]).not.toHaveProperty('warnings');
    const task = await api.database.task.findUniqueOrThrow({ where: { id: body.data[0].task_id } });
    expect(task).toMatchObject({ webhook: null, language: null, input: { n: 1 } });
    expect(task.input).not.toHaveProperty('image_urls');
  });

  it('ignores a field called __proto__ like any unknown one', async () => {
    const sent = JSON.stringify({ ...SMALL_IMAGE, colour: { deep: 1 } })
      .replace('"deep":1', '"__proto__":{"n":4}')
      .replace('{', '{"__proto__":{"n":4},');
    const { status, body } = await submit(sent);
    expect(status).toBe(200);
    expect(body.data[0].warnings).toEqual([
      '__proto__ was ignored: the model has no such field',
      'colour was ignored: the model has no such field',
    ]);
    const task = await api.database.task.findUniqueOrThrow({ where: { id: body.data[0].task_id } });
    expect(task.input).toMatchObject({ n: 1 });
  });

  it("keeps a caller's own request id when it is harmless, and makes one when it is not", async () => {
    const own = await submit(SMALL_IMAGE, { 'x-request-id': 'order-42:a.b' });
    expect(own.headers.get('x-request-id')).toBe('order-42:a.b');
    const task = await api.database.task.findUniqueOrThrow({ where: { id: own.body.data[0].task_id } });
    expect(task.requestId).toBe('order-42:a.b');
    for (const bad of ['a b', 'x'.repeat(129), '<script>', '{}']) {
      const { headers } = await submit(SMALL_IMAGE, { 'x-request-id': bad });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('enqueues the task by its id for the workers of the family', async () => {
    const enqueued = new Set<string>();
    let resume: (() => void) | undefined;
    const consumer = api.queues.consumeTasks(
      'image',
      async ({ taskId }) => {
        enqueued.add(taskId);
        resume?.();
      },
      { concurrency: 10 },
    );
    try {
      const { body } = await submit(SMALL_IMAGE);
      while (!enqueued.has(body.data[0].task_id)) {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
    } finally {
      await consumer.close();
    }
  });

  it('stores a mask that came as a data URL as a file, so that the task row holds a link', async () => {
    const png = pngOf(8, 8);
    const { status, body } = await submit({
      ...SMALL_IMAGE,
      image_urls: ['https://example.com/a.png'],
      mask_url: `data:image/png;base64,${png.toString('base64')}`,
    });
    expect(status).toBe(200);
    const task = await api.database.task.findUniqueOrThrow({ where: { id: body.data[0].task_id } });
    const { mask_url: link } = task.input as { mask_url: string };
    const media = await api.mediaStore.resolveOwnUrl(link);
    expect(media).toMatchObject({ purpose: 'upload', accountId: caller.accountId, contentType: 'image/png' });
    expect(await api.mediaStore.read(media?.id ?? '')).toEqual(png);
  });
});
