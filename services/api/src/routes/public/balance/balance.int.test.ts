import { nanoToNumber } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);

const KEY_PATHS = ['/v1/balance', '/balance'];
const ACCOUNT_PATHS = ['/v1/user/balance', '/user/balance'];
const ALL_PATHS = [...KEY_PATHS, ...ACCOUNT_PATHS];

describe('the balance of a key', () => {
  it.each(KEY_PATHS)('%s reports what this key could still spend, without what is held', async (path) => {
    const { key } = await api.createCaller({ balance: '100', quotaNano: 3_500_000_000n });
    await api.post('/v1/images/generations', SMALL_IMAGE, { key });
    const remain = 3_500_000_000n - smallImagePrice();
    const { status, body } = await api.get(path, { key });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      remain_balance: nanoToNumber(remain),
      remain_credits: nanoToNumber(remain * 10n),
      used_balance: 0,
      used_credits: 0,
      held_balance: nanoToNumber(smallImagePrice()),
      held_credits: nanoToNumber(smallImagePrice() * 10n),
      unlimited_quota: false,
    });
  });

  it('is never more than the account has', async () => {
    const { key } = await api.createCaller({ balance: '1.000000001', quotaNano: 5_000_000_000n });
    const { body } = await api.get('/v1/balance', { key });
    expect(body).toMatchObject({ remain_balance: 1.000000001, remain_credits: 10.00000001 });
  });

  it.each(['0', '1000'])(
    'is of a key of the scope `own` what its quota has left, whatever the account has: %s',
    async (balance) => {
      const { key } = await api.createCaller({ balance, quotaNano: 5_000_000_000n, scope: 'own' });
      const { body } = await api.get('/v1/balance', { key });
      expect(body).toMatchObject({ remain_balance: 5, remain_credits: 50, unlimited_quota: false });
    },
  );

  it('is -1 for an unlimited key, which can still meet 402', async () => {
    const { key } = await api.createCaller({ balance: '0' });
    const { body } = await api.get('/v1/balance', { key });
    expect(body).toMatchObject({ remain_balance: -1, remain_credits: -1, unlimited_quota: true });
    expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key })).status).toBe(402);
  });

  it('answers 200 and success false when the record goes away after the key was let in', async () => {
    const { key, keyId } = await api.createCaller();
    await api.get('/v1/balance', { key });
    await api.database.apiKey.delete({ where: { id: keyId } });
    const { status, body } = await api.get('/v1/balance', { key });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: false,
      message: 'The balance record of this key was not found.',
      reason: 'not_found',
      request_id: expect.any(String),
    });
    const inGerman = await api.get('/v1/balance', { key, headers: { 'accept-language': 'de' } });
    expect(inGerman.headers.get('content-language')).toBe('de');
    expect(inGerman.body).toEqual({
      success: false,
      message: 'Der Guthabeneintrag dieses Schlüssels wurde nicht gefunden.',
      reason: 'not_found',
      request_id: expect.any(String),
    });
  });
});

describe('the balance of an account', () => {
  it.each(ACCOUNT_PATHS)('%s reports the account, whatever the quota of the key', async (path) => {
    const { key } = await api.createCaller({ balance: '12.5', quotaNano: 1n });
    const { body } = await api.get(path, { key });
    expect(body).toEqual({
      success: true,
      remain_balance: 12.5,
      remain_credits: 125,
      used_balance: 0,
      used_credits: 0,
      held_balance: 0,
      held_credits: 0,
      unlimited_quota: false,
    });
  });
});

describe.each(ALL_PATHS)('%s for a page of another origin', (path) => {
  const origin = { origin: 'https://page.example' };

  it('answers the preflight without a key', async () => {
    const answer = await api.get(path, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, OPTIONS');
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/\bAuthorization\b/);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('lets the page read the answer, an error as well', async () => {
    const { key } = await api.createCaller();
    const good = await api.get(path, { key, headers: origin });
    const bad = await api.get(path, { headers: origin });
    expect([good.status, bad.status]).toEqual([200, 401]);
    for (const { headers } of [good, bad]) expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});

it('lets no page of another origin read anything else', async () => {
  const { key } = await api.createCaller();
  for (const path of ['/v1/tasks/x', '/models', '/nothing']) {
    const { headers } = await api.get(path, { key, headers: { origin: 'https://page.example' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});
