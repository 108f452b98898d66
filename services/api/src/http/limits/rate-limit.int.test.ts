import { once } from 'node:events';
import { nanoToNumber } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import { findKey } from '@mediagate/identity';
import { forAllTests, testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import type { Response } from 'express';
import { SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../test/test-api';
import { openRateLimitStore } from '../../rate-limit-store';
import type { Caller } from '../../use-cases/caller';
import { burstOf, createRateLimit } from './rate-limit';

const ENDLESS_MS = 600_000;

const api = forAllTests(startTestApi);

describe('the rate limits of a key', () => {
  it('let so many through and answer the rest with 429, which costs nothing', async () => {
    const { key } = await api.createCaller({ submitPerMinute: 5 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.post('/v1/images/generations', SMALL_IMAGE, { key })),
    );
    const refused = answers.filter((answer) => answer.status === 429);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
    expect(refused).toHaveLength(7);
    expect(refused[0]?.body.error).toMatchObject({
      message: expect.stringMatching(
        /^Too many requests: at most 5 submissions and uploads of this API key within 60 s\. Try again in \d+ s\.$/,
      ),
      reason: 'rate_limited',
    });
    const headers = refused[0]?.headers;
    // The wait is that of the limit which is spent: the minute's, not a burst's.
    expect(Number(headers?.get('retry-after'))).toBeGreaterThan(30);
    expect(headers?.get('ratelimit-limit')).toBe('5');
    expect(headers?.get('ratelimit-remaining')).toBe('0');
    expect(Number(headers?.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
    const { body } = await api.get('/v1/user/balance', { key });
    expect(body.remain_balance).toBe(nanoToNumber(1_000_000_000_000n - 5n * smallImagePrice()));
  });

  it('count reads apart from submissions', async () => {
    const { key } = await api.createCaller({ submitPerMinute: 1, queryPerMinute: 2 });
    const answers = [];
    for (let round = 0; round < 3; round += 1) answers.push(await api.get('/v1/balance', { key }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.body.error.message).toContain('at most 2 requests that submit nothing of this API key within');
    expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key })).status).toBe(200);
    expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key })).status).toBe(429);
    expect((await api.post('/v1/tasks/batch', { task_ids: ['x'] }, { key })).status).toBe(429);
  });

  it('count all keys that one made together, by its rates, and leave it its own', async () => {
    const { accountId, keyId: makerId, key } = await api.createCaller({ queryPerMinute: 3, canManage: true });
    const made = [await api.createCaller({ accountId, makerId }), await api.createCaller({ accountId, makerId })];
    const answers = [];
    for (const each of [...made, ...made, { key }, { key }, { key }]) {
      answers.push(await api.get('/v1/balance', { key: each.key }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200, 200, 200]);
    expect(answers[3]?.body.error.message).toContain('of all API keys together that one key has made');
  });

  it('count all users of an account in the console together, however many it invites', async () => {
    const { accountId, keyId } = await api.createCaller({ submitPerMinute: 1_000_000 });
    const users = [await signedInAs(accountId, keyId)];
    for (let user = 1; user < 4; user += 1) {
      const invited = await api.createCaller({ accountId, submitPerMinute: 1_000_000 });
      users.push(await signedInAs(accountId, invited.keyId));
    }
    const logger = createLogger({ service: 'api', level: 'silent' });
    const redis = openRateLimitStore(testRedisUrl(), logger, ENDLESS_MS);
    await once(redis, 'ready');
    const limit = createRateLimit({ redis, prefix: uniquePrefix(), logger });
    const response = { setHeader: () => undefined } as unknown as Response;
    const letThrough = await Promise.allSettled(
      Array.from({ length: 200 }, async (_, index) => limit(users[index % 4] as Caller, 'submit', response)),
    );
    expect(letThrough.filter(({ status }) => status === 'fulfilled')).toHaveLength(burstOf(300));
    redis.disconnect();
  });

  it('say what is left of the limit that leaves the fewest, and ask Redis once whatever the limits of a key', async () => {
    const { accountId, keyId: makerId } = await api.createCaller({ queryPerMinute: 40, canManage: true });
    const { key } = await api.createCaller({ accountId, makerId, queryPerMinute: 30 });
    await api.database.account.update({ where: { id: accountId }, data: { queryPerMinute: 5 } });
    const { headers } = await api.get('/v1/balance', { key });
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['5', '4']);

    const logger = createLogger({ service: 'api', level: 'silent' });
    const redis = openRateLimitStore(testRedisUrl(), logger, ENDLESS_MS);
    await once(redis, 'ready');
    const limit = createRateLimit({ redis, prefix: uniquePrefix(), logger });
    const sent = jest.spyOn(redis, 'sendCommand');
    const maker = { id: 'maker', families: [], models: [], submitPerMinute: 9, queryPerMinute: 9 };
    const caller = { id: 'a', accountId: 'b', maker, queryPerMinute: 9, accountQueryPerMinute: 9 } as unknown as Caller;
    const response = { setHeader: () => undefined } as unknown as Response;
    await limit(caller, 'query', response);
    sent.mockClear();
    await limit(caller, 'query', response);
    expect(sent).toHaveBeenCalledTimes(1);
    redis.disconnect();
  });

  it('say how much is left with every answer', async () => {
    const { key } = await api.createCaller({ queryPerMinute: 10 });
    await api.get('/v1/balance', { key });
    const { headers } = await api.get('/v1/tasks/nothing', { key });
    expect(headers.get('ratelimit-limit')).toBe('10');
    expect(headers.get('ratelimit-remaining')).toBe('8');
  });

  it('come before the body is looked at, and after permission', async () => {
    const { key } = await api.createCaller({ submitPerMinute: 1, families: ['image'] });
    await api.post('/v1/images/generations', SMALL_IMAGE, { key });
    expect((await api.post('/v1/images/generations', 'no json', { key })).status).toBe(429);
    const barred = await api.createCaller({ submitPerMinute: 1, families: ['video'] });
    for (let round = 0; round < 3; round += 1) {
      expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key: barred.key })).status).toBe(403);
    }
  });

  it('refuse what comes beyond a burst within one second', async () => {
    const logger = createLogger({ service: 'api', level: 'silent' });
    const redis = openRateLimitStore(testRedisUrl(), logger, ENDLESS_MS);
    await once(redis, 'ready');
    const limit = createRateLimit({ redis, prefix: uniquePrefix(), logger });
    // 100 a minute, of which 50 within a second. A run that takes longer than the second says nothing, so it is repeated.
    const headers = new Map<string, unknown>();
    const response = { setHeader: headers.set.bind(headers) } as unknown as Response;
    let ms = Number.POSITIVE_INFINITY;
    let answers: PromiseSettledResult<void>[] = [];
    for (let run = 0; ms >= 1000; run += 1) {
      const caller = { id: `key ${run}`, queryPerMinute: 100, accountQueryPerMinute: null } as Caller;
      const startedAt = performance.now();
      answers = await Promise.allSettled(Array.from({ length: 60 }, () => limit(caller, 'query', response)));
      ms = performance.now() - startedAt;
    }
    redis.disconnect();
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'rate_limited', retryAfterSeconds: 1 },
    });
    expect(headers.get('RateLimit-Limit')).toBe(50);
  });
});

describe('burstOf', () => {
  it.each([
    [300, 50],
    [3000, 500],
    [10, 10],
    [60, 50],
    [301, 51],
    [0, 0],
  ])('of %i a minute is %i a second', (perMinute, burst) => {
    expect(burstOf(perMinute)).toBe(burst);
  });
});

/** The caller for a key with which a user of the console signs in. */
async function signedInAs(accountId: string, keyId: string): Promise<Caller> {
  const email = `${keyId}@example.com`;
  await api.database.user.create({
    data: {
      id: keyId,
      email,
      name: email,
      kind: 'account',
      role: 'owner',
      accountId,
      credentialId: keyId,
      credentialSecret: Buffer.alloc(1),
    },
  });
  return (await findKey(api.database, keyId)) as Caller;
}
