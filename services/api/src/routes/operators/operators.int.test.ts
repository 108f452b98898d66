import { audit, auditByClock, auditOnRequest, createFinisher, taskError } from '@mediagate/billing';
import { newTaskId, OPERATOR_ROLES, type OperatorRole, type TaskId } from '@mediagate/contracts';
import { hashSecret, listOperators, revokeOperator } from '@mediagate/identity';
import { forAllTests, prismaOf, testRedisUrl } from '@mediagate/testkit';
import { Redis } from 'ioredis';
import { OPERATIONS } from '../../../test/shared/operations';
import { FORMER_PEPPER, PEPPER, SMALL_IMAGE, startTestApi } from '../../../test/test-api';
import { fileOf, pngOf } from '../../../test/test-images';

const tokens = {} as Record<OperatorRole, string>;

const api = forAllTests(startTestApi);
beforeAll(async () => {
  for (const role of OPERATOR_ROLES) tokens[role] = await api.createOperator(role);
});
afterEach(async () => {
  expect(await audit(api.database)).toEqual([]);
});

interface Options {
  role?: OperatorRole;
  /** Idempotency-Key. */
  once?: string;
}

const get = (path: string, role: OperatorRole = 'read') => api.get(`/admin/v1${path}`, { key: tokens[role] });
const post = (path: string, body: object, { role = 'admin', once }: Options = {}) =>
  api.post(`/admin/v1${path}`, body, {
    key: tokens[role],
    ...(once === undefined ? {} : { headers: { 'idempotency-key': once } }),
  });

async function newAccount(name = 'Studio'): Promise<string> {
  return (await post('/accounts', { name })).body.data.id;
}
const entriesOf = (accountId: string) => api.database.ledgerEntry.count({ where: { accountId } });

describe('an operator’s token', () => {
  it('401: is needed, and an API key is none', async () => {
    const { key } = await api.createCaller();
    const forged = `${tokens.admin.slice(0, -1)}${tokens.admin.endsWith('0') ? '1' : '0'}`;
    for (const offered of [undefined, key, forged, 'mgo_unknown'])
      expect((await api.get('/admin/v1/operator', offered === undefined ? {} : { key: offered })).status).toBe(401);
    expect((await api.get('/v1/balance', { key: tokens.admin })).status).toBe(401);
  });

  it('200: says whose it is, and when it was used is kept', async () => {
    const { body } = await get('/operator', 'support');
    expect(body).toEqual({ code: 200, data: { id: expect.any(String), name: 'of support', role: 'support' } });
    const mine = (await listOperators(api.database)).find(({ id }) => id === body.data.id);
    expect(mine).toMatchObject({ role: 'support', lastUsedAt: expect.any(Date), revokedAt: null });
  });

  it('200: counts under the pepper before, and is hashed anew under the present one', async () => {
    const token = await api.createOperator('read');
    const [, id = '', secret = ''] = token.split('_');
    const stored = (pepper: string) => Buffer.from(hashSecret(pepper, secret));
    await api.database.operatorToken.update({ where: { id }, data: { secretHash: stored(FORMER_PEPPER) } });
    expect((await api.get('/admin/v1/operator', { key: token })).status).toBe(200);
    const { secretHash } = await api.database.operatorToken.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(secretHash)).toEqual(stored(PEPPER));
  });

  it('401: counts no more from the moment it is revoked', async () => {
    const token = await api.createOperator('read');
    const { body } = await api.get('/admin/v1/operator', { key: token });
    expect(await revokeOperator(api.database, body.data.id, { actor: 'test' })).toBe(true);
    expect((await api.get('/admin/v1/operator', { key: token })).status).toBe(401);
    expect(await revokeOperator(api.database, body.data.id, { actor: 'test' })).toBe(false);
  });

  it('429: attempts without one share the limit of refusals', async () => {
    const attempts = Array.from({ length: 300 }, () => api.get('/admin/v1/operator'));
    const statuses = new Set((await Promise.all(attempts)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([401, 429]);
    // Whoever has a token is let in all the same.
    expect((await get('/operator')).status).toBe(200);
  });

  it('429: has limits of its own, which its answers say', async () => {
    const token = await api.createOperator('support');
    const ask = () => api.get('/admin/v1/operator', { key: token });
    const { headers, body } = await ask();
    expect(['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`))).toEqual(['3000', '2999']);
    // Sets the counter as after a minute's worth of reads.
    const redis = new Redis(testRedisUrl());
    const owner = `operator:${body.data.id}`;
    await redis.incrby(`${api.redisPrefix}:rate:query:{${owner}}:${owner}:minute`, 2999);
    redis.disconnect();
    // Requests pass as long as the process may believe that the limit is far away; its counts behind them correct that.
    let refused = await ask();
    for (let asked = 1; refused.status === 200 && asked < 200; asked += 1) refused = await ask();
    expect([refused.status, refused.body.error.reason]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.post('/admin/v1/audits', {}, { key: token })).headers.get('ratelimit-limit')).toBe('1200');
    await auditOnRequest(api.database);
  });
});

describe('a change', () => {
  it('is in the log with who, what, before, after and why, in its own statement', async () => {
    const id = await newAccount();
    await post(`/accounts/${id}/top-up`, { amount: 2.5, reason: 'paid by wire' }, { role: 'billing' });
    const { data, has_more: hasMore } = (await get(`/actions?subject=${id}`)).body;
    const row = { id, name: 'Studio', held: 0, settled: 0, submit_per_minute: null, created: expect.any(Number) };
    expect(data).toMatchObject([
      {
        actor: expect.stringMatching(/^operator:[0-9a-z]{12}$/),
        action: 'account.top_up',
        subject: id,
        subject_kind: 'account',
        reason: 'paid by wire',
        before: { ...row, balance: 0 },
        after: { ...row, balance: 2.5, entry: { kind: 'top_up', amount: 2.5 } },
      },
      { action: 'account.create', reason: null, before: null, after: { ...row, balance: 0 } },
    ]);
    expect(hasMore).toBe(false);
    const first = (await get(`/actions?subject=${id}&limit=1`)).body;
    const second = (await get(`/actions?subject=${id}&limit=1&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data]).toEqual(data);
  });

  it('is found in the log by who, what, subject and time', async () => {
    const id = await newAccount();
    await post(`/accounts/${id}/suspend`, {}, { role: 'support' });
    const [suspended] = (await get(`/actions?subject=${id}`)).body.data;
    const found = async (query: string) => (await get(`/actions?${query}`)).body.data;
    const day = new Date().toISOString().slice(0, 10);
    for (const query of [
      `actor=${suspended.actor}&limit=1`,
      'action=account.suspend&limit=1',
      `subject=${id}&action=account.suspend&actor=${suspended.actor}`,
      `subject=${id}&action=account.suspend&created_after=${suspended.created}&created_before=${suspended.created + 1}`,
      `subject=${id}&action=account.suspend&created_after=${day}&created_before=${day}`,
    ])
      expect([query, await found(query)]).toEqual([query, [suspended]]);
    expect(await found(`subject=${id}&created_after=${suspended.created + 600}`)).toEqual([]);
    expect(await found(`subject=${id}&created_before=${suspended.created - 600}`)).toEqual([]);
    expect(await found(`subject=${id}&actor=nobody`)).toEqual([]);
    expect((await get('/actions?created_after=now')).body.error.param).toBe('created_after');
  });

  it('names who is behind it: a user by e-mail address, a token or key by its name, a shell by its user', async () => {
    const { keyId } = await api.createCaller();
    await api.database.apiKey.update({ where: { id: keyId }, data: { name: 'site' } });
    const operator = (await get('/operator', 'billing')).body.data;
    const subject = 'acct_named';
    const note = (actor: string) => api.database.noteAction({ actor, action: 'account.update', subject, detail: {} });
    const actors = [
      `operator:${operator.id}`,
      `key:${keyId}`,
      'cli:ada',
      'system',
      'operator:gone',
      'operator:of-desk',
    ];
    const rights = { kind: 'operator', role: 'support' } as const;
    const user = {
      id: 'usr_00named',
      email: 'desk@example.com',
      name: 'Desk',
      rights,
      identity: null,
      invitation: null,
    };
    await api.database.createUser(user, 200, { actor: 'test' });
    const credential = { credentialId: 'of-desk', credentialSecret: Buffer.of(1) };
    await api.database.user.update({ where: { id: user.id }, data: credential });
    for (const actor of [...actors, `user:${user.id}`]) await note(actor);
    const { body } = await get(`/actions?subject=${subject}`);
    expect(body.data.map((entry: { actor_name: string }) => entry.actor_name).reverse()).toEqual([
      'of billing',
      'site',
      'ada',
      null,
      null,
      'desk@example.com',
      'desk@example.com',
    ]);
  });

  it('is made once by any number of simultaneous requests under one key, and later ones answer the same', async () => {
    const id = await newAccount();
    const pay = () => post(`/accounts/${id}/top-up`, { amount: 1 }, { once: `race-${id}` });
    const answers = await Promise.all(Array.from({ length: 8 }, pay));
    expect(answers.map(({ status, body }) => [status, body.data.balance])).toEqual(Array(8).fill([200, 1]));
    await post(`/accounts/${id}/top-up`, { amount: 5 });
    expect((await pay()).body).toEqual(answers[0]?.body);
    expect(await entriesOf(id)).toBe(2);
  });

  it('409: books a payment’s reference once', async () => {
    const id = await newAccount();
    const pay = () => post(`/accounts/${id}/top-up`, { amount: 1, reference: `invoice ${id}` });
    expect((await pay()).status).toBe(200);
    const twice = await pay();
    expect([twice.status, twice.body.error.reason, twice.body.error.param]).toEqual([409, 'already_done', 'reference']);
    expect(await entriesOf(id)).toBe(1);
  });

  it('400: names all that is wrong with its body, and changes nothing', async () => {
    const id = await newAccount();
    const { status, body } = await post(`/accounts/${id}/top-up`, { amount: 0, reference: 7, colour: 'red' });
    expect(status).toBe(400);
    expect(body.error.errors.map(({ param }: { param: string }) => param)).toEqual(['amount', 'reference', 'colour']);
    for (const wrong of [{}, { amount: '1.0000000001' }, { amount: 100_000_001 }, { amount: [1] }, { amount: 1e-10 }])
      expect((await post(`/accounts/${id}/top-up`, wrong)).body.error.param).toBe('amount');
    expect((await post(`/accounts/${id}/top-up`, { amount: 1e-10 })).body.error.message).toBe(
      'amount must have at most 9 decimals',
    );
    expect(await entriesOf(id)).toBe(0);
  });
});

describe('an account', () => {
  it('201: is opened, and read', async () => {
    const { status, body } = await post('/accounts', { name: ' Studio ' }, { role: 'billing' });
    expect([status, body.data]).toMatchObject([201, { name: 'Studio', balance: 0, held: 0, settled: 0 }]);
    expect((await get(`/accounts/${body.data.id}`)).body).toEqual({ code: 200, data: body.data });
  });

  it('400: is asked for nothing by null but to lift a limit, nor is a key or a channel', async () => {
    const { accountId, keyId } = await api.createCaller();
    const change = (path: string, body: object) =>
      api.post(`/admin/v1${path}`, body, { key: tokens.admin, method: 'PATCH' });
    const nothing = { name: null, reason: null };
    const answers = [
      await change(`/accounts/${accountId}`, nothing),
      await change(`/keys/${keyId}`, { ...nothing, submit_per_minute: null, query_per_minute: null, manage: null }),
      await post('/channels/image/weigh', { weight: null }),
      await post('/attempts/att_1/resolve', { resolution: null }),
      await post('/prices', { key: null, price: null }),
      await post(`/accounts/${accountId}/top-up`, { amount: null }),
      await post('/keys', { account_id: null }),
    ];
    const wrong = answers.map(({ body }) =>
      (body.error?.errors ?? [body.error]).map((fault: { param: string }) => fault.param),
    );
    expect(wrong).toEqual([
      ['name', 'reason'],
      ['manage', 'name', 'submit_per_minute', 'query_per_minute', 'reason'],
      ['weight'],
      ['resolution'],
      ['key', 'price'],
      ['amount'],
      ['account_id'],
    ]);
  });

  it('404: is told from one that there is not', async () => {
    for (const { status, body } of [
      await get('/accounts/acct_nobody'),
      await post('/accounts/acct_nobody/top-up', { amount: 1 }),
      await post('/accounts/acct_nobody/adjust', { amount: 1, reason: 'x' }),
    ])
      expect([status, body.error.reason]).toEqual([404, 'not_found']);
  });

  it('200: is adjusted in either direction with a reason, and never below zero', async () => {
    const id = await newAccount();
    const adjust = (body: object) => post(`/accounts/${id}/adjust`, body, { role: 'billing' });
    expect((await adjust({ amount: 0, reason: 'nothing' })).body.error.param).toBe('amount');
    expect((await adjust({ amount: 3, reason: 'goodwill' })).body.data.balance).toBe(3);
    expect((await adjust({ amount: '-2.000000001', reason: 'booked twice' })).body.data.balance).toBe(0.999999999);
    const [latest] = (await get(`/accounts/${id}/ledger`)).body.data;
    expect(latest).toMatchObject({ kind: 'adjust', reason: 'booked twice', reference: null });
    const [below, silent] = [await adjust({ amount: -1, reason: 'x' }), await adjust({ amount: 1 })];
    expect([below.status, below.body.error.param]).toEqual([400, 'amount']);
    expect([silent.status, silent.body.error.param]).toEqual([400, 'reason']);
    expect(await entriesOf(id)).toBe(2);
  });
});

/** Entries that refuse a suspended or closed account; every other entry answers as ever. */
const REFUSED = [
  'announceFile completeFile createChat createEstimate createFile createImage createImgtool createKey createMusic createOpenAiImage',
  'createOpenAiSpeech createResponse createSpeech createVideo editImage editOpenAiImage generatePlainText generatePlainTextV1',
  'generateText legacyAction legacyBlend legacyChange legacyDescribe legacyEdits legacyImagine legacyModal legacyShorten legacySimpleChange legacyVideo streamPlainText',
  'streamPlainTextV1 streamText uploadImage verifyFile',
].flatMap((line) => line.split(' '));

function bodyOf(entry: string): object {
  if (entry === 'createEstimate') return { path: '/v1/images/generations', body: SMALL_IMAGE };
  if (!/upload|File/.test(entry)) return {};
  const form = new FormData();
  form.append('file', fileOf(pngOf(2, 2)), 'a.png');
  return form;
}

describe('the life of an account', () => {
  it('403: takes no work while it is suspended, in any language, and what has begun goes on', async () => {
    const caller = await api.createCaller({ balance: '100' });
    const submit = (language = 'en') =>
      api.post('/v1/images/generations', SMALL_IMAGE, { key: caller.key, headers: { 'accept-language': language } });
    const { body } = await submit();
    const suspended = await post(`/accounts/${caller.accountId}/suspend`, { reason: 'abuse' }, { role: 'support' });
    expect([suspended.status, suspended.body.data.state]).toEqual([200, 'suspended']);

    // The statement that books sees it at once, whatever this process remembers of the key.
    const refused = await submit();
    expect([refused.status, refused.body.error.reason]).toEqual([403, 'account_suspended']);
    expect(refused.body.error.message).toBe(
      'The account is suspended and takes no new tasks. Those that have begun go on.',
    );
    expect((await submit('de')).body.error.message).toMatch(/^Das Konto ist gesperrt/);
    const asked = { path: '/v1/images/generations', body: SMALL_IMAGE };
    const estimate = await api.post('/v1/estimate', asked, { key: caller.key });
    expect([estimate.status, estimate.body.error.reason]).toEqual([403, 'account_suspended']);
    const task = body.data[0].task_id;
    const finish = createFinisher(api.database);
    await finish({
      taskId: task,
      accountId: caller.accountId,
      fence: 'any',
      outcome: { kind: 'completed', costNano: 5n, result: {} },
    });
    expect((await api.get(`/v1/tasks/${task}`, { key: caller.key })).body.data.status).toBe('completed');

    expect((await post(`/accounts/${caller.accountId}/resume`, {}, { role: 'support' })).body.data.state).toBe(
      'active',
    );
    expect((await submit()).status).toBe(200);
  });

  it('403: takes nothing in once it is closed, and keeps its balance', async () => {
    const caller = await api.createCaller({ balance: '100' });
    const closed = await post(`/accounts/${caller.accountId}/close`, { reason: 'asked for' });
    expect(closed.body.data).toMatchObject({ state: 'closed', balance: 100 });
    const refused = await api.post('/v1/images/generations', SMALL_IMAGE, { key: caller.key });
    expect([refused.status, refused.body.error.reason]).toEqual([403, 'account_closed']);
    const payment = await post(`/accounts/${caller.accountId}/top-up`, { amount: 1 });
    expect([payment.status, payment.body.error.reason]).toEqual([409, 'account_closed']);
    expect((await api.get('/v1/user/balance', { key: caller.key })).body.remain_balance).toBe(100);
    const paidOut = await post(`/accounts/${caller.accountId}/adjust`, { amount: -100, reason: 'paid out' });
    expect(paidOut.body.data).toMatchObject({ state: 'closed', balance: 0 });
  });

  it.each(['suspend', 'close'])(
    '403: after %s it is refused what makes work, files or keys, and nothing else',
    async (move) => {
      const { accountId, key } = await api.createCaller({ canManage: true });
      await post(`/accounts/${accountId}/${move}`, {});
      const refused = new Set<string>();
      for (const { entry, auth, method, path } of OPERATIONS) {
        if (auth !== 'key') continue;
        const init = { method: method.toUpperCase(), key };
        const sent = path.replace(/\{\w+\}/g, 'x');
        const { body } = method === 'get' ? await api.get(sent, init) : await api.post(sent, bodyOf(entry), init);
        if (/The account is (suspended|closed)/.test(JSON.stringify(body))) refused.add(entry);
      }
      expect([...refused].sort()).toEqual(REFUSED);
    },
  );

  it('409: is not moved where its state does not lead', async () => {
    const id = await newAccount();
    const move = async (to: string) => {
      const { status, body } = await post(`/accounts/${id}/${to}`, {});
      return [status, body.data?.state ?? body.error.reason];
    };
    expect(await move('resume')).toEqual([409, 'wrong_state']);
    expect(await move('suspend')).toEqual([200, 'suspended']);
    expect(await move('suspend')).toEqual([409, 'wrong_state']);
    expect(await move('close')).toEqual([200, 'closed']);
    for (const to of ['resume', 'suspend', 'close']) expect(await move(to)).toEqual([409, 'account_closed']);
    expect((await post('/accounts/acct_nobody/suspend', {})).status).toBe(404);
  });

  it('200: is found by name, id, state and key, page by page', async () => {
    const word = `find-${Date.now()}`;
    const ids = [await newAccount(`${word} one`), await newAccount(`${word} TWO`), await newAccount(`${word} three`)];
    await post(`/accounts/${ids[0]}/suspend`, {});
    const found = async (query: string) =>
      (await get(`/accounts?${query}`)).body.data.map(({ id }: { id: string }) => id);
    const byName = [ids[0], ids[2], ids[1]];
    expect(await found(`query=${word.toUpperCase()}`)).toEqual(byName);
    expect(await found(`query=${word.slice(1)}`)).toEqual(byName);
    expect(await found(`query=${word}%25`)).toEqual([]);
    expect(await found(`query=${word}&state=suspended`)).toEqual([ids[0]]);
    expect(await found(`query=${ids[1]}`)).toEqual([ids[1]]);
    const caller = await api.createCaller();
    expect(await found(`key_id=${caller.keyId}`)).toEqual([caller.accountId]);
    const first = (await get(`/accounts?query=${word}&limit=2`)).body;
    const second = (await get(`/accounts?query=${word}&limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(byName);
    expect(await found(`query=${ids[1]?.slice(0, 20)}`)).toContain(ids[1]);
    expect(await found('state=suspended&limit=1')).toEqual([ids[0]]);
    expect([first.has_more, second.has_more]).toEqual([true, false]);
  });

  it.each(['state=open', 'cursor=x', 'colour=red'])('400: names what is wrong in ?%s', async (query) => {
    const { status, body } = await get(`/accounts?${query}`);
    expect([status, body.error.param]).toEqual([400, query.split('=')[0]]);
  });

  it('429: has limits of its own, over all its keys, that are set and lifted', async () => {
    const { accountId, key } = await api.createCaller();
    const sibling = await api.createCaller({ accountId });
    const limit = (body: object) =>
      api.post(`/admin/v1/accounts/${accountId}`, body, { key: tokens.support, method: 'PATCH' });
    const { body } = await limit({ query_per_minute: 2, name: 'Limited' });
    expect(body.data).toMatchObject({ name: 'Limited', query_per_minute: 2, submit_per_minute: null });
    const asked = [key, sibling.key, key].map((each) => api.get('/v1/balance', { key: each }));
    expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    expect((await limit({ query_per_minute: null })).body.data).toMatchObject({
      name: 'Limited',
      query_per_minute: null,
    });
    expect((await limit({ query_per_minute: 0 })).body.error.param).toBe('query_per_minute');
    expect((await limit({ name: 'Limited', reason: 'again' })).status).toBe(200);
    const updates = `/actions?subject=${accountId}&action=account.update`;
    expect((await get(updates)).body.data).toHaveLength(2);
  });
});

it('the priority class of an account is set when it is opened and later, and each change is in the log', async () => {
  const opened = await post('/accounts', { name: 'Contract', priority_class: 'high' }, { role: 'billing' });
  const { id } = opened.body.data;
  expect(opened.body.data.priority_class).toBe('high');
  const change = (body: object) => api.post(`/admin/v1/accounts/${id}`, body, { key: tokens.support, method: 'PATCH' });
  expect((await change({ priority_class: 'low', reason: 'contract ended' })).body.data.priority_class).toBe('low');
  expect((await change({ name: 'Plain' })).body.data.priority_class).toBe('low');
  expect((await change({ priority_class: 'urgent' })).body.error.param).toBe('priority_class');
  expect((await get(`/accounts/${id}`)).body.data.priority_class).toBe('low');
  const { data } = (await get(`/actions?subject=${id}&action=account.update`)).body;
  expect(data[1]).toMatchObject({
    reason: 'contract ended',
    before: { priority_class: 'high' },
    after: { priority_class: 'low' },
  });
});

it('how the results of an account are marked is changed and given back to the deployment, and each change is in the log', async () => {
  const { data: opened } = (await post('/accounts', { name: 'Marked' }, { role: 'billing' })).body;
  expect(opened).toMatchObject({ marks: null, unmarked: null });
  const change = (body: object) =>
    api.post(`/admin/v1/accounts/${opened.id}`, body, { key: tokens.support, method: 'PATCH' });
  const marks = { marks: 'signed', unmarked: 'fail' };
  expect((await change(marks)).body.data).toMatchObject(marks);
  expect((await change({ marks: null, reason: 'contract ended' })).body.data).toMatchObject({ ...marks, marks: null });
  expect((await change({ marks: 'loud' })).body.error.param).toBe('marks');
  expect((await change({ unmarked: 'drop' })).body.error.param).toBe('unmarked');
  expect((await get(`/accounts/${opened.id}`)).body.data).toMatchObject({ marks: null, unmarked: 'fail' });
  expect((await get(`/actions?subject=${opened.id}&action=account.update`)).body.data).toMatchObject([
    { reason: 'contract ended', before: { marks: 'signed' }, after: { marks: null } },
    { before: { marks: null, unmarked: null }, after: marks },
  ]);
});

describe('a task’s money', () => {
  async function chargedTask(costNano: bigint | undefined) {
    const { key, accountId } = await api.createCaller({ balance: '100' });
    const { body } = await api.post('/v1/images/generations', SMALL_IMAGE, { key });
    const id: TaskId = body.data[0].task_id;
    const outcome =
      costNano === undefined
        ? ({ kind: 'failed', error: taskError('timeout') } as const)
        : ({ kind: 'completed', costNano, result: {} } as const);
    await api.end(id, outcome);
    return { id, accountId, key };
  }
  const refund = (id: string, body: object = {}) =>
    post(`/tasks/${id}/refund`, { reason: 'the image was black', ...body }, { role: 'billing' });

  it('200: is given back by hand, and the account’s ledger says so', async () => {
    const { id, accountId, key } = await chargedTask(5_000_000n);
    const { status, body } = await refund(id);
    expect([status, body.data]).toEqual([
      200,
      { task_id: id, account_id: accountId, charged: 0.005, refunded: 0.005, balance: 100 },
    ]);
    const [entry] = (await api.get('/v1/ledger', { key })).body.data;
    expect(entry).toMatchObject({ kind: 'adjust', amount: 0.005, change: 0.005, balance_after: 100, task_id: id });
    expect((await get(`/accounts/${accountId}/ledger?limit=1`)).body.data).toEqual([
      { ...entry, reason: 'the image was black', reference: null },
    ]);
    expect((await api.get(`/v1/tasks/${id}`, { key })).body.data).toMatchObject({ status: 'completed', cost: 0.005 });
    const [noted] = (await get(`/actions?subject=${id}`)).body.data;
    expect(noted).toMatchObject({
      action: 'task.refund',
      subject_kind: 'task',
      reason: 'the image was black',
      before: { charged: 0.005, refunded: 0, balance: 99.995 },
      after: body.data,
    });
  });

  it('409 or 400: is given back once, and never more than was charged', async () => {
    const { id } = await chargedTask(5_000_000n);
    const more = await refund(id, { amount: 0.005000001 });
    expect([more.status, more.body.error.param]).toEqual([400, 'amount']);
    expect((await refund(id, { amount: 0.004 })).body.data.refunded).toBe(0.004);
    const again = await refund(id, { amount: 0.001 });
    expect([again.status, again.body.error.reason]).toEqual([409, 'already_done']);
    const [free, failed] = [await refund((await chargedTask(0n)).id), await refund((await chargedTask(undefined)).id)];
    for (const { status, body } of [free, failed]) expect([status, body.error.reason]).toEqual([409, 'wrong_state']);
    for (const unknown of [newTaskId(), 'x']) expect((await refund(unknown)).status).toBe(404);
    expect((await post(`/tasks/${id}/refund`, {})).body.error.param).toBe('reason');
  });
});

describe('a key of an account', () => {
  const change = (id: string, body: object, role: OperatorRole = 'billing') =>
    api.post(`/admin/v1/keys/${id}`, body, { key: tokens[role], method: 'PATCH' });

  it('201: is issued once, works at once, and a repetition is without it', async () => {
    const { accountId } = await api.createCaller();
    const order = { account_id: accountId, name: 'site', quota: 2.5, families: ['image'], manage: true };
    const issue = () => post('/keys', order, { role: 'billing', once: `key-${accountId}` });
    const [first, again] = [await issue(), await issue()];
    const { key, ...record } = first.body.data;
    expect([first.status, record]).toMatchObject([201, { ...order, made_by: null, last_used_at: null }]);
    expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key })).status).toBe(200);
    expect([again.headers.get('idempotency-replayed'), again.body.data]).toEqual(['true', record]);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const listed = (await get(`/keys?account_id=${accountId}&limit=1`)).body;
    expect([listed.data[0].id, listed.has_more]).toEqual([record.id, true]);
    const next = (await get(`/keys?account_id=${accountId}&limit=1&cursor=${listed.next_cursor}`)).body;
    expect([next.data.length, next.has_more]).toEqual([1, false]);
    expect((await get(`/keys?id=${record.id}`)).body.data).toMatchObject([{ id: record.id, account_id: accountId }]);
    const unused = async (since: string) =>
      (await get(`/keys?account_id=${accountId}&unused_since=${since}`)).body.data.length;
    const now = Math.floor(Date.now() / 1000);
    expect([await unused(String(now - 3600)), await unused(String(now + 3600))]).toEqual([0, 2]);
    expect(JSON.stringify((await get(`/actions?subject=${record.id}`)).body)).not.toContain(key.slice(-64));
  });

  it('200: is changed, rotated and revoked, each in the log', async () => {
    const { keyId, key } = await api.createCaller({ quotaNano: 1_000_000_000n });
    const changed = await change(keyId, { quota: null, max_concurrent: 4, models: ['imagefast-ext'], manage: true });
    expect([changed.status, changed.body.data]).toMatchObject([
      200,
      { quota: null, max_concurrent: 4, models: ['imagefast-2.5-flash-image-preview'], manage: true },
    ]);
    const rotated = await post(`/keys/${keyId}/rotate`, { reason: 'leaked' }, { role: 'billing' });
    expect(rotated.body.data.key).not.toBe(key);
    expect((await api.get('/v1/balance', { key: rotated.body.data.key })).status).toBe(200);
    const revoked = await post(`/keys/${keyId}/revoke`, {}, { role: 'support' });
    expect(revoked.body.data.revoked_at).toEqual(expect.any(Number));
    expect((await post(`/keys/${keyId}/revoke`, {})).status).toBe(404);
    expect((await change(keyId, { name: 'x' })).status).toBe(404);
    const { data } = (await get(`/actions?subject=${keyId}`)).body;
    expect(data.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual([
      'key.revoke',
      'key.rotate',
      'key.update',
    ]);
    expect(revoked.body.data).toEqual({ ...data[0].after, quota_used: 0, quota_left: null });
    expect(data[2]).toMatchObject({ before: { quota: 1, manage: false }, after: { quota: null, max_concurrent: 4 } });
  });

  it('400: has no quota below what it holds, and every wrong field is named', async () => {
    const caller = await api.createCaller({ quotaNano: 1_000_000_000n });
    await api.post('/v1/images/generations', SMALL_IMAGE, { key: caller.key });
    expect((await change(caller.keyId, { quota: 0 })).body.error).toMatchObject({ param: 'quota' });
    expect((await change(caller.keyId, { families: ['paint'] })).body.error.param).toBe('families[0]');
    expect((await change(caller.keyId, { models: ['none'] })).body.error.message).toBe(
      'models[0] must be the id or alias of a model; GET /models lists them',
    );
    expect((await change(caller.keyId, { manage: 'yes', colour: 'red' })).body.error.param).toBe('manage');
    expect((await post('/keys', { name: 'x' })).body.error.param).toBe('account_id');
    expect((await post('/keys', { account_id: 'acct_nobody' })).status).toBe(404);
  });

  it('makes none that runs more tasks at once than itself, also once it is limited', async () => {
    const maker = await api.createCaller({ canManage: true });
    const made = await api.post('/v1/keys', { max_concurrent: 9 }, { key: maker.key });
    await change(maker.keyId, { max_concurrent: 2 });
    expect((await get(`/keys?id=${made.body.data.id}`)).body.data[0].max_concurrent).toBe(2);
    for (const max_concurrent of [9, null]) {
      expect((await change(made.body.data.id, { max_concurrent })).body.data.max_concurrent).toBe(2);
    }
  });

  it('400: makes none that an operator lets make others, which its limits would not reach', async () => {
    const maker = await api.createCaller({ canManage: true });
    const made = (await api.post('/v1/keys', {}, { key: maker.key })).body.data;
    const refused = await change(made.id, { manage: true, name: 'more' });
    expect([refused.status, refused.body.error?.param]).toEqual([400, 'manage']);
    expect((await get(`/keys?id=${made.id}`)).body.data[0]).toMatchObject({ manage: false, name: '' });
    for (let time = 1; time <= 2; time += 1)
      expect((await change(made.id, { manage: false, name: 'same' })).status).toBe(200);
    expect((await get(`/actions?subject=${made.id}&action=key.update`)).body.data).toHaveLength(1);
  });
});

describe('a user of the console', () => {
  const invite = (email: string, further: object = { role: 'support' }, options: Options = {}) =>
    post('/users', { email, name: 'Kim', ...further }, options);

  const send = (method: string, path: string, body: object = {}) =>
    api.post(`/admin/v1${path}`, body, { key: tokens.admin, method });

  it('201: is invited once under an Idempotency-Key, found by what is known of them, and read', async () => {
    const account_id = await newAccount('With users');
    const made = await invite('Kim@With-Users.example', { role: 'owner', account_id }, { once: 'invite-kim' });
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { email: 'kim@with-users.example', kind: 'account', role: 'owner', account_name: 'With users', joined: false },
    ]);
    const { invitation, ...user } = made.body.data;
    expect(invitation).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.any(Number),
    });
    const again = await invite('Kim@With-Users.example', { role: 'owner', account_id }, { once: 'invite-kim' });
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([
      201,
      'true',
      { code: 201, data: user },
    ]);
    await invite('desk@with-users.example');
    const found = async (query: string) => (await get(`/users?${query}`)).body.data.map(({ email }: never) => email);
    expect(await found(`account_id=${account_id}`)).toEqual(['kim@with-users.example']);
    expect(await found('email=KIM@with&state=invited&role=owner&kind=account')).toEqual(['kim@with-users.example']);
    expect(await found(`account_id=${account_id}&state=active`)).toEqual([]);
    const { body: page } = await get('/users?limit=1');
    expect([page.data[0].email, page.has_more]).toEqual(['desk@with-users.example', true]);
    expect((await get(`/users?cursor=${page.next_cursor}`)).body.data[0]).toEqual(user);
    expect((await get(`/users/${user.id}`)).body.data).toEqual(user);
  });

  it('200: is changed, disabled, reset, signed out, invited and deleted, each with who and why in the log', async () => {
    const { id } = (await invite('changed@example.com')).body.data;
    const reason = 'a test';
    const act = (verb: string) => post(`/users/${id}/${verb}`, { reason });
    const renamed = await send('PATCH', `/users/${id}`, { role: 'read', reason });
    expect(renamed.body.data).toMatchObject({ role: 'read', name: 'Kim' });
    expect((await act('disable')).body.data.disabled_at).toEqual(expect.any(Number));
    expect((await act('invite')).body.error).toMatchObject({ reason: 'wrong_state' });
    expect((await act('enable')).body.data.disabled_at).toBeNull();
    await api.database.user.update({ where: { id }, data: { totpConfirmedAt: new Date(), passwordHash: 'a hash' } });
    await api.database.openSession({ ...SESSION, userId: id });
    expect((await post(`/users/${id}/end-sessions`, { reason }, { role: 'support' })).status).toBe(200);
    expect(await api.database.findSession(SESSION.tokenHash)).toEqual([]);
    expect((await act('reset-second-factor')).body.data).toMatchObject({ totp: false, joined: true });
    expect((await act('reset')).body.data).toMatchObject({
      joined: false,
      invitation: { token: expect.any(String) },
    });
    expect((await act('invite')).body.data.invitation.token).toEqual(expect.any(String));
    const deleted = await send('DELETE', `/users/${id}`);
    expect(deleted.body.data).toEqual({ id, deleted: true });
    expect((await get(`/users/${id}`)).status).toBe(404);
    const { body } = await get(`/actions?subject=${id}`);
    expect(body.data.map(({ action }: { action: string }) => action).reverse()).toEqual(
      'create update disable enable end_sessions totp_reset reset invite delete'
        .split(' ')
        .map((verb) => `user.${verb}`),
    );
    expect(body.data.filter((entry: { reason: unknown }) => entry.reason === reason)).toHaveLength(7);
    expect(JSON.stringify(body)).not.toContain('a hash');
  });

  it('409: keeps the key that stands for them from being changed or shown, not from being revoked', async () => {
    const { keyId, accountId } = await api.createCaller();
    const { id } = (await invite('keyed@example.com', { role: 'owner', account_id: accountId })).body.data;
    const credential = { credentialId: keyId, credentialSecret: Buffer.of(1) };
    await api.database.user.update({ where: { id }, data: credential });
    const { secretHash } = await api.database.apiKey.findUniqueOrThrow({ where: { id: keyId } });
    for (const refused of [
      await post(`/keys/${keyId}/rotate`, {}, { role: 'billing' }),
      await send('PATCH', `/keys/${keyId}`, { expires_at: null, manage: true }),
    ]) {
      expect([refused.status, refused.body.error]).toMatchObject([409, { reason: 'wrong_state' }]);
    }
    const after = await api.database.apiKey.findUniqueOrThrow({ where: { id: keyId } });
    expect(after).toMatchObject({ secretHash, canManage: false });
    expect((await post(`/keys/${keyId}/revoke`, {}, { role: 'support' })).status).toBe(200);
    expect((await post(`/keys/${keyId}/rotate`, {}, { role: 'billing' })).status).toBe(404);
  });

  it('403 or 409: is signed out by no lower role, and managed by nobody who they are themselves', async () => {
    const { id } = (await invite('own@example.com')).body.data;
    const signOut = `/users/${id}/end-sessions`;
    expect((await post(signOut, {}, { role: 'support' })).status).toBe(200);
    await send('PATCH', `/users/${id}`, { role: 'billing' });
    const higher = await post(signOut, {}, { role: 'support' });
    expect([higher.status, higher.body.error.message]).toEqual([403, expect.stringContaining('billing')]);
    const { body } = await api.get('/admin/v1/operator', { key: tokens.admin });
    const credential = { credentialId: body.data.id, credentialSecret: Buffer.of(1) };
    await api.database.user.update({ where: { id }, data: credential });
    expect((await post(`/users/${id}/disable`, {})).body.error).toMatchObject({ reason: 'wrong_state' });
    expect((await send('DELETE', `/users/${id}`)).status).toBe(409);
  });

  it('400, 404 or 409: is refused by the field that is wrong, and made once for an address', async () => {
    const { body } = await invite('nowhere', { role: 'owner', colour: 'red' });
    expect(body.error.errors.map(({ param }: { param: string }) => param)).toEqual(['email', 'role', 'colour']);
    expect((await invite('x@example.com', { role: 'admin', account_id: 'acct_x' })).body.error.param).toBe('role');
    expect((await invite('x@example.com', { role: 'owner', account_id: 'acct_x' })).status).toBe(404);
    const account_id = await newAccount('Full');
    const full = Array.from({ length: 200 }, (_, index) => ({ id: `usr_f${index}`, email: `${index}@f.example` }));
    const rest = { name: 'N', kind: 'account', role: 'viewer', accountId: account_id };
    await api.database.user.createMany({ data: full.map((each) => ({ ...each, ...rest })) });
    const more = await invite('more@f.example', { role: 'owner', account_id });
    expect([more.status, more.body.error.message]).toEqual([409, expect.stringContaining('200 users')]);
    await invite('twice@example.com');
    const twice = await invite('TWICE@example.com');
    expect([twice.status, twice.body.error.param]).toEqual([409, 'email']);
    const { id } = (await get('/users?email=twice')).body.data[0];
    const other = await send('PATCH', `/users/${id}`, { role: 'owner' });
    expect(other.body.error).toMatchObject({ param: 'role', message: expect.stringContaining('read, support') });
    expect((await post('/users/usr_none/disable', {})).status).toBe(404);
  });
});

const SESSION = {
  tokenHash: Buffer.of(7),
  replaces: null,
  passwordHash: null,
  totpStep: null,
  recoveryCodeHash: null,
  linkHash: null,
};

describe('an audit of the books', () => {
  const runs = async () => (await get('/audits')).body.data;

  it('202: is asked for, made by the reconciler, and listed with what it found', async () => {
    const { status, body } = await post('/audits', { reason: 'after the restore' }, { role: 'support' });
    expect([status, body.data]).toMatchObject([
      202,
      {
        id: expect.stringMatching(/^audit_\d+$/),
        state: 'waiting',
        clean: null,
        requested_by: expect.stringMatching(/^operator:/),
        ended_at: null,
      },
    ]);
    expect((await runs())[0]).toEqual(body.data);
    expect((await get(`/actions?subject=${body.data.id}`)).body.data).toHaveLength(1);
    expect(await auditOnRequest(api.database)).toEqual([]);
    expect((await runs())[0]).toMatchObject({ id: body.data.id, state: 'ended', clean: true, violations: [] });
    expect(await auditOnRequest(api.database)).toBeUndefined();
  });

  it('200: is the one that waits or is under way, however many ask, and under a key for good', async () => {
    const ask = (once?: string) => post('/audits', {}, { role: 'support', ...(once === undefined ? {} : { once }) });
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 202]);
    const [{ body: first }] = answers as [(typeof answers)[0]];
    const entries = async () => (await get(`/actions?subject=${first.data.id}`)).body.data;
    expect(await entries()).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.data.id))).toEqual(new Set([first.data.id]));
    const joined = await ask('joined');
    expect([joined.status, joined.body.data.id]).toEqual([200, first.data.id]);
    expect(await entries()).toHaveLength(2);
    await api.database.claimAudit();
    expect((await ask()).body.data).toMatchObject({ id: first.data.id, state: 'running' });
    await lose(first.data.id);
    await auditOnRequest(api.database);
    expect((await ask('joined')).body.data.id).toBe(first.data.id);
    expect((await ask()).status).toBe(202);
    await auditOnRequest(api.database);
  });

  it('is not written by an auditor whose run was given to another meanwhile', async () => {
    const { data } = (await post('/audits', {})).body;
    const [slow] = await api.database.claimAudit();
    await lose(data.id);
    const [other] = await api.database.claimAudit();
    if (!slow || !other) throw new Error('the run must be claimed twice');
    const late = { violations: [{ invariant: 'late', subject: 'x', detail: 'y' }], whole: true };
    expect(await api.database.endAudit(slow, late)).toEqual([]);
    expect((await runs())[0]).toMatchObject({ id: data.id, state: 'running' });
    expect(await api.database.endAudit(other, { violations: [], whole: true })).toHaveLength(1);
    expect(await api.database.endAudit(slow, late)).toEqual([]);
    expect((await runs())[0]).toMatchObject({ id: data.id, clean: true, violations: [] });
  });

  it('by the clock leaves nothing when it fails, so that a request for one is not answered by it', async () => {
    const auditBooks = { value: () => Promise.reject(new Error('too slow')) };
    const failing: typeof api.database = Object.create(api.database, { auditBooks });
    const before = await runs();
    await expect(auditByClock(failing, { everyMs: 0 })).rejects.toThrow('too slow');
    expect(await runs()).toEqual(before);
    const asked = await post('/audits', {});
    expect(asked.status).toBe(202);
    await expect(auditOnRequest(failing)).rejects.toThrow('too slow');
    await lose(asked.body.data.id);
    await auditOnRequest(api.database);
    expect((await runs())[0]).toMatchObject({ id: asked.body.data.id, state: 'ended' });
  });

  /** Makes an audit look as if it had run for more than five minutes without a result. */
  const lose = (id: string) =>
    prismaOf(api.database).$executeRawUnsafe(
      `update audit_runs set started_at = now() - interval '6 minutes' where id = ${id.slice('audit_'.length)}`,
    );

  it('lists what the one by the clock found', async () => {
    const prisma = prismaOf(api.database);
    const { accountId } = await api.createCaller();
    await prisma.$executeRawUnsafe(`update accounts set topped_up_nano = topped_up_nano + 1 where id = '${accountId}'`);
    await auditByClock(api.database, { everyMs: 0 });
    await prisma.$executeRawUnsafe(`update accounts set topped_up_nano = topped_up_nano - 1 where id = '${accountId}'`);
    const [run] = await runs();
    expect(run).toMatchObject({ requested_at: null, requested_by: null, state: 'ended', clean: false });
    expect(run.violations.map(({ subject }: { subject: string }) => subject)).toContain(accountId);
  });
});

it('is served on its own port alone, where it has one', async () => {
  const separate = await startTestApi({ separateAdmin: true });
  try {
    const headers = { authorization: `Bearer ${await separate.createOperator('read')}` };
    const at = async (url: string | undefined, path: string) => (await fetch(`${url}${path}`, { headers })).status;
    expect(await at(separate.adminUrl, '/admin/v1/operator')).toBe(200);
    expect(await at(separate.url, '/admin/v1/operator')).toBe(404);
    expect(await at(separate.adminUrl, '/v1/balance')).toBe(404);
    expect(await at(separate.url, '/openapi.json')).toBe(200);
  } finally {
    await separate.stop();
  }
});
