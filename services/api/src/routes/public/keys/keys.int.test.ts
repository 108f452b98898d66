import { topUp } from '@mediagate/billing';
import { PER_DAY } from '@mediagate/database';
import { changeKey, endKey, hashSecret, MAX_KEYS_OF_ACCOUNT } from '@mediagate/identity';
import { forAllTests, until } from '@mediagate/testkit';
import { finishImgtool, GRID } from '../../../../test/imgtool-tasks';
import { FORMER_PEPPER, PEPPER, SMALL_IMAGE, startTestApi } from '../../../../test/test-api';
import { makeCursor } from '../../../http/fields/page';

const api = forAllTests(() => startTestApi({ times: { keyUsesMs: 20 } }));
const manager = forAllTests(() => api.createCaller({ canManage: true, name: 'manager' }));

const nextYear = () => Math.floor(Date.now() / 1000) + 365 * 86_400;
const make = (body: object, key = manager.key) => api.post('/v1/keys', body, { key });
const patch = (id: string, body: object, key = manager.key) =>
  api.post(`/v1/keys/${id}`, body, { key, method: 'PATCH' });
const revoke = (id: string, key = manager.key) => api.get(`/v1/keys/${id}`, { key, method: 'DELETE' });

/** Makes the key stand for an owner who has signed in at the console. */
async function standsForUser(accountId: string, credentialId: string): Promise<void> {
  const email = `${credentialId}@customer.example`;
  const rights = { kind: 'account', role: 'owner', accountId };
  const credential = { credentialId, credentialSecret: Buffer.from('sealed') };
  await api.database.user.create({ data: { id: `usr_${credentialId}`, email, name: '', ...rights, ...credential } });
}

/** The field of each fault of a refused body. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came
const params = ({ error }: any): string[] => (error.errors ?? [error]).map(({ param }: { param: string }) => param);

describe('a key with the right manage', () => {
  it('makes a key, which works at once and is shown once', async () => {
    const sent = {
      name: 'website',
      quota: 2.5,
      families: ['image'],
      models: ['imagefast-ext', 'imagegen-2.5-flare'],
      submit_per_minute: 20,
      query_per_minute: 200,
      max_concurrent: 3,
      expires_at: nextYear(),
    };
    const { status, body, headers } = await make(sent);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    const { key, id, ...made } = body.data;
    expect(made).toEqual({
      ...sent,
      models: ['imagefast-2.5-flash-image-preview', 'imagegen-2.5-flare'],
      quota_used: 0,
      quota_left: 2.5,
      mode: 'live',
      last_four: key.slice(-4),
      manage: false,
      scope: 'own',
      made_by: manager.keyId,
      created: expect.any(Number),
      last_used_at: null,
      revoked_at: null,
    });
    expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key })).status).toBe(200);
    expect((await api.post('/v1/audio/speech', {}, { key })).status).toBe(403);
    const listed = await api.get('/v1/keys', { key: manager.key });
    expect(JSON.stringify(listed.body)).not.toContain(key);
    expect(listed.body.data[0]).toMatchObject({ id, name: 'website' });
  });

  it('lists the keys of its account page by page, the newest first, and of no other', async () => {
    const owner = await api.createCaller({ canManage: true });
    for (const name of ['one', 'two', 'three']) await make({ name }, owner.key);
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await api.get(`/v1/keys?limit=2&cursor=${cursor}`, { key: owner.key });
      names.push(...body.data.map(({ name }: { name: string }) => name));
      cursor = body.next_cursor;
    }
    expect(names).toEqual(['three', 'two', 'one', '']);
    const unknown = makeCursor('keys', '000000000000');
    expect((await api.get(`/v1/keys?cursor=${unknown}`, { key: owner.key })).body).toMatchObject({
      data: [],
      has_more: false,
    });
    const wrong = await api.get('/v1/keys?limit=0&cursor=x&revoked=maybe&colour=red', { key: owner.key });
    expect(wrong.status).toBe(400);
    expect(params(wrong.body)).toEqual(['limit', 'cursor', 'revoked', 'colour']);
  });

  it('changes what is named and lifts what is null', async () => {
    const { id } = (await make({ name: 'a', quota: 1, families: ['image'], expires_at: nextYear() })).body.data;
    const lifted = await patch(id, { quota: null, families: null, expires_at: null });
    expect(lifted.body.data).toMatchObject({ name: 'a', quota: null, families: [], expires_at: null });
    const limited = await patch(id, { name: 'b', max_concurrent: 1 });
    expect(limited.body.data).toMatchObject({ name: 'b', max_concurrent: 1, quota: null });
  });

  it('revokes a key, and again changes nothing', async () => {
    const { id, key } = (await make({})).body.data;
    const first = await revoke(id);
    expect(first.body.data.revoked_at).toEqual(expect.any(Number));
    expect(await revoke(id)).toMatchObject({ status: 200, body: { data: first.body.data } });
    expect(await api.get('/v1/balance', { key })).toMatchObject({ body: { error: { reason: 'key_revoked' } } });
    expect((await patch(id, { name: 'late' })).status).toBe(404);
    const listed = async (query: string) =>
      (await api.get(`/v1/keys${query}`, { key: manager.key })).body.data.map((each: { id: string }) => each.id);
    expect(await listed('')).not.toContain(id);
    expect(await listed('?revoked=true')).toContain(id);
  });

  it('400: names every field that is wrong, unknown, or more than it has itself, and makes nothing', async () => {
    const owner = await api.createCaller({
      canManage: true,
      quotaNano: 5_000_000_000n,
      families: ['image', 'video'],
      models: ['imagegen-2.5-flare'],
      submitPerMinute: 10,
      queryPerMinute: 1000,
      maxConcurrent: 4,
      expiresAt: new Date(Date.now() + 60_000),
    });
    const wrong = {
      name: 'x'.repeat(201),
      quota: -1,
      families: ['paintings'],
      models: ['imagegen-9'],
      submit_per_minute: 0,
      query_per_minute: 1.5,
      max_concurrent: 'many',
      expires_at: 1,
      manage: true,
    };
    const beyond = {
      quota: 5.000000001,
      families: ['text'],
      models: ['imagegen-2'],
      submit_per_minute: 11,
      query_per_minute: 1001,
      max_concurrent: 5,
      expires_at: nextYear(),
    };
    const before = await api.database.apiKey.count();
    const refusals = [await make(wrong, owner.key), await make(beyond, owner.key)];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400]);
    const fields = Object.keys(wrong).map((name) => (/^(families|models)$/.test(name) ? `${name}[0]` : name));
    expect(params(refusals[0]?.body)).toEqual(fields);
    expect(params(refusals[1]?.body)).toEqual(Object.keys(beyond));
    expect(await api.database.apiKey.count()).toBe(before);
  });

  it('is named in the audit log with what it did, and the log has no secret', async () => {
    const { id, key } = (await make({ name: 'a' })).body.data;
    await patch(id, { name: 'b', quota: 1 });
    await revoke(id);
    const entries = await api.database.auditLogEntry.findMany({ where: { subject: id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ actor, action }) => [actor, action])).toEqual(
      ['key.create', 'key.update', 'key.revoke'].map((action) => [`key:${manager.keyId}`, action]),
    );
    expect(entries[1]?.detail).toMatchObject({
      before: { name: 'a', quota: null },
      after: { name: 'b', quota: '1000000000' },
    });
    expect(JSON.stringify(entries.map(({ detail }) => detail))).not.toContain(key.slice(-64));
  });

  it('makes one key by any number of requests with one Idempotency-Key, which one answer alone shows', async () => {
    const send = (body: object) =>
      api.post('/v1/keys', body, { key: manager.key, headers: { 'idempotency-key': 'website' } });
    const answers = await Promise.all(Array.from({ length: 4 }, () => send({ name: 'website' })));
    const late = await send({ name: 'website' });
    const [shown, ...others] = [...answers, late].toSorted(
      (a, b) => Number('key' in b.body.data) - Number('key' in a.body.data),
    );
    const { key, ...record } = shown?.body.data ?? {};
    expect(key).toContain(record.id);
    expect(others.map(({ status, headers, body }) => [status, headers.get('idempotency-replayed'), body.data])).toEqual(
      Array(4).fill([200, 'true', record]),
    );
    expect(shown?.headers.get('idempotency-replayed')).toBeNull();
    const other = await send({ name: 'shop' });
    expect([other.status, other.body.error.reason]).toEqual([409, 'idempotency_conflict']);
    // Whoever lost the answer that showed it ends that key, and makes another.
    expect((await revoke(record.id)).status).toBe(200);
    const change = (name: string) =>
      api.post(
        `/v1/keys/${made.id}`,
        { name },
        { key: manager.key, method: 'PATCH', headers: { 'idempotency-key': 'b' } },
      );
    const made = (await make({ name: 'a' })).body.data;
    expect((await change('b')).body.data.name).toBe('b');
    await patch(made.id, { name: 'c' });
    expect((await change('b')).body.data.name).toBe('c');
  });

  it('gives a scope that it has itself: `own` unless it says `account`, and never more', async () => {
    expect((await make({})).body.data.scope).toBe('own');
    const { id } = (await make({ scope: 'account' })).body.data;
    expect((await patch(id, { scope: 'own' })).body.data.scope).toBe('own');
    expect((await patch(id, { scope: 'account' })).body.data.scope).toBe('account');
    const narrow = await api.createCaller({ canManage: true, scope: 'own' });
    for (const asked of [make({ scope: 'account' }, narrow.key), make({ scope: 'all' })]) {
      expect(params((await asked).body)).toEqual(['scope']);
    }
    const own = (await make({}, narrow.key)).body.data;
    expect(params((await patch(own.id, { scope: 'account' }, narrow.key)).body)).toEqual(['scope']);
    const sibling = await api.createCaller({ accountId: narrow.accountId });
    expect((await patch(sibling.keyId, { name: 'mine' }, narrow.key)).status).toBe(404);
    const listed = await api.get('/v1/keys', { key: narrow.key });
    expect(listed.body.data.map((key: { id: string }) => key.id).sort()).toEqual([narrow.keyId, own.id].sort());
  });

  it('narrows what it has made when its own scope is narrowed', async () => {
    const owner = await api.createCaller({ canManage: true });
    const { id } = (await make({ scope: 'account' }, owner.key)).body.data;
    await changeKey(api.database, { id: owner.keyId, settings: { scope: 'own' } }, { actor: 'cli:test' });
    const billing = await api.createOperator('billing');
    expect((await api.get(`/admin/v1/keys?id=${id}`, { key: billing })).body.data).toMatchObject([{ scope: 'own' }]);
  });

  it('makes keys of the scope `account` where it stands for an owner', async () => {
    const owner = await api.createCaller({ canManage: true });
    await standsForUser(owner.accountId, owner.keyId);
    expect((await make({}, owner.key)).body.data.scope).toBe('account');
    expect((await make({ scope: 'own' }, owner.key)).body.data.scope).toBe('own');
  });

  it("says what is used and left of its quota and its maker's, and refuses one below what is used", async () => {
    const maker = await api.createCaller({ canManage: true, quotaNano: 3_000_000_000n });
    const { id, key } = (await make({ quota: 1 }, maker.key)).body.data;
    const task = (await api.post('/v1/images/generations', SMALL_IMAGE, { key })).body.data[0].task_id;
    const { reservedNano } = await api.database.task.findUniqueOrThrow({ where: { id: task } });
    const used = Number(reservedNano) / 1e9;
    const { data } = (await api.get('/v1/keys', { key: maker.key })).body;
    const records = data.map((key: { quota_used: number; quota_left: number }) => [key.quota_used, key.quota_left]);
    expect(records).toEqual([
      [used, expect.closeTo(1 - used, 9)],
      [used, expect.closeTo(3 - used, 9)],
    ]);
    const refused = await patch(id, { quota: 0 }, maker.key);
    expect([refused.status, refused.body.error]).toMatchObject([400, { param: 'quota' }]);
    expect(refused.body.error.message).toBe(`quota must be at least ${used}, which the key has spent and reserved`);
  });

  it('403: changes no key that it did not make, itself included, and none that it made manages', async () => {
    const { accountId } = manager;
    const other = await api.createCaller({ accountId });
    for (const { keyId } of [manager, other]) {
      const answers = [await patch(keyId, { quota: 1 }), await revoke(keyId)];
      for (const { status, body } of answers) {
        expect([status, body.error.reason]).toEqual([403, 'key_not_permitted']);
      }
    }
    const { key } = (await make({})).body.data;
    expect(await make({}, key)).toMatchObject({ status: 403, body: { error: { reason: 'key_not_permitted' } } });
  });

  it('changes and revokes every key of its account but those of users, where it stands for an owner', async () => {
    const owner = await api.createCaller({ canManage: true, name: 'console: kim@customer.example' });
    const other = await api.createCaller({ accountId: owner.accountId, name: 'console: alex@customer.example' });
    for (const { keyId } of [owner, other]) await standsForUser(owner.accountId, keyId);
    const own = await make({ name: 'made by the owner' }, owner.key);
    const issued = await api.createCaller({ accountId: owner.accountId, canManage: true });
    const made = await make({ name: 'made by a key' }, issued.key);
    for (const id of [own.body.data.id, made.body.data.id, issued.keyId]) {
      expect((await patch(id, { quota: 7 }, owner.key)).body).toMatchObject({ code: 200, data: { id, quota: 7 } });
      expect((await revoke(id, owner.key)).body.data.revoked_at).toEqual(expect.any(Number));
    }
    for (const id of [owner.keyId, other.keyId]) {
      expect((await patch(id, { quota: 7 }, owner.key)).body.error.reason).toBe('key_not_permitted');
      expect((await revoke(id, owner.key)).body.error.reason).toBe('key_not_permitted');
    }
    expect((await patch(manager.keyId, { quota: 7 }, owner.key)).status).toBe(404);
  });

  it('409: makes no more keys than an account may have', async () => {
    const owner = await api.createCaller({ canManage: true });
    const { accountId } = owner;
    await api.database.apiKey.createMany({
      data: Array.from({ length: MAX_KEYS_OF_ACCOUNT - 1 }, (_, index) => ({
        id: `full${String(index).padStart(8, '0')}`,
        accountId,
        secretHash: new Uint8Array(32),
        lastFour: '0000',
      })),
    });
    expect(await make({}, owner.key)).toMatchObject({ status: 409, body: { error: { reason: 'too_many_keys' } } });
    const billing = await api.createOperator('billing');
    const issued = await api.post('/admin/v1/keys', { account_id: accountId }, { key: billing });
    expect(issued).toMatchObject({ status: 409, body: { error: { reason: 'too_many_keys' } } });
  });

  it('429: leaves no more entries in the audit log than the keys of one account may on a day, whatever they change', async () => {
    const owner = await api.createCaller({ canManage: true });
    const { accountId, key } = owner;
    const child = (await make({}, key)).body.data.id;
    const today = { owner: `changes:${accountId}` };
    await api.database.storageUsage.update({ where: today, data: { dayFiles: PER_DAY.changes - 1 } });
    const again = { headers: { 'Idempotency-Key': 'once' } };
    const last = await api.post(`/v1/keys/${child}`, { name: 'last' }, { key, method: 'PATCH', ...again });
    expect(last.status).toBe(200);
    const entries = await api.database.auditLogEntry.count();
    const refused = [
      await patch(child, { name: 'one more' }, key),
      await make({}, key),
      await api.post('/v1/webhooks/secret/rotate', { overlap_seconds: 0 }, { key }),
      await api.post('/v1/notices/targets', { medium: 'webhook', address: 'https://example.com/n' }, { key }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(await api.database.auditLogEntry.count()).toBe(entries);
    // A redelivery, which every key may ask for, does not count against the changes that the account may make.
    expect((await api.post('/v1/webhooks/redeliver', { state: 'exhausted' }, { key })).status).toBe(202);
    // A key that got out can be ended at any time, whatever was done with it.
    const spare = (await api.createCaller({ accountId, makerId: owner.keyId })).keyId;
    expect((await revoke(spare, key)).status).toBe(200);
    // A repetition changes nothing, and is answered.
    expect((await api.post(`/v1/keys/${child}`, { name: 'last' }, { key, method: 'PATCH', ...again })).status).toBe(
      200,
    );
    await api.database.storageUsage.update({ where: today, data: { day: new Date(Date.now() - 86_400_000) } });
    expect((await patch(child, { name: 'tomorrow' }, key)).status).toBe(200);
  });

  it('401: makes none once it is revoked, though it was let in a moment ago', async () => {
    const owner = await api.createCaller({ canManage: true });
    await make({}, owner.key);
    await endKey(api.database, owner.keyId, { actor: 'cli:test' });
    expect(await make({}, owner.key)).toMatchObject({ status: 401, body: { error: { reason: 'key_revoked' } } });
  });
});

describe('a key that another made', () => {
  it('is revoked with it for reads and submissions, while its tasks go on and so do the keys of other makers', async () => {
    const { accountId, ...owner } = await api.createCaller({ canManage: true });
    const other = await api.createCaller({ canManage: true, accountId });
    const [worked, ended, stays] = await Promise.all([make({}, owner.key), make({}, owner.key), make({}, other.key)]);
    const submit = ({ body }: typeof worked, query = '') =>
      api.post(`/v1/images/generations${query}`, SMALL_IMAGE, { key: body.data.key });
    const answers = async (key: typeof worked) =>
      Promise.all([
        submit(key),
        submit(key, '?dry_run=true'),
        api.get('/v1/balance', { key: key.body.data.key }),
        api.get('/v1/tasks', { key: key.body.data.key }),
      ]);
    const [{ task_id: id }] = (await submit(worked)).body.data;
    await endKey(api.database, owner.keyId, { actor: 'cli:test' });
    const refused = { status: 401, body: { error: { reason: 'key_revoked' } } };
    expect(await answers(ended)).toMatchObject([refused, refused, refused, refused]);
    expect((await answers(stays)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await api.database.task.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'submitted' });
  });

  it('is refused with it, and limited with it', async () => {
    const owner = await api.createCaller({ canManage: true });
    const { key } = (await make({ families: ['image', 'video'] }, owner.key)).body.data;
    await changeKey(api.database, { id: owner.keyId, settings: { families: ['video'] } }, { actor: 'cli:test' });
    expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key })).status).toBe(403);
    const ended = (await make({}, owner.key)).body.data;
    await changeKey(api.database, { id: owner.keyId, settings: { expiresAt: new Date(1) } }, { actor: 'cli:test' });
    const refused = await api.get('/v1/balance', { key: ended.key });
    expect(refused).toMatchObject({ status: 401, body: { error: { reason: 'key_expired' } } });
  });

  it('ends a key at its time, with an answer that says so', async () => {
    const { key } = await api.createCaller({ expiresAt: new Date(Date.now() - 1) });
    expect(await api.get('/v1/balance', { key })).toMatchObject({
      status: 401,
      body: { error: { type: 'authentication_error', reason: 'key_expired' } },
    });
  });

  it('is let in under the pepper before, and hashed anew under the present one', async () => {
    const { id, key } = (await make({})).body.data;
    const [secret = ''] = key.split('_').slice(-1);
    const stored = (pepper: string) => Buffer.from(hashSecret(pepper, secret));
    await api.database.apiKey.update({ where: { id }, data: { secretHash: stored(FORMER_PEPPER) } });
    expect((await api.get('/v1/balance', { key })).status).toBe(200);
    await until(async () => {
      const { secretHash } = await api.database.apiKey.findUniqueOrThrow({ where: { id } });
      return stored(PEPPER).equals(secretHash) || undefined;
    }, 'its hash is renewed');
  });

  it('is shown with the time of its last use', async () => {
    const { id, key } = (await make({})).body.data;
    await api.get('/v1/balance', { key });
    const lastUsed = async () => {
      const { body } = await api.get('/v1/keys?limit=100', { key: manager.key });
      return body.data.find((each: { id: string }) => each.id === id).last_used_at;
    };
    expect(await until(async () => (await lastUsed()) ?? undefined, 'its use is noted')).toEqual(expect.any(Number));
  });
});

describe('a test key', () => {
  const IMAGES = '/v1/images/generations';
  const testCaller = (options = {}) => api.createCaller({ isTest: true, balance: '0', ...options });

  it('books free tasks, which say that they are tests and are no usage', async () => {
    const { key, accountId } = await testCaller();
    expect(key).toMatch(/^mg_test_/);
    const { body } = await api.post(IMAGES, { ...SMALL_IMAGE, max_cost: 0.001 }, { key });
    const taskId = body.data[0].task_id;
    const record = await api.get(`/v1/tasks/${taskId}`, { key });
    expect(record.body.data).toMatchObject({ test: true, reserved: 0, cost: 0 });
    const ledger = await api.get('/v1/ledger', { key });
    expect(ledger.body.data).toMatchObject([{ kind: 'hold', amount: 0, task_id: taskId, test: true }]);
    expect((await api.get('/v1/usage', { key })).body.total.tasks).toBe(0);
    expect(await api.database.task.findMany({ where: { accountId } })).toMatchObject([{ isTest: true }]);
    const estimate = await api.post('/v1/estimate', { path: IMAGES, body: SMALL_IMAGE }, { key });
    expect(estimate.body.data).toMatchObject({ reserved: 0, affordable: true });
    const models = await api.get('/models/imagegen-2', { key });
    expect(models.status).toBe(200);
  });

  it('429: submits no more free tasks than an account may on a day, whichever of its keys does', async () => {
    const { key, accountId } = await testCaller();
    const counted = { owner: `tests:${accountId}`, day: new Date(), dayFiles: PER_DAY.tests - 1 };
    await api.database.storageUsage.create({ data: counted });
    expect((await api.post(IMAGES, SMALL_IMAGE, { key })).status).toBe(200);
    const sibling = await testCaller({ accountId });
    const refused = await api.post(IMAGES, SMALL_IMAGE, { key: sibling.key });
    expect(refused).toMatchObject({ status: 429, body: { error: { reason: 'rate_limited' } } });
    expect(await api.database.task.count({ where: { accountId } })).toBe(1);
  });

  it('is none without its mark, and a live key is none with it', async () => {
    const [test, other] = [await testCaller(), await api.createCaller()];
    const swapped = [test.key.replace('mg_test_', 'mg_'), other.key.replace('mg_', 'mg_test_')];
    for (const key of swapped) expect((await api.get('/v1/balance', { key })).status).toBe(401);
  });

  it('works on tasks of tests alone, and no live key on these', async () => {
    const test = await testCaller();
    const other = await api.createCaller({ accountId: test.accountId });
    await topUp(api.database, { accountId: test.accountId, amountNano: 1_000_000_000n });
    const grids: string[] = [];
    for (const [{ key }, channelId] of [
      [test, 'test-imgtool'],
      [other, 'imgtool'],
    ] as const) {
      const { body } = await api.post('/v1/imgtool/generations', { prompt: 'a fox' }, { key });
      grids.push(body.data[0].task_id);
      const at = { channelId, protocol: 'midjourney-proxy' };
      await finishImgtool(api, body.data[0].task_id, GRID, { costNano: 0n, at });
    }
    const [ofTest, ofOther] = grids;
    const upscale = async (key: string, taskId = '') =>
      (await api.post('/v1/imgtool/generations/upscale', { task_id: taskId, index: 1 }, { key })).status;
    expect([await upscale(test.key, ofTest), await upscale(other.key, ofOther)]).toEqual([200, 200]);
    expect([await upscale(test.key, ofOther), await upscale(other.key, ofTest)]).toEqual([400, 400]);
    const refused = await api.post('/mj/submit/change', { taskId: ofOther, action: 'UPSCALE', index: 1 }, test);
    expect(refused.body.code).not.toBe(1);
  });

  it.each([
    [IMAGES, 'image'],
    ['/v1/audio/speech', 'tts'],
    ['/v1beta/models/text-2.5-flash:generateContent', 'text'],
    ['/openai/v1/chat/completions', 'text'],
    ['/v1/imgtool/generations', 'imgtool'],
  ])(
    'POST %s is refused where no channel of tests serves the family, by a reason that says so',
    async (path, family) => {
      const { key } = await testCaller();
      api.configure({ served: [] });
      try {
        const { status, body } = await api.post(path, {}, { key });
        expect(status).toBe(400);
        expect(JSON.stringify(body)).toContain(`no test channel for the ${family} family`);
        expect(JSON.stringify(body)).toContain('test_unavailable');
      } finally {
        api.configure({});
      }
    },
  );

  it('is made by a key that manages, and makes no live keys itself', async () => {
    const { key, id, mode } = (await make({ mode: 'test' })).body.data;
    expect([key, mode]).toEqual([expect.stringMatching(/^mg_test_/), 'test']);
    expect((await patch(id, { mode: 'live' })).status).toBe(400);
    const owner = await testCaller({ canManage: true });
    expect((await make({ mode: 'live' }, owner.key)).body.data.mode).toBe('test');
  });
});
