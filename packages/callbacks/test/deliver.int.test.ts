import { toTaskRecord } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { forEachTest, type OpenTestDatabase, openTestDatabase, withMethods } from '@mediagate/testkit';
import { Webhook } from 'standardwebhooks';
import { findDelivery, redeliver, rotateWebhookSecret } from '../src';
import { findTarget, prepare } from '../src/deliver';
import { postCallback } from '../src/post-callback';
import { readDue } from '../src/sender';
import { answer, hang, openReceiver } from './receiver';
import { insertAccount, insertDelivery, passTime, readDelivery } from './rows';
import { callbacksOn, createWorld, type World } from './world';

const SHORT_TIMEOUT_MS = 150;

let testDatabase: OpenTestDatabase;
let database: Database;
let world: World;
let accountId: string;
let secret: string;

beforeAll(async () => {
  testDatabase = await openTestDatabase(8);
  ({ database } = testDatabase);
});

afterAll(() => testDatabase.close());

const receiver = forEachTest(openReceiver);
beforeEach(async () => {
  world = createWorld(database, { client: { allowOrigins: [receiver.origin] } });
  ({ accountId, secret } = await insertAccount(database));
});

afterEach(async () => {
  await receiver.close();
});

async function deliveryTo(url: string): Promise<{ deliveryId: string; taskId: string }> {
  return await insertDelivery(database, { accountId, url });
}

/** Delivers as often as the row says that it wants to be, letting the time between attempts pass. */
async function deliverUntilEnded(deliveryId: string): Promise<number> {
  for (let rounds = 1; rounds <= 10; rounds += 1) {
    await world.deliver(deliveryId);
    if ((await readDelivery(database, deliveryId)).ended) return rounds;
    await passTime(database, deliveryId);
  }
  throw new Error('the delivery does not end');
}

async function attemptsOf(taskId: string) {
  const listed = await findDelivery({ database }, { taskId });
  return listed?.attempts ?? [];
}

describe('a callback', () => {
  it('is the bare task record, posted once to <webhook>/callback, signed, as JSON', async () => {
    const { deliveryId, taskId } = await deliveryTo(`${receiver.origin}/hooks/?team=7`);
    await world.deliver(deliveryId);
    expect(receiver.received).toHaveLength(1);
    const [request] = receiver.received;
    const task = await database.readTask(taskId);
    expect(request).toMatchObject({ method: 'POST', path: '/hooks/callback?team=7' });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'mediagate' });
    expect(JSON.parse(request?.body ?? '')).toEqual(task && toTaskRecord(task, { creditsPerUnit: 10 }));
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      id: taskId,
      status: 'completed',
      cost: expect.any(Number),
      credits_cost: expect.any(Number),
      reserved: 0,
    });
    expect(request?.headers['webhook-id']).toBe(taskId);
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({ id: taskId });
    expect(await readDelivery(database, deliveryId)).toMatchObject({
      state: 'delivered',
      attemptsMade: 1,
      ended: true,
    });
    expect(world.enqueued).toEqual([]);
  });

  it('that finds its slot free is claimed by the start of its attempt, without a statement for the claim alone', async () => {
    const claimDelivery = () => Promise.reject(new Error('a claim of its own'));
    const without = createWorld(withMethods(database, { claimDelivery }), {
      client: { allowOrigins: [receiver.origin] },
    });
    const { deliveryId } = await deliveryTo(receiver.origin);
    await without.deliver(deliveryId);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'delivered', attemptsMade: 1, fence: 1 });
  });

  it('passes during a rotation at receivers with the new secret and at those with the old one', async () => {
    const rotated = await rotateWebhookSecret({ database }, accountId, { overlapMs: 60_000, actor: 'test' });
    const fresh = rotated?.kind === 'rotated' ? rotated.secret : '';
    await world.deliver((await deliveryTo(receiver.origin)).deliveryId);
    const [request] = receiver.received;
    for (const known of [fresh, secret]) {
      expect(new Webhook(known).verify(request?.body ?? '', request?.headers ?? {})).toBeDefined();
    }
  });

  it('answered 5xx is sent again with the same id and bytes and a signature of its own time, until it arrives', async () => {
    receiver.behave(answer(503), answer(500), answer(200));
    const { deliveryId, taskId } = await deliveryTo(receiver.origin);
    expect(await deliverUntilEnded(deliveryId)).toBe(3);
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map((request) => request.body)).size).toBe(1);
    expect(new Set(receiver.received.map((request) => request.headers['webhook-id'])).size).toBe(1);
    for (const { body, headers } of receiver.received) expect(new Webhook(secret).verify(body, headers)).toBeDefined();
    expect((await attemptsOf(taskId)).map((attempt) => attempt.httpStatus)).toEqual([503, 500, 200]);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'delivered', attemptsMade: 3 });
  });

  it('is given up after four requests, each attempt enqueued after its own delay', async () => {
    receiver.behave(answer(502));
    const { deliveryId } = await deliveryTo(receiver.origin);
    expect(await deliverUntilEnded(deliveryId)).toBe(4);
    await world.deliver(deliveryId);
    expect(receiver.connections()).toBe(4);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'exhausted', reason: 'http_502' });
    expect(world.enqueued).toEqual([
      { deliveryId, attemptsMade: 1, delayMs: 10_000 },
      { deliveryId, attemptsMade: 2, delayMs: 30_000 },
      { deliveryId, attemptsMade: 3, delayMs: 60_000 },
    ]);
  });

  it('answered by a redirect ends there: it is not followed', async () => {
    const elsewhere = await openReceiver();
    world = createWorld(database, { client: { allowOrigins: [receiver.origin, elsewhere.origin] } });
    receiver.behave(answer(307, { location: `${elsewhere.origin}/callback` }));
    const { deliveryId } = await deliveryTo(receiver.origin);
    expect(await deliverUntilEnded(deliveryId)).toBe(1);
    expect(elsewhere.connections()).toBe(0);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'rejected', reason: 'http_307' });
    await elsewhere.close();
  });

  it('to a receiver that hangs is cut at the time limit and tried again', async () => {
    world = createWorld(database, { client: { allowOrigins: [receiver.origin] }, timeoutMs: SHORT_TIMEOUT_MS });
    receiver.behave(hang, answer(200));
    const { deliveryId, taskId } = await deliveryTo(receiver.origin);
    await world.deliver(deliveryId);
    expect(await readDelivery(database, deliveryId)).toMatchObject({
      state: 'pending',
      reason: 'timeout',
      nextAfterLastMs: 10_000,
    });
    world = createWorld(database, { client: { allowOrigins: [receiver.origin] } });
    await passTime(database, deliveryId);
    await world.deliver(deliveryId);
    const [first] = await attemptsOf(taskId);
    const tookMs = Number(first?.endedAt) - Number(first?.startedAt);
    expect(tookMs).toBeGreaterThanOrEqual(SHORT_TIMEOUT_MS - 5);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'delivered', attemptsMade: 2 });
  });

  it('that cannot connect, do TLS or find a name is tried again', async () => {
    const closed = await openReceiver();
    await closed.close();
    const tlsOrigin = receiver.origin.replace('http:', 'https:');
    world = createWorld(database, {
      client: {
        allowOrigins: [closed.origin, tlsOrigin],
        resolve: () => Promise.reject(new Error('no such name')),
      },
    });
    for (const url of [closed.origin, tlsOrigin, 'https://nowhere.example.org']) {
      const { deliveryId } = await deliveryTo(url);
      await world.deliver(deliveryId);
      expect(await readDelivery(database, deliveryId)).toMatchObject({
        state: 'pending',
        reason: 'network',
        attemptsMade: 1,
      });
    }
    expect(receiver.received).toEqual([]);
  });
});

describe('a URL against the rules', () => {
  it.each([
    ['http://127.0.0.1/', 'blocked_address'],
    ['http://[::ffff:10.0.0.1]/', 'blocked_address'],
    ['https://hooks.example.org:8080/', 'blocked_port'],
    ['https://user:pass@hooks.example.org/', 'bad_url'],
    ['https://gateway.example.com./', 'own_domain'],
    ['ftp://hooks.example.org/', 'bad_scheme'],
    ['not a url', 'bad_url'],
    [`https://hooks.example.org/${'a'.repeat(2100)}`, 'too_long'],
  ])('%s is dropped with its reason, and nothing is sent', async (url, reason) => {
    world = createWorld(database, { client: {}, ownHosts: ['gateway.example.com'] });
    const { deliveryId, taskId } = await deliveryTo(url);
    await world.deliver(deliveryId);
    expect(await readDelivery(database, deliveryId)).toMatchObject({
      state: 'dropped',
      reason,
      attemptsMade: 0,
      ended: true,
    });
    expect(await attemptsOf(taskId)).toEqual([]);
  });

  it('does not end a delivery that somebody has claimed, or begun to send, since it was read', async () => {
    const { deliveryId } = await deliveryTo('ftp://hooks.example.org/');
    const { sender } = world;
    const unclaimed = await readDue(sender, deliveryId);
    const claim = await database.claimDelivery(deliveryId, 30_000);
    if (unclaimed) await findTarget(sender, unclaimed);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'pending', leased: true });

    await passTime(database, deliveryId);
    const lapsed = await readDue(sender, deliveryId);
    const start = { isClaimed: true, body: '{}', leaseMs: 30_000, retryIfLostMs: 30_000 };
    if (claim) await database.startDeliveryAttempt({ ...claim, ...start });
    if (lapsed) await findTarget(sender, lapsed);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'pending', attemptsMade: 1 });
  });

  it('that only shows when its name is resolved is dropped without a connection', async () => {
    const port = Number(new URL(receiver.origin).port);
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1']]) {
      world = createWorld(database, { client: { allowPorts: [port], resolve: async () => addresses } });
      const { deliveryId } = await deliveryTo(`http://rebind.example.org:${port}`);
      await world.deliver(deliveryId);
      expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'dropped', reason: 'blocked_address' });
    }
    expect(receiver.connections()).toBe(0);
  });
});

describe('a process that dies between sending and recording', () => {
  async function sendAndDie(deliveryId: string): Promise<void> {
    const { sender } = world;
    const due = await readDue(sender, deliveryId);
    const target = due && (await findTarget(sender, due));
    const prepared = target && (await prepare(sender, target));
    if (!prepared) throw new Error('nothing to send');
    await postCallback({ ...prepared, body: prepared.attempt.body }, sender.rules());
  }

  it('leaves a callback that is sent again with the same bytes and id once its lease and delay are over', async () => {
    const { deliveryId, taskId } = await deliveryTo(receiver.origin);
    await sendAndDie(deliveryId);
    expect(await readDelivery(database, deliveryId)).toMatchObject({
      state: 'pending',
      leased: true,
      nextAfterStartMs: 60_000 + 10_000,
    });
    await world.deliver(deliveryId);
    expect(receiver.received).toHaveLength(1);
    await passTime(database, deliveryId);
    await world.deliver(deliveryId);
    const [first, second] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(taskId);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'delivered', attemptsMade: 2 });
    expect((await attemptsOf(taskId)).map((attempt) => attempt.endedAt === null)).toEqual([true, false]);
  });

  it('every time never causes a fifth request', async () => {
    const { deliveryId } = await deliveryTo(receiver.origin);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await sendAndDie(deliveryId);
      await passTime(database, deliveryId);
    }
    await world.deliver(deliveryId);
    expect(receiver.connections()).toBe(4);
    expect(await readDelivery(database, deliveryId)).toMatchObject({
      state: 'exhausted',
      reason: 'outcome_lost',
      attemptsMade: 4,
    });
  });
});

describe('a redelivery', () => {
  it('sends the same bytes under the same id to a receiver that turned them away before', async () => {
    receiver.behave(answer(404), answer(200));
    const { deliveryId, taskId } = await deliveryTo(receiver.origin);
    await world.deliver(deliveryId);
    await redeliver(callbacksOn(database), { id: deliveryId }, { actor: 'operator' });
    await world.deliver(deliveryId);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(taskId);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'delivered', attemptsMade: 1 });
  });
});

describe('what is recorded of an attempt', () => {
  it('names the delivery and its outcome in one event, without path, query, body or secret', async () => {
    receiver.behave(answer(500));
    const { deliveryId, taskId } = await deliveryTo(`${receiver.origin}/hidden-path?token=hidden-query`);
    await world.deliver(deliveryId);
    const attempted = world.logged.filter(({ event }) => event === 'webhook.attempted');
    expect(attempted).toEqual([
      {
        event: 'webhook.attempted',
        fields: {
          deliveryId,
          taskId,
          accountId,
          attempt: 1,
          outcome: 'pending',
          status: 500,
          durationMs: expect.any(Number),
          detail: new URL(receiver.origin).host,
        },
      },
    ]);
    const said = JSON.stringify(world.logged);
    for (const hidden of ['hidden-path', 'hidden-query', secret, 'images', 'whsec_'])
      expect(said).not.toContain(hidden);
  });

  it('says so when a step is interrupted, and leaves the row to be tried again', async () => {
    const { deliveryId } = await deliveryTo(receiver.origin);
    const forgetful = withMethods(database, { startDeliveryAttempt: () => Promise.reject(new Error('a bug')) });
    const broken = createWorld(forgetful, { client: { allowOrigins: [receiver.origin] } });
    await broken.deliver(deliveryId);
    expect(broken.logged.map(({ event }) => event)).toEqual(['webhook.interrupted']);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'pending', attemptsMade: 0 });
    await passTime(database, deliveryId);
    await world.deliver(deliveryId);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'delivered' });
  });
});
