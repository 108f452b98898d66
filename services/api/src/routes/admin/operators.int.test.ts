import { audit } from '@mediagate/billing';
import { OPERATOR_ROLES, type OperatorRole } from '@mediagate/contracts';
import { listOperators, revokeOperator } from '@mediagate/operators';
import { startTestApi, type TestApi } from '../../../test/test-api';

let api: TestApi;
const tokens = {} as Record<OperatorRole, string>;

beforeAll(async () => {
  api = await startTestApi();
  for (const role of OPERATOR_ROLES) tokens[role] = await api.createOperator(role);
});
afterAll(() => api.stop());
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

  it('401: counts no more from the moment it is revoked', async () => {
    const token = await api.createOperator('read');
    const { body } = await api.get('/admin/v1/operator', { key: token });
    expect(await revokeOperator(api.database, body.data.id, { actor: 'test' })).toBe(true);
    expect((await api.get('/admin/v1/operator', { key: token })).status).toBe(401);
    expect(await revokeOperator(api.database, body.data.id, { actor: 'test' })).toBe(false);
  });

  it.each(['read', 'support'] as const)(
    '403: of the role %s opens no account, and is told the role it needs',
    async (role) => {
      const { status, body } = await post('/accounts', { name: 'x' }, { role });
      expect([status, body.error.reason]).toEqual([403, 'permission_denied']);
      expect(body.error.message).toBe(`This needs the role billing; the role of this token is ${role}.`);
    },
  );

  it('429: attempts without one share the limit of refusals', async () => {
    const attempts = Array.from({ length: 300 }, () => api.get('/admin/v1/operator'));
    const statuses = new Set((await Promise.all(attempts)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([401, 429]);
  });
});

describe('a change', () => {
  it('is in the log with who, what, before, after and why, in its own statement', async () => {
    const id = await newAccount();
    await post(`/accounts/${id}/top-up`, { amount: 2.5, reason: 'paid by wire' }, { role: 'billing' });
    const { data, has_more: hasMore } = (await get(`/actions?subject=${id}`)).body;
    const row = { id, name: 'Studio', held: '0', settled: '0' };
    expect(data).toMatchObject([
      {
        actor: expect.stringMatching(/^operator:[0-9a-z]{12}$/),
        action: 'account.top_up',
        subject: id,
        detail: {
          reason: 'paid by wire',
          before: { ...row, balance: '0' },
          after: { ...row, balance: '2500000000', entry: { kind: 'top_up', amount: '2500000000' } },
        },
      },
      { action: 'account.create', detail: { before: null, after: { ...row, balance: '0' } } },
    ]);
    expect(hasMore).toBe(false);
    const first = (await get(`/actions?subject=${id}&limit=1`)).body;
    const second = (await get(`/actions?subject=${id}&limit=1&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data]).toEqual(data);
  });

  it('is made once under an Idempotency-Key, and answers the same again', async () => {
    const id = await newAccount();
    const pay = () => post(`/accounts/${id}/top-up`, { amount: 1 }, { once: `pay-${id}` });
    const first = await pay();
    await post(`/accounts/${id}/top-up`, { amount: 5 });
    const again = await pay();
    expect(again).toMatchObject({ status: first.status, body: first.body });
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await entriesOf(id)).toBe(2);
  });

  it('is made once by any number of simultaneous requests under one key', async () => {
    const id = await newAccount();
    const pay = () => post(`/accounts/${id}/top-up`, { amount: 1 }, { once: `race-${id}` });
    const answers = await Promise.all(Array.from({ length: 8 }, pay));
    expect(answers.map(({ status, body }) => [status, body.data.balance])).toEqual(Array(8).fill([200, 1]));
    expect(await entriesOf(id)).toBe(1);
  });

  it('409: books a payment’s reference once, and a key of another request never', async () => {
    const id = await newAccount();
    const pay = (amount: number, once?: string) =>
      post(`/accounts/${id}/top-up`, { amount, reference: `invoice ${id}` }, once === undefined ? {} : { once });
    expect((await pay(1, `once-${id}`)).status).toBe(200);
    const [twice, other] = [await pay(1), await pay(2, `once-${id}`)];
    expect([twice.status, twice.body.error.reason]).toEqual([409, 'already_done']);
    expect([other.status, other.body.error.reason]).toEqual([409, 'idempotency_conflict']);
    expect(await entriesOf(id)).toBe(1);
  });

  it('400: names all that is wrong with its body, and changes nothing', async () => {
    const id = await newAccount();
    const { status, body } = await post(`/accounts/${id}/top-up`, { amount: 0, reference: 7, colour: 'red' });
    expect(status).toBe(400);
    expect(body.error.errors.map(({ param }: { param: string }) => param)).toEqual(['amount', 'reference', 'colour']);
    for (const wrong of [{}, { amount: '1.0000000001' }, { amount: 100_000_001 }, { amount: [1] }, { amount: 1e-10 }])
      expect((await post(`/accounts/${id}/top-up`, wrong)).body.error.param).toBe('amount');
    expect(await entriesOf(id)).toBe(0);
  });
});

describe('an account', () => {
  it('201: is opened, and read', async () => {
    const { status, body } = await post('/accounts', { name: ' Studio ' }, { role: 'billing' });
    expect([status, body.data]).toMatchObject([201, { name: 'Studio', balance: 0, held: 0, settled: 0 }]);
    expect((await get(`/accounts/${body.data.id}`)).body).toEqual({ code: 200, data: body.data });
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
    expect((await adjust({ amount: 3, reason: 'goodwill' })).body.data.balance).toBe(3);
    expect((await adjust({ amount: '-2.000000001', reason: 'booked twice' })).body.data.balance).toBe(0.999999999);
    const [below, silent] = [await adjust({ amount: -1, reason: 'x' }), await adjust({ amount: 1 })];
    expect([below.status, below.body.error.param]).toEqual([400, 'amount']);
    expect([silent.status, silent.body.error.param]).toEqual([400, 'reason']);
    expect(await entriesOf(id)).toBe(2);
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
