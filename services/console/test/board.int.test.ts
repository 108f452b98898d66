import { newTaskId } from '@mediagate/contracts';
import { QUEUE_NAMES } from '@mediagate/queue';
import { forAllTests, until } from '@mediagate/testkit';
import { startDeployment, type TestSession } from './test-console';

const [A, B, C] = [newTaskId(), newTaskId(), newTaskId()];

const OPERATOR = 'kim@example.com';

let session: TestSession;
let cookie: string;
const deployment = forAllTests(startDeployment);
const app = forAllTests(() => deployment.startConsole());
beforeAll(async () => {
  await deployment.addUser(OPERATOR, { kind: 'operator', role: 'support' });
  session = await app.openSession(OPERATOR);
  cookie = session.cookie;
});
beforeEach(async () => {
  for (const action of ['empty', `${B}-1/clean`]) await act('PUT', `/image/${action}`);
  app.log.length = 0;
});

async function boardQueues() {
  const response = await app.request('/board/api/queues', { cookie });
  expect(response.status).toBe(200);
  const { queues } = (await response.json()) as {
    queues: { name: string; counts: Record<string, number>; isPaused: boolean; allowRetries: boolean }[];
  };
  return queues;
}

async function countsOf(name: string) {
  const queue = (await boardQueues()).find((each) => each.name === name);
  return { waiting: queue?.counts['waiting'], delayed: queue?.counts['delayed'] };
}

function act(method: string, path: string, body?: object): Promise<Response> {
  return session.ask(method, `/board/api/queues${path}`, body);
}

describe('the board', () => {
  it('shows every queue, with the jobs that are in it', async () => {
    const shown = { model: 'imagegen-2.5', operation: 'generate', accountId: 'acct_1' };
    await deployment.queues.enqueueTask({ family: 'image', taskId: A, fence: 1, ...shown });
    await deployment.queues.enqueueTask({ family: 'image', taskId: B, fence: 1, delayMs: 60_000 });
    await deployment.queues.enqueueDelivery({ deliveryId: 'dlv_1', attemptsMade: 0 });
    const served = QUEUE_NAMES.filter((name) => name !== 'text');
    expect((await boardQueues()).map(({ name }) => name)).toEqual(served);
    expect(await countsOf('image')).toEqual({ waiting: 1, delayed: 1 });
    expect(await countsOf('deliveries')).toEqual({ waiting: 1, delayed: 0 });
    const job = await app.request(`/board/api/queues/image/${A}-1`, { cookie });
    const externalUrl = { displayText: 'Task', href: `/tasks/${A}` };
    const data = { v: 1, taskId: A, accountId: 'acct_1' };
    expect(await job.json()).toMatchObject({
      job: { name: 'imagegen-2.5 generate', data, externalUrl },
      status: 'waiting',
    });
  });

  it('has no button to repeat what has ended', async () => {
    expect((await boardQueues()).filter(({ allowRetries }) => allowRetries)).toEqual([]);
  });

  it('asks no other origin for anything', async () => {
    const response = await app.request('/board/', { cookie });
    const html = await response.text();
    expect(html).toContain('__UI_CONFIG__');
    expect(html).not.toMatch(/https?:/);
  });

  it('never reads more than a hundred jobs at once, however many it is asked for', async () => {
    const tasks = Array.from({ length: 120 }, () => newTaskId());
    await Promise.all(tasks.map((taskId) => deployment.queues.enqueueTask({ family: 'image', taskId, fence: 1 })));
    for (const [asked, shown] of [
      ['50', 50],
      ['100', 100],
      ['120', 100],
      ['1000000', 100],
    ] as const) {
      const search = `activeQueue=image&status=waiting&page=1&jobsPerPage=${asked}`;
      const response = await app.request(`/board/api/queues?${search}`, { cookie });
      const { queues } = (await response.json()) as { queues: { name: string; jobs: unknown[] }[] };
      expect([asked, queues.find(({ name }) => name === 'image')?.jobs.length]).toEqual([asked, shown]);
    }
  });

  it.each(['page', 'jobsPerPage', 'depth', 'maxChildren', 'from', 'to'])(
    'refuses a %s that Redis would refuse or count from the end, by its name',
    async (name) => {
      for (const wrong of ['1e18', '-1', '99999999999999999999', 'x', `1&${name}=-1`]) {
        const response = await app.request(`/board/api/queues?activeQueue=image&${name}=${wrong}`, { cookie });
        const { message } = (await response.json()) as { message: string };
        expect([wrong, response.status, message]).toEqual([wrong, 400, expect.stringContaining(`${name} must be`)]);
      }
    },
  );

  it.each([
    '/API/queues/image/pause',
    '/api/queues/image/PAUSE',
    '/api/queues/image/pause/',
    '/api/Queues/image/pause',
  ])('takes no action by a path that it would note as another one: %s', async (path) => {
    const { status } = await session.ask('PUT', `/board${path}`);
    expect(status).toBe(404);
    expect((await boardQueues()).filter(({ isPaused }) => isPaused)).toEqual([]);
  });

  it('lets jobs be removed, and queues be paused and resumed', async () => {
    for (const [taskId, delayMs] of [[A, 0] as const, [B, 60_000] as const, [C, 0] as const]) {
      await deployment.queues.enqueueTask({ family: 'image', taskId, fence: 1, delayMs });
    }
    expect((await act('PUT', `/image/${B}-1/clean`)).status).toBe(204);
    expect(await countsOf('image')).toEqual({ waiting: 2, delayed: 0 });
    expect((await act('PUT', '/image/pause')).status).toBe(200);
    expect((await boardQueues()).filter(({ isPaused }) => isPaused).map(({ name }) => name)).toEqual(['image']);
    expect((await act('PUT', '/image/resume')).status).toBe(200);
    expect((await boardQueues()).filter(({ isPaused }) => isPaused)).toEqual([]);
    expect((await act('PUT', '/image/empty')).status).toBe(200);
    expect(await countsOf('image')).toEqual({ waiting: 0, delayed: 0 });
  });

  it.each([
    ['POST', '/image/add', { name: 'due', data: { v: 1 }, options: {} }],
    ['PUT', '/image/promote', {}],
    ['PUT', '/image/retry/failed', {}],
    ['PUT', '/image/retry/completed', {}],
    ['PUT', `/image/${A}-1/promote`, {}],
    ['PUT', `/image/${A}-1/retry`, {}],
    ['PUT', '/image/concurrency', { concurrency: 1 }],
    ['PUT', '/image/rate-limit', { max: 1, duration: 1000 }],
    ['PUT', '/image/obliterate', { force: true }],
    ['PATCH', `/image/${A}-1/update-data`, { jobData: {} }],
    ['PATCH', `/image/${A}-1/delay`, { delay: 1 }],
  ])('refuses to invent, repeat or hasten jobs and to leave limits behind: %s %s', async (method, path, body) => {
    await deployment.queues.enqueueTask({ family: 'image', taskId: A, fence: 1 });
    const response = await act(method, path, body);
    expect(response.status).toBe(403);
    expect(await countsOf('image')).toEqual({ waiting: 1, delayed: 0 });
    expect(app.log).toContainEqual(expect.objectContaining({ event: 'console.queue_action', outcome: 'refused' }));
  });

  it('notes who did what to which queue', async () => {
    await act('PUT', '/image/pause');
    await act('PUT', '/image/resume');
    expect(app.log.filter(({ event }) => event === 'console.queue_action')).toMatchObject([
      { method: 'put', route: '/api/queues/:queueName/pause', outcome: 'allowed', detail: 'image' },
      { method: 'put', route: '/api/queues/:queueName/resume', outcome: 'allowed', detail: 'image' },
    ]);
  });

  it('has in the audit log who did what to which job, and what was refused', async () => {
    await deployment.queues.enqueueTask({ family: 'image', taskId: B, fence: 1, delayMs: 60_000 });
    const ofImage = { where: { subject: 'image' }, orderBy: { id: 'asc' } } as const;
    const before = await deployment.database.auditLogEntry.count(ofImage);
    await act('PUT', `/image/${B}-1/clean`);
    await act('PUT', '/image/obliterate', { force: true });
    const { credentialId } = await deployment.database.user.findFirstOrThrow({ where: { email: OPERATOR } });
    const actor = `operator:${credentialId}`;
    const entries = async () => (await deployment.database.auditLogEntry.findMany(ofImage)).slice(before);
    // The end of an action is written after the answer.
    await until(async () => !JSON.stringify((await entries()).map(({ detail }) => detail)).includes('unknown'));
    expect(await entries()).toMatchObject([
      { actor, action: 'queue.clean', detail: { job: `${B}-1`, outcome: 'done' } },
      { actor, action: 'queue.obliterate', detail: { outcome: 'refused' } },
    ]);
    const token = await deployment.database.operatorToken.findUniqueOrThrow({ where: { id: credentialId ?? '' } });
    expect(token.name).toBe('kim');
  });

  it('lets operators who only read look, and users of accounts not even that', async () => {
    const accountId = await deployment.addAccount('Customer');
    await deployment.addUser('reader@example.com', { kind: 'operator', role: 'read' });
    await deployment.addUser('owner@customer.example', { kind: 'account', role: 'owner', accountId });
    const [reader, owner] = [
      await app.openSession('reader@example.com'),
      await app.openSession('owner@customer.example'),
    ];
    expect((await reader.ask('GET', '/board/api/queues')).status).toBe(200);
    expect((await reader.ask('PUT', '/board/api/queues/image/pause')).status).toBe(403);
    for (const path of ['/board', '/board/api/queues', '/processes']) {
      expect((await owner.ask('GET', path)).status).toBe(403);
    }
  });

  it('changes nothing in Redis by being looked at', async () => {
    const before = await boardQueues();
    await app.request('/', { cookie });
    expect(await boardQueues()).toEqual(before);
    expect(app.log.filter(({ event }) => event === 'console.queue_action')).toEqual([]);
  });
});
