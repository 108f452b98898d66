import { taskError } from '@mediagate/billing';
import { REDELIVERIES_A_DAY } from '@mediagate/callbacks';
import { firstTaskIdAt, type TaskId } from '@mediagate/contracts';
import { attemptDelivery, claimDelivery, forAllTests } from '@mediagate/testkit';
import { ALLOWED_ORIGIN, SMALL_IMAGE, startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const webhook = `${ALLOWED_ORIGIN}/hooks`;

async function submit(body: object = { webhook }): Promise<TaskId> {
  const { body: answer } = await api.post('/v1/images/generations', { ...SMALL_IMAGE, ...body }, { key: caller.key });
  return answer.data[0].task_id;
}

/** The id of the callback's delivery, if it has one. */
async function end(taskId: TaskId): Promise<string> {
  const error = taskError('timeout');
  await api.end(taskId, { kind: 'failed', error });
  const delivery = await api.database.webhookDelivery.findUnique({ where: { taskId } });
  return delivery?.id ?? 'none';
}

const rejected = (deliveryId: string) =>
  attemptDelivery(api.database, deliveryId, { httpStatus: 410, state: 'rejected', reason: 'http_410' });

const get = (path: string, key = caller.key) => api.get(path, { key });
const deliveriesOf = (id: string, key?: string) => get(`/v1/tasks/${id}/deliveries`, key);
const redeliver = (id: string, key = caller.key) => api.post(`/v1/tasks/${id}/redeliver`, undefined, { key });
const callbackOf = async (id: string) => (await get(`/v1/tasks/${id}`)).body.data.callback;

describe('`callback` of a record', () => {
  const untouched = {
    url: webhook,
    state: 'pending',
    attempts: 0,
    last_status: null,
    last_error: null,
    next_attempt_at: null,
    refused_because: null,
  };

  it('is absent without a webhook, before the task has ended and after', async () => {
    const id = await submit({});
    expect(await callbackOf(id)).toBeUndefined();
    await end(id);
    expect(await callbackOf(id)).toBeUndefined();
  });

  it('is pending before the task has ended, and then says when it is tried', async () => {
    const id = await submit();
    expect(await callbackOf(id)).toEqual(untouched);
    await end(id);
    expect(await callbackOf(id)).toEqual({ ...untouched, next_attempt_at: expect.any(Number) });
  });

  it('tells the last answer, and the last silence', async () => {
    const id = await submit();
    const deliveryId = await end(id);
    const error = 'timeout: The server did not answer in 10 s.';
    await attemptDelivery(api.database, deliveryId, { error, state: 'pending', reason: 'timeout', retryAfterMs: 0 });
    expect(await callbackOf(id)).toMatchObject({
      state: 'pending',
      attempts: 1,
      last_status: null,
      last_error: 'timeout: The server did not answer in 10 s.',
    });
    await rejected(deliveryId);
    expect(await callbackOf(id)).toEqual({ ...untouched, state: 'rejected', attempts: 2, last_status: 410 });
  });

  it('says which rule a dropped URL breaks', async () => {
    const id = await submit({ webhook: 'http://10.0.0.1' });
    const claim = await claimDelivery(api.database, await end(id));
    await api.database.endDelivery(claim, { state: 'dropped', reason: 'blocked_address' });
    expect(await callbackOf(id)).toMatchObject({ state: 'dropped', attempts: 0, refused_because: 'blocked_address' });
  });

  it('is in a batch, too', async () => {
    const id = await submit();
    const { body } = await api.post('/v1/tasks/batch', { task_ids: [id] }, { key: caller.key });
    expect(body.data[0].callback).toEqual(untouched);
  });
});

describe('GET /v1/tasks/{id}/deliveries', () => {
  it('200: has nothing before the task has ended, and nothing without a webhook', async () => {
    const [early, without] = [await submit(), await submit({})];
    await end(without);
    for (const id of [early, without]) expect((await deliveriesOf(id)).body).toEqual({ code: 200, data: [] });
  });

  it('200: has every attempt in order', async () => {
    const id = await submit();
    const deliveryId = await end(id);
    const error = 'network: The connection broke off.';
    await attemptDelivery(api.database, deliveryId, { error, state: 'pending', reason: 'network', retryAfterMs: 0 });
    await rejected(deliveryId);
    const { status, body } = await deliveriesOf(id);
    expect(status).toBe(200);
    const times = { started_at: expect.any(Number), ended_at: expect.any(Number) };
    expect(body.data).toEqual([
      {
        id: deliveryId,
        task_id: id,
        url: webhook,
        state: 'rejected',
        reason: 'http_410',
        created: expect.any(Number),
        next_attempt_at: null,
        attempts: [
          { number: 1, ...times, status: null, error: 'network: The connection broke off.' },
          { number: 2, ...times, status: 410, error: null },
        ],
      },
    ]);
  });
});

describe('POST /v1/tasks/{id}/redeliver', () => {
  it('202: makes an ended delivery due at once under its id, with its bytes, its attempts numbered on, noted as the key’s', async () => {
    const id = await submit();
    const deliveryId = await end(id);
    await rejected(deliveryId);
    const { status, body } = await redeliver(id);
    expect(status).toBe(202);
    expect(body).toMatchObject({ code: 202, data: { id: deliveryId, state: 'pending', reason: null } });
    const claim = await claimDelivery(api.database, deliveryId);
    expect(claim).toMatchObject({ body: '{}', attemptsMade: 0 });
    await api.database.releaseDeliveries([claim]);
    await attemptDelivery(api.database, deliveryId, { httpStatus: 200, state: 'delivered', reason: null });
    const { attempts } = (await deliveriesOf(id)).body.data[0];
    expect(attempts).toMatchObject([
      { number: 1, status: 410 },
      { number: 2, status: 200 },
    ]);
    const noted = await api.database.auditLogEntry.findMany({ where: { subject: deliveryId } });
    expect(noted.map(({ actor, action }) => [actor, action])).toEqual([[`key:${caller.keyId}`, 'webhook.redeliver']]);
  });

  it('409: changes nothing before the task has ended and while the callback is pending', async () => {
    const id = await submit();
    const early = await redeliver(id);
    await end(id);
    const pending = await redeliver(id);
    for (const { status, body } of [early, pending]) {
      expect([status, body.error.reason]).toEqual([409, 'callback_pending']);
    }
    expect(await callbackOf(id)).toMatchObject({ state: 'pending', attempts: 0 });
  });

  it('one of ten at once is accepted, and the others are 409', async () => {
    const id = await submit();
    await rejected(await end(id));
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeliver(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('is made once under an Idempotency-Key, however the callback ended since', async () => {
    const id = await submit();
    const deliveryId = await end(id);
    await rejected(deliveryId);
    const again = () =>
      api.post(`/v1/tasks/${id}/redeliver`, undefined, {
        key: caller.key,
        headers: { 'idempotency-key': `once-${id}` },
      });
    const first = await again();
    await rejected(deliveryId);
    const second = await again();
    expect([first, second].map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [202, null],
      [202, 'true'],
    ]);
    expect(second.body.data.state).toBe('rejected');
  });

  it('429: is sent again so often a day and no more, under whatever Idempotency-Key, alone or among many; operators may', async () => {
    const id = await submit();
    const deliveryId = await end(id);
    const ended = { state: 'rejected', callerRedeliveredOn: new Date(), callerRedeliveries: REDELIVERIES_A_DAY - 1 };
    const where = { id: deliveryId };
    await api.database.webhookDelivery.update({ where, data: ended });
    expect((await redeliver(id)).status).toBe(202);
    await api.database.webhookDelivery.update({ where, data: { state: 'rejected' } });

    const refused = await api.post(`/v1/tasks/${id}/redeliver`, undefined, {
      key: caller.key,
      headers: { 'idempotency-key': `another-${id}` },
    });
    expect([refused.status, refused.body.error.reason]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const many = await api.post(
      '/v1/webhooks/redeliver',
      { task_ids: [id] },
      {
        key: caller.key,
        headers: { 'idempotency-key': `many-${id}` },
      },
    );
    expect([many.status, many.body.data.redelivered]).toEqual([202, 0]);
    expect(await api.database.auditLogEntry.count({ where: { idempotencyKey: { endsWith: id } } })).toBe(0);
    expect(await api.database.auditLogEntry.count({ where: { subject: deliveryId } })).toBe(1);

    expect(await api.database.redeliver(deliveryId, null, { actor: 'cli:test' })).toMatchObject({ kind: 'changed' });
    const yesterday = new Date(Date.now() - 86_400_000);
    const data = { state: 'rejected', callerRedeliveredOn: yesterday };
    await api.database.webhookDelivery.update({ where, data });
    expect((await redeliver(id)).status).toBe(202);
    expect(await api.database.countRedeliveries(deliveryId)).toEqual([{ count: 1 }]);
  });

  it('404: without a webhook', async () => {
    const without = await submit({});
    await end(without);
    expect((await redeliver(without)).status).toBe(404);
  });
});

describe('POST /v1/webhooks/redeliver', () => {
  const redeliverMany = (body: object, key = caller.key) => api.post('/v1/webhooks/redeliver', body, { key });

  it('202: makes those of the tasks that are named due again, of the own account alone', async () => {
    const [ended, pending] = [await submit(), await submit()];
    await rejected(await end(ended));
    await end(pending);
    const stranger = await api.createCaller();
    const named = { task_ids: [ended, pending] };
    expect((await redeliverMany(named, stranger.key)).body.data.redelivered).toBe(0);
    const { status, body } = await redeliverMany(named);
    expect([status, body.data]).toEqual([202, { redelivered: 1, next_cursor: null, has_more: false }]);
    expect(await callbackOf(ended)).toMatchObject({ state: 'pending', next_attempt_at: expect.any(Number) });
    const noted = { subject: caller.accountId, action: 'webhook.redeliver_many' };
    expect(await api.database.auditLogEntry.findMany({ where: noted })).toMatchObject([
      { actor: `key:${caller.keyId}` },
    ]);
  });

  it('202: looks at no task that ended before the time that is asked for', async () => {
    const id = await submit();
    await rejected(await end(id));
    const filter = { accountId: caller.accountId, state: 'rejected', limit: 10 } as const;
    const looked = async (createdFrom: Date) => {
      const wanted = {
        ...filter,
        ownKeyId: null,
        createdFrom,
        createdBefore: null,
        taskIds: null,
        before: 'task_~',
        scanRows: 1,
        dailyLimit: null,
      };
      const from = firstTaskIdAt(createdFrom.getTime());
      return api.database.redeliverOfAccount({ ...wanted, from }, {}, { actor: 'cli:test' });
    };
    expect(await looked(new Date(Date.now() + 60_000))).toMatchObject({
      row: { after: { redelivered: 0, next: null } },
    });
    expect(await looked(new Date(0))).toMatchObject({ row: { after: { redelivered: 1, next: id } } });
  });

  it('202: makes those of a state due again, and whoever repeats it under an Idempotency-Key none', async () => {
    const id = await submit();
    await rejected(await end(id));
    const again = () =>
      api.post(
        '/v1/webhooks/redeliver',
        { state: 'rejected' },
        { key: caller.key, headers: { 'idempotency-key': `many-${id}` } },
      );
    const first = await again();
    const due = await callbackOf(id);
    const second = await again();
    expect(first.body.data.redelivered).toBeGreaterThanOrEqual(1);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await callbackOf(id)).toEqual(due);
  });
});
