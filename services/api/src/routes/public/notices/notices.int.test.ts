import { reportReach, watchNotices } from '@mediagate/notices';
import { forAllTests, runSql } from '@mediagate/testkit';
import { type Caller, startTestApi } from '../../../../test/test-api';

let holder: Caller;
let admin: string;

const api = forAllTests(startTestApi);
beforeAll(async () => {
  holder = await api.createCaller({ canManage: true });
  admin = await api.createOperator('admin');
});

const SIDES = [
  ['holders', '/v1/notices', () => holder.key],
  ['operators', '/admin/v1/notices', () => admin],
] as const;
const WEBHOOK = { medium: 'webhook', address: 'https://example.com/notices?tenant=7' };
const SHOWN = { ...WEBHOOK, address: 'https://example.com/…' };

const post = (path: string, body: object, key: string, headers: Record<string, string> = {}) =>
  api.post(path, body, { key, headers });
const patch = (path: string, body: object, key: string) => api.post(path, body, { key, method: 'PATCH' });
const targetsOf = async (path: string, key: string) => (await api.get(`${path}/targets`, { key })).body.data;
const remove = (path: string, id: string, key: string) =>
  path.startsWith('/admin')
    ? post(`${path}/targets/${id}/remove`, {}, key)
    : api.get(`${path}/targets/${id}`, { key, method: 'DELETE' });

/** The field of each fault of a refused body. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came
const params = ({ error }: any): string[] => (error.errors ?? [error]).map(({ param }: { param: string }) => param);

describe.each(SIDES)('targets of %s', (side, path, keyOf) => {
  it('are made once under an idempotency key, listed, changed, tested and removed, each noted in the audit log', async () => {
    const [key, once] = [keyOf(), { 'idempotency-key': `target-of-${side}` }];
    const made = await post(`${path}/targets`, { ...WEBHOOK, kinds: ['low_balance'], language: 'de' }, key, once);
    expect(made.status).toBe(201);
    const { id, secret, ...target } = made.body.data;
    expect(target).toEqual({
      ...SHOWN,
      kinds: ['low_balance'],
      language: 'de',
      created: expect.any(Number),
      reachable: true,
      last_message: null,
    });
    expect(typeof secret).toBe(side === 'operators' ? 'string' : 'undefined');
    const again = await post(`${path}/targets`, { ...WEBHOOK, kinds: ['low_balance'], language: 'de' }, key, once);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body.data).toEqual({ id, ...target });
    expect(await targetsOf(path, key)).toEqual([{ id, ...target }]);

    const changed = await patch(`${path}/targets/${id}`, { kinds: [] }, key);
    expect([changed.status, changed.body.data]).toEqual([200, { id, ...target, kinds: [] }]);
    expect((await patch(`${path}/targets/${id}`, { language: 'fr' }, key)).body.data).toMatchObject({
      kinds: [],
      language: 'fr',
    });
    expect((await patch(`${path}/targets/${id}`, { address: 'https://other.example' }, key)).status).toBe(400);
    expect((await patch(`${path}/targets/target_none`, { kinds: [] }, key)).status).toBe(404);

    const tested = await post(`${path}/targets/${id}/test`, {}, key);
    expect([tested.status, tested.body.data.last_message]).toMatchObject([202, { state: 'pending', reason: null }]);
    const tooSoon = await post(`${path}/targets/${id}/test`, {}, key);
    expect([tooSoon.status, tooSoon.headers.get('retry-after')]).toEqual([429, '10']);

    expect((await remove(path, id, key)).body).toEqual({ code: 200, data: { id } });
    expect(await targetsOf(path, key)).toEqual([]);
    expect((await remove(path, id, key)).status).toBe(404);
    expect((await post(`${path}/targets/${id}/test`, {}, key)).status).toBe(404);
    const log = (await api.get(`/admin/v1/actions?subject=${id}`, { key: admin })).body.data;
    expect(log.map(({ action }: { action: string }) => action)).toEqual([
      'notice_target.remove',
      'notice_target.test',
      'notice_target.update',
      'notice_target.update',
      'notice_target.add',
    ]);
    expect(JSON.stringify(log)).not.toMatch(/tenant=7|whsec_/);
  });

  it.each(['slack', 'webhook'])('of medium %s show no more than where they are', async (medium) => {
    const address = 'https://hooks.slack.example/services/T0/B0/secret';
    const { body } = await post(`${path}/targets`, { medium, address }, keyOf());
    expect(body.data.address).toBe('https://hooks.slack.example/…');
    expect(JSON.stringify(await targetsOf(path, keyOf()))).not.toContain('secret');
    await remove(path, body.data.id, keyOf());
  });

  it.each([
    ['no medium', { address: 'https://example.com' }, ['medium']],
    ['no address', { medium: 'slack' }, ['address']],
    ['an address that is none', { ...WEBHOOK, address: 'ftp://example.com' }, ['address']],
    ['an address of two', { medium: 'email', address: 'a@example.com,b@example.com' }, ['address']],
    ['a kind that there is not', { ...WEBHOOK, kinds: ['weather'] }, ['kinds[0]']],
    ['another language', { ...WEBHOOK, language: 'xx' }, ['language']],
    ['a field of somebody else', { ...WEBHOOK, colour: 'red' }, ['colour']],
  ])('400: with %s', async (_what, body, wrong) => {
    const answer = await post(`${path}/targets`, body, keyOf());
    expect([answer.status, params(answer.body)]).toEqual([400, wrong]);
  });

  it('400: that nobody can reach who sends notices here', async () => {
    const refused = async (body: object) => {
      const answer = await post(`${path}/targets`, body, keyOf());
      return [answer.status, params(answer.body)];
    };
    const rules = { allowPorts: [443], allowPrivateCidrs: ['10.0.0.0/8'], allowOrigins: ['http://127.0.0.1:8065'] };
    await reportReach(api.database, { ...rules, hasMail: false, ownHosts: ['gateway.example'] });
    expect(await refused({ medium: 'email', address: 'kim@studio.example' })).toEqual([400, ['medium']]);
    for (const address of ['http://127.0.0.1/', 'https://192.168.1.1/', 'https://localhost/', 'slack://hooks'])
      for (const medium of ['webhook', 'slack']) expect(await refused({ medium, address })).toEqual([400, ['address']]);
    await runSql(api.database, 'update notice_settings set reach = null');
  });

  it('409: makes no more targets than an owner may have', async () => {
    for (let index = 0; index < 10; index += 1) await post(`${path}/targets`, WEBHOOK, keyOf());
    const { status, body } = await post(`${path}/targets`, WEBHOOK, keyOf());
    expect([status, body.error.reason]).toEqual([409, 'too_many_targets']);
    for (const { id } of await targetsOf(path, keyOf())) await remove(path, id, keyOf());
  });
});

it('takes a target of operators at an origin that they have named for it', async () => {
  const rules = { allowPorts: [443], allowPrivateCidrs: [], allowOrigins: ['http://127.0.0.1:8065'] };
  await reportReach(api.database, { ...rules, hasMail: true, ownHosts: [] });
  const taken = async (body: object) => (await post('/admin/v1/notices/targets', body, admin)).body.data;
  const made = [
    await taken({ medium: 'slack', address: 'http://127.0.0.1:8065/hooks/1' }),
    await taken({ medium: 'email', address: 'operators@example.com' }),
  ];
  expect(made).toMatchObject([{ medium: 'slack' }, { medium: 'email' }]);
  for (const { id } of made) await remove('/admin/v1/notices', id, admin);
  await runSql(api.database, 'update notice_settings set reach = null');
});

describe('a target of an account', () => {
  it('400: is no address that callbacks may not go to, and no kind that is for operators', async () => {
    const [blocked, kind] = [
      await post('/v1/notices/targets', { ...WEBHOOK, address: 'http://127.0.0.1/' }, holder.key),
      await post('/v1/notices/targets', { ...WEBHOOK, kinds: ['audit_violation'] }, holder.key),
    ];
    expect([blocked.status, params(blocked.body)]).toEqual([400, ['address']]);
    expect([kind.status, params(kind.body)]).toEqual([400, ['kinds[0]']]);
  });

  it('is a mailbox only of a user for whom a provider has vouched, not of one who joined by an owner’s invitation', async () => {
    const mailbox = { medium: 'email', address: 'Kim@Studio.example' };
    await runSql(
      api.database,
      `insert into users (id, email, name, kind, role, account_id, last_signed_in_at)
        values ('usr_kim', 'kim@studio.example', 'Kim', 'account', 'owner', $1, now())`,
      [holder.accountId],
    );
    const { status, body } = await post('/v1/notices/targets', mailbox, holder.key);
    expect([status, body.error.message]).toEqual([
      400,
      'address must be the e-mail address of a user of this account who has signed in by OpenID Connect',
    ]);
    await runSql(api.database, "update users set identity = 'https://id.example 7' where id = 'usr_kim'", []);
    const made = await post('/v1/notices/targets', mailbox, holder.key);
    expect(made.body.data).toMatchObject({ address: 'kim@studio.example', reachable: true });
    const other = await post('/v1/notices/targets', mailbox, holder.key);
    const test = async ({ data }: { data: { id: string } }) =>
      (await post(`/v1/notices/targets/${data.id}/test`, {}, holder.key)).status;
    expect([await test(made.body), await test(other.body)]).toEqual([202, 429]);
    await remove('/v1/notices', other.body.data.id, holder.key);
    await runSql(api.database, "update users set disabled_at = now() where id = 'usr_kim'", []);
    expect(await targetsOf('/v1/notices', holder.key)).toMatchObject([{ id: made.body.data.id, reachable: false }]);
    await remove('/v1/notices', made.body.data.id, holder.key);
  });

  it('404: is nobody else’s to test or to remove', async () => {
    const { id } = (await post('/v1/notices/targets', WEBHOOK, holder.key)).body.data;
    const stranger = await api.createCaller({ canManage: true });
    expect(await targetsOf('/v1/notices', stranger.key)).toEqual([]);
    expect((await post(`/v1/notices/targets/${id}/test`, {}, stranger.key)).status).toBe(404);
    expect((await remove('/v1/notices', id, stranger.key)).status).toBe(404);
    expect((await remove('/admin/v1/notices', id, admin)).status).toBe(404);
    await remove('/v1/notices', id, holder.key);
  });
});

describe('settings', () => {
  const DEFAULTS = {
    low_balance: 1,
    key_quota_percents: [80, 95],
    callbacks_failed: 5,
    repeat_minutes: 1440,
    quiet_minutes: 60,
    set: [],
  };

  it('are the account’s own, else those of operators, else the defaults', async () => {
    const own = async () => (await api.get('/v1/notices/settings', { key: holder.key })).body.data;
    expect(await own()).toEqual(DEFAULTS);
    const byOperators = { low_balance: 20.5, key_quota_percents: [90, 50, 90], channel_minutes: 5 };
    const set = await patch('/admin/v1/notices/settings', { ...byOperators, reason: 'a try' }, admin);
    expect(set.body.data).toEqual({
      ...DEFAULTS,
      low_balance: 20.5,
      key_quota_percents: [50, 90],
      channel_minutes: 5,
      set: ['low_balance', 'key_quota_percents', 'channel_minutes'],
    });
    expect(await own()).toEqual({ ...DEFAULTS, low_balance: 20.5, key_quota_percents: [50, 90] });
    const mine = await patch('/v1/notices/settings', { low_balance: 0, repeat_minutes: 0 }, holder.key);
    expect(mine.body.data).toMatchObject({ low_balance: 0, repeat_minutes: 0, set: ['low_balance', 'repeat_minutes'] });
    await patch('/v1/notices/settings', { low_balance: null, repeat_minutes: null }, holder.key);
    const none = { low_balance: null, key_quota_percents: null, channel_minutes: null };
    await patch('/admin/v1/notices/settings', none, admin);
    expect(await own()).toEqual(DEFAULTS);
    const { body } = await api.get('/admin/v1/actions?action=notice_settings.update', { key: admin });
    expect(body.data).toHaveLength(4);
    expect(body.data[3]).toMatchObject({
      subject: 'operators',
      reason: 'a try',
      before: { low_balance: null, channel_minutes: null },
      after: { low_balance: 20.5, key_quota_percents: [50, 90], channel_minutes: 5 },
    });
  });

  it.each([
    [{ low_balance: -1 }, 'low_balance'],
    [{ key_quota_percents: [] }, 'key_quota_percents'],
    [{ key_quota_percents: [101] }, 'key_quota_percents'],
    [{ callbacks_failed: 0 }, 'callbacks_failed'],
    [{ repeat_minutes: 1.5 }, 'repeat_minutes'],
    [{ quiet_minutes: 0 }, 'quiet_minutes'],
    [{ channel_minutes: 1 }, 'channel_minutes'],
  ])('400: takes no %j of an account', async (body, param) => {
    const answer = await patch('/v1/notices/settings', body, holder.key);
    expect([answer.status, params(answer.body)]).toEqual([400, [param]]);
  });
});

describe('notices', () => {
  it('are listed for who is told, page by page, in the language of the caller', async () => {
    const poor = await api.createCaller({ canManage: true });
    await runSql(
      api.database,
      "update accounts set name = 'Studio', settled_nano = topped_up_nano - 500000000 where id = $1",
      [poor.accountId],
    );
    await watchNotices(api.database);
    const { body } = await api.get('/v1/notices?state=standing&kind=low_balance', {
      key: poor.key,
      headers: { 'accept-language': 'de' },
    });
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^notice_\d+$/),
        kind: 'low_balance',
        state: 'standing',
        subject: poor.accountId,
        account_id: poor.accountId,
        level: 0,
        since: expect.any(Number),
        ended_at: null,
        text: `Das Guthaben des Kontos Studio (${poor.accountId}) beträgt 0.5 und liegt unter 1.`,
        figures: { name: 'Studio', balance: 0.5, limit: 1 },
        reported_at: expect.any(Number),
      },
    ]);
    expect((await api.get('/v1/notices', { key: holder.key })).body.data).toEqual([]);
    const ofAccount = await api.get(`/admin/v1/notices?account_id=${poor.accountId}&limit=1`, { key: admin });
    expect(ofAccount.body).toMatchObject({ data: [{ subject: poor.accountId }], has_more: false });
    expect((await api.get('/v1/notices?state=resolved', { key: poor.key })).body.data).toEqual([]);
    expect((await api.get('/v1/notices?kind=channel_sick', { key: poor.key })).status).toBe(400);
  });
});
