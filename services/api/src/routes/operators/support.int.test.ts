import { audit, createFinisher, taskError } from '@mediagate/billing';
import { type JsonObject, newTaskId, type TaskId } from '@mediagate/contracts';
import { DatabaseConflictError } from '@mediagate/database';
import { createLinks } from '@mediagate/media';
import { claimTask } from '@mediagate/tasks';
import { holdTransaction, runSql, until } from '@mediagate/testkit';
import { OPERATIONS } from '../../../test/shared/operations';
import {
  type Caller,
  LINK_SECRET,
  SMALL_IMAGE,
  smallImagePrice,
  startTestApi,
  type TestApi,
} from '../../../test/test-api';

let api: TestApi;
let caller: Caller;
let support: string;
let billing: string;
let admin: string;
/** The clock by which prices take effect. */
let clockMs = performance.now();
let clockReads = 0;
/** Interval of looks at what operators have set. */
const FOLLOW_MS = 20;

beforeAll(async () => {
  const priceClock = () => {
    clockReads += 1;
    return clockMs;
  };
  const times = { followMs: FOLLOW_MS, priceClock };
  api = await startTestApi({ times });
  caller = await api.createCaller();
  support = await api.createOperator('support');
  billing = await api.createOperator('billing');
  admin = await api.createOperator('admin');
});
afterAll(() => api.stop());
/** No process here sends callbacks, so that those which wait are late where the suite takes minutes. */
const OF_SENDERS = 'liveness: no callback waits beyond its time';
afterEach(async () => {
  expect((await audit(api.database)).filter(({ invariant }) => invariant !== OF_SENDERS)).toEqual([]);
});

const get = (path: string, key = support) => api.get(`/admin/v1${path}`, { key });
const post = (path: string, body: object = {}, key = support, headers = {}) =>
  api.post(`/admin/v1${path}`, body, { key, headers });

/** The file's way to name a secret. */
const ref = (name: string) => `\${${name}}`;
const patch = (path: string, body: object, key = admin) => api.post(`/admin/v1${path}`, body, { method: 'PATCH', key });

async function submit(fields: object = {}, headers = {}): Promise<TaskId> {
  const { body } = await api.post(
    '/v1/images/generations',
    { ...SMALL_IMAGE, ...fields },
    { key: caller.key, headers },
  );
  return body.data[0].task_id;
}

/** Works on the task as a worker does until its upstream has accepted it. */
async function giveToUpstream(id: TaskId): Promise<string> {
  const outcome = await claimTask(api.database, id, 20_000);
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
  const attemptId = `att_${id.slice('task_'.length)}`;
  const attempt = { attemptId, channelId: 'sim-images', protocol: 'openai-images' };
  await api.database.beginAttempt(outcome.task, attempt);
  const [externalId, nextStepInMs] = [`job-${id}`, 3_600_000];
  await api.database.saveOperation(outcome.task, {
    attemptId,
    externalId,
    operation: {},
    requestIds: [],
    nextStepInMs,
  });
  return attemptId;
}

const foundBy = async (query: string): Promise<string[]> =>
  (await get(`/tasks?${query}`)).body.data.map(({ id }: { id: string }) => id);

const units = (nano: bigint) => Number(nano) / 1e9;

const notesOn = (subject: string) => api.database.auditLogEntry.findMany({ where: { subject } });

/** Waits until the process has begun and ended a look: each reads the clock before and after, and nobody else does meanwhile. */
async function untilPricesAreRead(): Promise<void> {
  const before = clockReads;
  await until(async () => clockReads >= before + 4);
}

describe('GET /admin/v1/queues', () => {
  const queueOf = async (family: string) =>
    (await get('/queues')).body.data.families.find((each: { family: string }) => each.family === family);

  it('200: counts what waits, what runs and what came and ended of late, by family', async () => {
    const before = await queueOf('image');
    const [waiting, running, ended] = [await submit(), await submit(), await submit()];
    await giveToUpstream(running);
    await post(`/tasks/${ended}/fail`);
    const after = await queueOf('image');
    expect(after).toMatchObject({
      waiting: before.waiting + 1,
      running: before.running + 1,
      submitted: before.submitted + 3,
      ended: before.ended + 1,
      has_queue: true,
    });
    expect(after.oldest_seconds).toBeGreaterThanOrEqual(0);
    expect(after.next_due_at).toBeGreaterThan(Date.now() / 1000 + 3000);
    await runSql(api.database, `update tasks set next_step_at = now() - interval '1 hour' where id = '${waiting}'`);
    expect((await queueOf('image')).oldest_seconds).toBeGreaterThanOrEqual(3600);
    expect(await queueOf('text')).toMatchObject({ has_queue: false, jobs: null });
  });

  it('200: counts what Redis has of a queue, and the processes that take from it', async () => {
    expect((await queueOf('video')).jobs).toMatchObject({ waiting: 0, active: 0, paused: false, workers: 0 });
    const consumer = api.queues.consumeTasks('video', async () => undefined, { concurrency: 1 });
    await until(async () => (await queueOf('video')).jobs.workers === 1);
    await consumer.close();
    await until(async () => (await queueOf('video')).jobs.workers === 0);
  });

  it('200: counts callbacks that have not ended, and those that are late', async () => {
    const before = (await get('/queues')).body.data.callbacks;
    const webhook = 'http://127.0.0.1:9000/callback';
    const [late, later] = [await submit({ webhook }), await submit({ webhook })];
    for (const id of [late, later]) await post(`/tasks/${id}/fail`);
    const dueAt = `case task_id when '${late}' then now() - interval '30 seconds' else now() + interval '1 hour' end`;
    await runSql(
      api.database,
      `update webhook_deliveries set next_attempt_at = ${dueAt} where task_id in ('${late}', '${later}')`,
    );
    const { callbacks } = (await get('/queues')).body.data;
    expect(callbacks).toMatchObject({ pending: before.pending + 2, due: before.due + 1 });
    expect(callbacks.oldest_seconds).toBeGreaterThanOrEqual(30);
    expect(callbacks.next_due_at).toBeGreaterThan(Date.now() / 1000);
    // It would be overdue for the audits that follow.
    await runSql(
      api.database,
      `update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where task_id = '${late}'`,
    );
  });
});

describe('GET /admin/v1/troubles', () => {
  const troubles = async () => (await get('/troubles')).body.data as JsonObject[];

  it('200: tells what waits without a worker, since when, with the action and its runbook', async () => {
    const id = await submit();
    await runSql(api.database, `update tasks set next_step_at = now() - interval '1 hour' where id = '${id}'`);
    const queue = (await troubles()).find(({ kind, subject }) => kind === 'queue' && subject === 'image');
    expect(queue).toMatchObject({ urgency: 'critical', cause: 'no_worker', runbook: 'docs/runbooks/process-down.md' });
    expect(queue?.['since']).toBeLessThanOrEqual(Date.now() / 1000 - 3600);
    expect(queue?.['touched']).toBeGreaterThan(0);
  });

  it('200: tells a channel whose vendor refuses our key, with the accounts that it touches and what it cost', async () => {
    for (const _ of Array.from({ length: 5 })) await giveToUpstream(await submit());
    await runSql(
      api.database,
      `update task_attempts set state = 'refused', fault = 'operator', cost_nano = 1000000, ended_at = now()
       where state = 'accepted' and channel_id in (select channel_id from task_attempts order by id desc limit 1)`,
    );
    const channel = (await troubles()).find(({ kind, cause }) => kind === 'channel' && cause === 'our_key');
    const runbook = 'docs/runbooks/upstream-down.md';
    expect(channel).toMatchObject({ urgency: 'critical', since: expect.any(Number), runbook });
    expect(channel?.['accounts']).toBeGreaterThan(0);
    expect(channel?.['cost']).toBeGreaterThanOrEqual(0.005);
  });
});

describe('GET /admin/v1/settings', () => {
  interface Shown {
    name: string;
    value: unknown;
    origin: string;
  }
  const settings = async () => (await get('/settings')).body.data;
  const settingOf = (list: Shown[], wanted: string) => list.find(({ name }) => name === wanted);
  const inChannel = async (id: string, name: string) => {
    const { channels } = await settings();
    return settingOf(channels.find((channel: { id: string }) => channel.id === id).settings, name);
  };

  it('200: says of each variable, section and channel what counts and where it comes from', async () => {
    const shown = await settings();
    expect(settingOf(shown.settings, 'CREDITS_PER_UNIT')).toMatchObject({ value: 10, origin: 'default' });
    expect(settingOf(shown.settings, 'webhooks.allow_origins')).toMatchObject({ origin: 'file' });
    expect(settingOf(shown.settings, 'media.max_image_mb')).toMatchObject({ value: 20, origin: 'default' });
    expect(await inChannel('images-openai', 'protocol')).toMatchObject({ value: 'openai-images', origin: 'file' });
    expect(await inChannel('images-openai', 'state')).toMatchObject({ value: 'enabled', origin: 'default' });
  });

  it('200: shows what an operator has set over a channel as the database’s', async () => {
    await post('/channels/images-ark/weigh', { weight: 7 }, admin);
    await until(async () => (await inChannel('images-ark', 'weight'))?.origin === 'database');
    expect(await inChannel('images-ark', 'weight')).toMatchObject({ value: 7 });
    await post('/channels/images-ark/reset', {}, admin);
    await until(async () => (await inChannel('images-ark', 'weight'))?.value === 1);
  });

  it('200: shows of a secret whether it is set, and never what it is', async () => {
    const shown = await settings();
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'MEDIAGATE_KEY_PEPPER', 'MEDIAGATE_LINK_SECRET'])
      expect(settingOf(shown.settings, name)).toMatchObject({ value: null, secret: true, is_set: true });
    expect(await inChannel('images-openai', 'api_key')).toMatchObject({ value: null, secret: true });
    const text = JSON.stringify(shown);
    for (const secret of ['a pepper for tests only', 'a link secret for tests only', new URL(api.databaseUrl).password])
      expect(text).not.toContain(secret);
  });
});

describe('GET /admin/v1/tasks', () => {
  it('200: finds a task by the request id that its caller sent, or was given', async () => {
    const own = await submit({}, { 'x-request-id': 'order-17.retry' });
    const { headers, body } = await api.post('/v1/images/generations', SMALL_IMAGE, { key: caller.key });
    expect(await foundBy('request_id=order-17.retry')).toEqual([own]);
    const given = headers.get('x-request-id') ?? '';
    expect(await foundBy(`request_id=${given}`)).toEqual([body.data[0].task_id]);
    expect(await foundBy('request_id=nobody-sent-this')).toEqual([]);
  });

  it('200: finds a task by its id, its beginning, and any part of it', async () => {
    const id = await submit();
    expect(await foundBy(`id=${id}`)).toEqual([id]);
    expect(await foundBy(`id=${id.slice(0, 20)}`)).toContain(id);
    expect(await foundBy(`id=${id.slice(-8)}`)).toEqual([id]);
  });

  it('200: finds tasks by metadata of an account, time and status, and says whose they are', async () => {
    const id = await submit({ metadata: { order: '4711' } });
    await submit({ metadata: { order: '4712' } });
    const of = `account_id=${caller.accountId}`;
    expect(await foundBy(`${of}&metadata.order=4711`)).toEqual([id]);
    expect(await foundBy(`${of}&metadata.order=4711&status=failed`)).toEqual([]);
    expect(await foundBy(`${of}&created_before=2020-01-01`)).toEqual([]);
    const [first] = (await get(`/tasks?${of}&metadata.order=4711`)).body.data;
    expect(first).toMatchObject({ account_id: caller.accountId, key_id: caller.keyId, family: 'image' });
  });

  it('200: finds the task of a result by its URL, expired or not', async () => {
    const id = await submit();
    const file = { purpose: 'result', contentType: 'image/png', bytes: 1n, sha256: Buffer.alloc(32) } as const;
    const mediaId = id.slice('task_'.length);
    const owner = { id: mediaId, accountId: caller.accountId, taskId: id, storageKey: mediaId };
    await api.database.mediaObject.create({ data: { ...file, ...owner, expiresAt: new Date() } });
    const url = encodeURIComponent(`https://media.example/v1/files/${mediaId}.png?expires=1&signature=x`);
    expect(await foundBy(`url=${url}`)).toEqual([id]);
  });

  it('200: finds tasks by words of the case, but not of a prompt', async () => {
    const id = await submit({ metadata: { ticket: 'Zebra-9000' }, prompt: 'a quagga at dawn' });
    await giveToUpstream(id);
    const by = (words: string) => foundBy(`query=${encodeURIComponent(words)}`);
    expect(await by('zebra-9000')).toEqual([id]);
    expect(await by(`ZEBRA job-${id}`)).toEqual([id]);
    await post(`/tasks/${id}/fail`);
    expect(await by('zebra cancelled')).toEqual([id]);
    expect(await by('zebra nothing-of-the-sort')).toEqual([]);
    expect(await by('quagga')).toEqual([]);
    expect((await get(`/tasks?query=${'x'.repeat(201)}`)).body.error.param).toBe('query');
  });

  it('200: goes through all by cursor, each once', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/tasks?account_id=${caller.accountId}&limit=2${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.has_more ? `&cursor=${body.next_cursor}` : '';
    } while (cursor !== '');
    expect(seen).toHaveLength(new Set(seen).size);
    expect(seen).toHaveLength(await api.database.task.count({ where: { accountId: caller.accountId } }));
  });

  it('400: a model that there is not and that no task had', async () => {
    const { status, body } = await get('/tasks?model=nope');
    expect([status, body.error.param, body.error.reason]).toEqual([400, 'model', 'unknown_model']);
  });

  it('400: names every parameter that is wrong', async () => {
    const { status, body } = await get('/tasks?metadata.a=b&url=https://elsewhere.example/x.png&colour=red');
    expect(status).toBe(400);
    const wrong = body.error.errors.map(({ param }: { param: string }) => param).sort();
    expect(wrong).toEqual(['account_id', 'colour', 'url']);
    expect(body.error.errors.find(({ param }: { param: string }) => param === 'account_id').message).toBe(
      'account_id is required with metadata.a, which is looked up within one account',
    );
  });
});

describe('GET /admin/v1/tasks/{id}', () => {
  it('200: tells all that happened in order, and nothing of what the caller wrote', async () => {
    const id = await submit({ webhook: 'https://example.com/hook', prompt: 'a secret lighthouse' });
    await giveToUpstream(id);
    await post(`/tasks/${id}/fail`, { reason: 'ticket 1' });
    const { body } = await get(`/tasks/${id}`);
    expect(body.data.timeline.map(({ event }: { event: string }) => event)).toEqual([
      'task.submitted',
      'ledger.hold',
      'task.started',
      'attempt.began',
      'attempt.ended',
      'task.failed',
      'ledger.refund',
      'callback.due',
    ]);
    expect(body.data).toMatchObject({ attempts: [{ state: 'unknown' }], delivery: { state: 'pending' } });
    expect(JSON.stringify(body)).not.toContain('lighthouse');
    const ledger = (await api.get(`/v1/ledger?task_id=${id}`, { key: caller.key })).body.data;
    expect(body.data.ledger).toEqual(ledger.toReversed());
    expect(JSON.stringify(body)).not.toMatch(/\d{4}-\d{2}-\d{2}T/);
  });

  it('shows what a task made to who asks for it by name, by links that end soon', async () => {
    const id = await submit();
    const file = 'https://elsewhere.example/v1/files/a.png';
    const inADay = Math.floor(Date.now() / 1000) + 86_400;
    const links = createLinks({ publicBaseUrl: 'http://127.0.0.1:8080', secrets: [LINK_SECRET] });
    const name = { id: newTaskId().slice('task_'.length), extension: 'png' };
    const signed = links.sign({ ...name, expiresAt: new Date(inADay * 1000) });
    const own = `http://127.0.0.1:8080/v1/files/${name.id}.png`;
    const images = [{ url: [signed, file], expires_at: inADay }];
    await api.end(id, { kind: 'completed', costNano: 5n, result: { images } });
    const shown = [await get(`/tasks/${id}`), await get(`/tasks?id=${id}`)].map(({ body }) => JSON.stringify(body));
    expect(shown.join()).not.toContain('/v1/files/');
    const { body, headers } = await post(`/tasks/${id}/result`, { reason: 'ticket 4711' });
    const [image] = body.data.result.images;
    const link = new URL(image.url[0]);
    expect([link.origin + link.pathname, image.url[1]]).toEqual([own, file]);
    const soon = Date.now() / 1000 + 901;
    expect([Number(link.searchParams.get('expires')) < soon, image.expires_at < soon]).toEqual([true, true]);
    // Signed: of a file that is not there.
    expect((await api.get(link.pathname + link.search)).status).toBe(404);
    expect(headers.get('cache-control')).toBe('no-store');
    const noted = (await notesOn(id)).filter(({ action }) => action === 'task.show_result');
    expect(noted).toMatchObject([{ actor: expect.stringMatching(/^operator:/), detail: { reason: 'ticket 4711' } }]);
    expect(JSON.stringify(noted.map(({ detail }) => detail))).not.toContain('/v1/files/');
    const again = { 'idempotency-key': 'look-once' };
    for (const _look of [1, 2]) await post(`/tasks/${id}/result`, {}, support, again);
    expect((await notesOn(id)).filter(({ action }) => action === 'task.show_result')).toHaveLength(3);
    const running = await submit();
    expect((await post(`/tasks/${running}/result`)).body.data).toEqual({ id: running, result: null });
    expect((await post(`/tasks/${newTaskId()}/result`)).status).toBe(404);
  });

  it('404: of a task that is not there, or cannot be', async () => {
    expect((await get(`/tasks/${newTaskId()}`)).status).toBe(404);
    expect((await get('/tasks/none')).status).toBe(404);
  });
});

describe('POST /admin/v1/tasks/{id}/retry and fail', () => {
  it('200: makes an unfinished task due', async () => {
    const id = await submit();
    expect((await post(`/tasks/${id}/retry`, {}, support)).status).toBe(200);
    expect(await notesOn(id)).toHaveLength(1);
  });

  it('409: retries nothing that has ended, and says so', async () => {
    const id = await submit();
    await post(`/tasks/${id}/fail`);
    const { status, body } = await post(`/tasks/${id}/retry`);
    expect([status, body.error.reason]).toEqual([409, 'wrong_state']);
    expect((await post(`/tasks/${id}/fail`)).body.error.reason).toBe('wrong_state');
    expect((await post(`/tasks/${newTaskId()}/retry`)).status).toBe(404);
  });

  it('refunds once, however many operators fail it while it completes', async () => {
    const id = await submit({ webhook: 'https://example.com/hook' });
    const complete = createFinisher(api.database);
    const outcome = { kind: 'completed', costNano: smallImagePrice(), result: {} } as const;
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => post(`/tasks/${id}/fail`)),
      complete({ taskId: id, accountId: caller.accountId, fence: 'any', outcome }),
    ]);
    const ended = answers.filter((answer) => ('won' in answer ? answer.won : answer.status === 200));
    expect(ended).toHaveLength(1);
    const conflicts = answers.filter((answer) => 'status' in answer && answer.status === 409);
    expect(conflicts.length).toBeGreaterThanOrEqual(5);
    expect(await api.database.webhookDelivery.count({ where: { taskId: id } })).toBe(1);
  });
});

describe('/admin/v1/attempts', () => {
  it('are apart from those of test keys, which no operator has to resolve', async () => {
    const id = await submit();
    const attemptId = await giveToUpstream(id);
    await runSql(api.database, `update tasks set is_test = true where id = '${id}'`);
    const standing = async () => (await api.database.readStanding({ lowBalanceNano: 0n }))[0]?.quarantined;
    const before = await standing();
    await post(`/tasks/${id}/fail`);
    const listed = async (query: string) =>
      (await get(`/attempts?limit=100${query}`)).body.data.filter((each: { id: string }) => each.id === attemptId);
    expect([await listed(''), await listed('&resolved=true')]).toEqual([[], []]);
    expect(await listed('&test=true')).toMatchObject([{ test: true, resolution: 'not_paid' }]);
    expect(await standing()).toBe(before);
  });

  it('lists what nobody knows the outcome of, and takes one word on each, whoever comes first', async () => {
    const id = await submit();
    const attemptId = await giveToUpstream(id);
    await post(`/tasks/${id}/fail`);
    const listed = async (query = '') => (await get(`/attempts${query}`)).body.data;
    expect((await listed()).find((attempt: { id: string }) => attempt.id === attemptId)).toMatchObject({
      task_id: id,
      channel: 'sim-images',
      external_id: `job-${id}`,
      test: false,
      resolution: null,
      refunded: Number(smallImagePrice()) / 1e9,
    });
    const say = (resolution: string) => post(`/attempts/${attemptId}/resolve`, { resolution }, billing);
    const answers = await Promise.all(['paid', 'not_paid', 'paid', 'not_paid'].map(say));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const [said] = (await listed('?resolved=true')).filter((attempt: { id: string }) => attempt.id === attemptId);
    const reasons = await Promise.all(['paid', 'not_paid'].map(async (word) => (await say(word)).body.error.reason));
    const [same, other] = ['already_done', 'wrong_state'];
    expect(reasons).toEqual(said.resolution === 'paid' ? [same, other] : [other, same]);
    expect(await notesOn(attemptId)).toHaveLength(1);
    expect((await listed()).map((attempt: { id: string }) => attempt.id)).not.toContain(attemptId);
    expect((await listed('?resolved=true')).map((attempt: { id: string }) => attempt.id)).toContain(attemptId);
  });

  it('400, 404: of no word, and of no such attempt', async () => {
    const { status, body } = await post('/attempts/att_none/resolve', {}, billing);
    expect([status, body.error.param]).toEqual([400, 'resolution']);
    const free = await post('/attempts/att_none/resolve', { resolution: 'not_paid', cost: 1 }, billing);
    expect([free.status, free.body.error.param]).toEqual([400, 'resolution']);
    expect((await post('/attempts/att_none/resolve', { resolution: 'paid' }, billing)).status).toBe(404);
  });
});

describe('/admin/v1/deliveries', () => {
  async function ended(): Promise<string> {
    const id = await submit({ webhook: 'https://example.com/hook' });
    await post(`/tasks/${id}/fail`);
    const [delivery] = (await get(`/deliveries?task_id=${id}`)).body.data;
    return delivery.id;
  }

  it('lists by state, ends what is pending, and sends again what has ended', async () => {
    const id = await ended();
    const again = await post(`/deliveries/${id}/redeliver`);
    expect([again.status, again.body.error.reason]).toEqual([409, 'callback_pending']);
    const { body } = await post(`/deliveries/${id}/cancel`, { reason: 'their endpoint is gone' });
    expect(body.data).toMatchObject({ state: 'dropped', reason: 'cancelled_by_operator', next_attempt_at: null });
    const refused = await post(`/deliveries/${id}/cancel`);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'wrong_state']);
    expect(refused.body.error.message).toBe('This has already ended (dropped) and can no longer be changed.');
    const dropped = (await get('/deliveries?state=dropped')).body.data;
    expect(dropped.map((delivery: { id: string }) => delivery.id)).toContain(id);
    expect((await post(`/deliveries/${id}/redeliver`)).body.data).toMatchObject({ state: 'pending', reason: null });
    expect((await notesOn(id)).map(({ action }) => action).sort()).toEqual(['webhook.cancel', 'webhook.redeliver']);
  });

  it('202: sends many again by one entry in the log, page by page, and nobody else’s', async () => {
    const other = await ended();
    await post(`/deliveries/${other}/cancel`);
    const { accountId, key } = await api.createCaller();
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      const webhook = 'https://example.com/hook';
      const submitted = await api.post('/v1/images/generations', { ...SMALL_IMAGE, webhook }, { key });
      const id = submitted.body.data[0].task_id;
      await post(`/tasks/${id}/fail`);
      ids.push(id);
    }
    await runSql(
      api.database,
      `update webhook_deliveries set state = 'exhausted', reason = 'http_500', attempts_made = 4, next_attempt_at = null,
        ended_at = now() where account_id = '${accountId}'`,
    );
    const filter = { account_id: accountId, state: 'exhausted', created_after: '2020-01-01', limit: 2 };
    const first = await post('/deliveries/redeliver', { ...filter, reason: 'the receiver was down' });
    expect(first).toMatchObject({ status: 202, body: { data: { redelivered: 2, has_more: true } } });
    const cursor = first.body.data.next_cursor;
    const second = await post('/deliveries/redeliver', { ...filter, cursor });
    expect(second.body.data).toEqual({ redelivered: 1, next_cursor: null, has_more: false });
    const states = (await get(`/deliveries?account_id=${accountId}`)).body.data;
    expect(states.map((each: { task_id: string; state: string }) => [each.task_id, each.state])).toEqual(
      ids.reverse().map((id) => [id, 'pending']),
    );
    expect((await get('/deliveries?state=dropped')).body.data.map(({ id }: { id: string }) => id)).toContain(other);
    const [, noted] = (await get(`/actions?subject=${accountId}&action=webhook.redeliver_many`)).body.data;
    expect(noted).toMatchObject({
      subject_kind: 'account',
      reason: 'the receiver was down',
      after: { account_id: accountId, state: 'exhausted', redelivered: 2 },
    });
    expect((await post('/deliveries/redeliver', filter)).body.data.redelivered).toBe(0);
  });

  it('400: many are of a state, or of tasks that are named', async () => {
    const { status, body } = await post('/deliveries/redeliver', {
      account_id: caller.accountId,
      created_after: 'soon',
    });
    expect(status).toBe(400);
    const wrong = body.error.errors.map(({ param }: { param: string }) => param).sort();
    expect(wrong).toEqual(['created_after', 'state']);
  });

  it('404: of no such delivery', async () => {
    expect((await post('/deliveries/whd_none/cancel')).status).toBe(404);
  });
});

describe('GET /admin/v1/actions', () => {
  const shown = async (subject: string) =>
    (await get(`/actions?subject=${subject}`)).body.data.map(
      ({ action, before, after }: { action: string; before: object; after: object }) => [action, before, after],
    );

  it('tells changes of tasks, attempts and deliveries in currency units, without what only workers need', async () => {
    const id = await submit({ webhook: 'https://example.com/hook' });
    const attemptId = await giveToUpstream(id);
    await post(`/tasks/${id}/retry`);
    await post(`/tasks/${id}/fail`);
    const [{ id: delivery }] = (await get(`/deliveries?task_id=${id}`)).body.data;
    await post(`/attempts/${attemptId}/resolve`, { resolution: 'paid', cost: 0.042 }, billing);
    await post(`/deliveries/${delivery}/cancel`);
    await post(`/deliveries/${delivery}/redeliver`);
    const refunded = units(smallImagePrice());
    const unknown = { task_id: id, state: 'unknown' };
    expect(await shown(id)).toEqual([
      ['task.fail', { status: 'pending' }, { status: 'failed', refunded, delivery_id: delivery }],
      ['task.retry', { failed_steps: 0 }, { family: 'image', failed_steps: 0 }],
    ]);
    expect(await shown(attemptId)).toEqual([
      [
        'attempt.resolve',
        { ...unknown, resolution: null, cost: null },
        { ...unknown, resolution: 'paid', cost: 0.042 },
      ],
    ]);
    expect((await shown(delivery))[0]).toEqual([
      'webhook.redeliver',
      { state: 'dropped', reason: 'cancelled_by_operator' },
      { state: 'pending', reason: null },
    ]);
  });
});

describe('/admin/v1/channels', () => {
  const channel = async (id: string) =>
    (await get('/channels')).body.data.find((each: { id: string }) => each.id === id);
  const serves = async (model: string) =>
    (await api.post('/v1/images/generations', { ...SMALL_IMAGE, model }, { key: caller.key })).status === 200;

  it.each(['drain', 'disable'])(
    '%s: a model of no other channel waits, is listed as not available, and judged as before',
    async (change) => {
      const { data } = (await get('/channels')).body;
      const only = data.filter(({ models }: { models: string[] }) => models.includes('imagegen-2.5-flare'));
      expect(await serves('imagegen-2.5-flare')).toBe(true);
      const earlier = (await notesOn(only[0].id)).length;
      for (const { id } of only) await post(`/channels/${id}/${change}`, { reason: 'rotating keys' }, admin);
      await until(async () => !(await serves('imagegen-2.5-flare')));
      const rows = await api.countRows();
      const paused = { ...SMALL_IMAGE, model: 'imagegen-2.5-flare' };
      const submitted = await api.post('/v1/images/generations', paused, { key: caller.key });
      expect([submitted.status, submitted.body.error.reason]).toEqual([503, 'no_upstream']);
      expect(submitted.headers.get('retry-after')).toBe('60');
      const wrong = await api.post('/v1/images/generations', { ...paused, n: 'many' }, { key: caller.key });
      expect([wrong.status, wrong.body.error.param]).toEqual([400, 'n']);
      const listed = await api.get('/models/imagegen-2.5-flare', { key: caller.key });
      expect(listed.body.data.available).toBe(false);
      expect(await api.countRows()).toEqual(rows);
      const state = change === 'drain' ? 'draining' : 'disabled';
      expect(await channel(only[0].id)).toMatchObject({
        state,
        override: { state, reason: 'rotating keys', set_by: expect.stringMatching(/^operator:/) },
      });
      for (const { id } of only) await post(`/channels/${id}/reset`, {}, admin);
      await until(() => serves('imagegen-2.5-flare'));
      expect(await channel(only[0].id)).toMatchObject({ state: 'enabled', override: null });
      expect(await notesOn(only[0].id)).toHaveLength(earlier + 2);
    },
  );

  it('judges a body by the channels that operators have closed, too: 503 where those alone can do it', async () => {
    const generate = (body: JsonObject) =>
      api.post('/v1/images/generations', { model: 'imageseed-4.0', prompt: 'a', ...body }, { key: caller.key });
    await post('/channels/images-ark/drain', {}, admin);
    await until(async () => (await generate({ n: 9 })).status !== 200);
    const { status, headers, body } = await generate({ n: 9 });
    expect([status, body.error.reason, headers.get('retry-after')]).toEqual([503, 'no_upstream', '60']);
    expect(body.error.message).toContain('n: ');
    expect((await generate({ n: 1 })).status).toBe(200);
    expect((await generate({ n: 99 })).body.error.param).toBe('n');
    await post('/channels/images-ark/reset', {}, admin);
    await until(async () => (await generate({ n: 9 })).status === 200);
  });

  it('shows an override of a channel that the file has no more, and takes it back', async () => {
    await setGone({ weight: 3 });
    expect(await channel('gone')).toMatchObject({ state: 'removed', protocol: null, override: { weight: 3 } });
    expect((await post('/channels/gone/drain', {}, admin)).status).toBe(400);
    expect((await post('/channels/gone/reset', {}, admin)).status).toBe(200);
    expect(await channel('gone')).toBeUndefined();
  });

  /** Stores a setting of a channel that the file has lost since. */
  async function setGone(fields: JsonObject): Promise<void> {
    const [stored] = await api.database.readSettings();
    const change = { section: 'channels', name: 'gone', fields, before: {}, effectiveAt: null, leadMs: 0 } as const;
    const version = stored?.version ?? 0n;
    await api.database.changeSettings({ ...change, version, endsLater: false, atOnce: [] }, { actor: 'cli:ada' });
  }

  it('sets every field of a channel, notes what it was and is, and gives each back', async () => {
    const set = (settings: JsonObject, more = {}) => patch('/channels/images-openai', { settings, ...more });
    const was = (await get('/channels/images-openai')).body.data;
    const silent = await set({ max_concurrency: 7, base_url: 'https://eu.example' });
    expect([silent.status, silent.body.error.param]).toEqual([400, 'settings.api_key']);
    const moved = { base_url: 'https://eu.example', api_key: was.settings.api_key };
    const { status, body } = await set({ max_concurrency: 7, priority: 3, ...moved });
    expect([status, body.data.max_concurrency, body.data.priority]).toEqual([200, 7, 3]);
    expect(body.data.settings).toMatchObject(moved);
    expect(body.data.override.fields).toEqual({ max_concurrency: 7, priority: 3, ...moved });
    const [note] = (await get('/actions?subject=images-openai&limit=1')).body.data;
    expect(note).toMatchObject({
      action: 'channel.override',
      subject_kind: 'channel',
      before: { max_concurrency: was.max_concurrency, priority: null, base_url: was.settings.base_url },
      after: { max_concurrency: 7, priority: 3, base_url: 'https://eu.example', effective_at: expect.any(Number) },
    });
    expect((await set({ max_concurrency: 'file', priority: null })).body.data.override.fields).toEqual(moved);
    expect((await post('/channels/images-openai/reset', {}, admin)).body.data).toMatchObject({ override: null });
    expect((await get('/channels/images-openai')).body.data.settings).toEqual(was.settings);
  });

  it('400: names every fault as the check of the file does, and changes nothing', async () => {
    const settings = { protocol: 'nobody', models: { 'no-model': 'x' }, weight: 0, colour: 'red', api_key: 'sk-1' };
    const { status, body } = await patch('/channels/images-openai', { settings });
    const problems: { param: string }[] = body.error.errors;
    expect(status).toBe(400);
    expect(new Set(problems.map(({ param }) => param))).toEqual(
      new Set(['protocol', 'models.no-model', 'weight', 'colour', 'api_key'].map((field) => `settings.${field}`)),
    );
    expect(JSON.stringify(body)).not.toContain('sk-1');
    const costs = { 'imagegen-2.5-flare': { image_output: 1 } };
    const incomplete = await patch('/channels/images-openai', { settings: { costs } });
    expect(incomplete.body.error.message).toContain('must price every unit');
    const secret = await patch('/channels/images-openai', { settings: { api_key: ref('secret:nobody') } });
    expect(secret.body.error).toMatchObject({ param: 'settings.api_key' });
    expect((await channel('images-openai')).override).toBeNull();
    expect((await patch('/channels/nobody', { settings: { weight: 2 } })).status).toBe(404);
    expect((await patch('/channels/images-openai', { settings: [] })).body.error.param).toBe('settings');
  });

  it('400: refers to secrets of the database and to the variable that the file has there alone, and leads to no internal address', async () => {
    const was = (await get('/channels/images-openai')).body.data.settings;
    const refused = async (settings: JsonObject) => {
      const { status, body } = await patch('/channels/images-openai', { settings });
      return [status, body.error.param];
    };
    for (const key of ['MEDIAGATE_KEY_PEPPER', 'file:/etc/passwd'])
      expect(await refused({ api_key: ref(key) })).toEqual([400, 'settings.api_key']);
    const url = `https://vendor.example/${ref('DATABASE_URL')}`;
    expect(await refused({ base_url: url, api_key: was.api_key })).toEqual([400, 'settings.base_url']);
    for (const internal of [
      'https://127.0.0.1:6379',
      'http://localhost',
      'http://169.254.169.254',
      'http://vendor.example',
    ])
      expect(await refused({ base_url: internal, api_key: was.api_key })).toEqual([400, 'settings.base_url']);
    expect(await refused({ options: { organization: ref('DATABASE_URL') } })).toEqual([400, 'settings.options']);
    expect(await refused({ models: { 'imagegen-2.5-flare': ref('DATABASE_URL') } })).toEqual([400, 'settings.models']);
    expect((await patch('/channels/images-openai', { settings: { api_key: was.api_key } })).status).toBe(200);
    await post('/channels/images-openai/reset', {}, admin);
    const schedule = await patch('/callback-schedule', { settings: { timeout_seconds: ref('PORT') } });
    expect([schedule.status, schedule.body.error.param]).toEqual([400, 'settings.timeout_seconds']);
  });

  it('lets what decides over costs count from a moment on that every process knows of, and no sooner', async () => {
    const settings = { models: { 'imagefast-2.5-flash-image-preview': 'the-next-model' } };
    const { body } = await patch('/channels/images-gemini', { settings });
    const [scheduled] = body.data.scheduled;
    expect(scheduled).toMatchObject({ field: 'models', value: settings.models });
    expect(scheduled.effective_at - Date.now() / 1000).toBeGreaterThan(5);
    const soon = Math.floor(Date.now() / 1000) + 5;
    const refused = await patch('/channels/images-gemini', { settings, effective_at: soon });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'effective_at']);
    const late = runSql(
      api.database,
      `insert into setting_steps (version, section, name, field, value, effective_at, set_by)
        values (0, 'channels', 'images-gemini', 'costs', '{}', now() + interval '6 seconds', 'test')`,
    );
    await expect(late).rejects.toThrow(DatabaseConflictError);
    const reset = await post('/channels/images-gemini/reset', {}, admin);
    expect(reset.body.data.override).toBeNull();
  });

  it('adds a channel that the file does not have, and takes it away', async () => {
    const settings = {
      protocol: 'openai-images',
      base_url: 'https://second.example/v1',
      api_key: ref('secret:second'),
      models: { 'imagegen-2.5-flare': 'flare' },
    };
    await post('/secrets', { name: 'second', value: 'of a vendor' }, admin);
    const wrong = await post('/channels', { id: 'second', settings: { protocol: 'openai-images' } }, admin);
    expect(wrong.status).toBe(400);
    const added = await post('/channels', { id: 'second', settings }, admin);
    expect([added.status, added.body.data.scheduled.length]).toEqual([201, 4]);
    expect((await post('/channels', { id: 'second', settings }, admin)).status).toBe(409);
    expect((await post('/channels', { id: 'images-openai', settings }, admin)).status).toBe(409);
    expect((await post('/channels/images-openai/remove', {}, admin)).status).toBe(404);
    const keyOf = (listed: { id: string; settings: { name: string; is_set: boolean }[] }[]) =>
      listed.find(({ id }) => id === 'second')?.settings.find(({ name }) => name === 'api_key')?.is_set;
    await until(async () => keyOf((await get('/settings')).body.data.channels) === true);
    expect((await post('/channels/second/remove', {}, admin)).status).toBe(200);
    expect((await post('/channels', { id: 'second', settings }, admin)).status).toBe(201);
    expect((await post('/channels/second/remove', {}, admin)).status).toBe(200);
    expect((await post('/channels/nobody/remove', {}, admin)).status).toBe(404);
    expect((await post('/secrets/second/remove', {}, admin)).status).toBe(200);
  });

  it('makes one of two changes of the same moment after the other, and loses none', async () => {
    const changes = [1, 2, 3, 4].map((each) => ({
      [['priority', 'weight', 'max_concurrency', 'vendor'][each - 1] ?? '']: each === 4 ? 'acme' : each,
    }));
    const answers = await Promise.all(changes.map((settings) => patch('/channels/images-openai', { settings })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await channel('images-openai')).override.fields).toEqual(Object.assign({}, ...changes));
    await post('/channels/images-openai/reset', {}, admin);
  });

  it('sets the schedule of callbacks over the file, and gives it back', async () => {
    const { file } = (await get('/callback-schedule')).body.data;
    const settings = { retry_delays_seconds: [5, 50], timeout_seconds: 'file' };
    const set = await patch('/callback-schedule', { settings, reason: 'slow receivers' });
    expect(set.body.data).toMatchObject({
      retry_delays_seconds: [5, 50],
      timeout_seconds: file.timeout_seconds,
      file,
      override: { fields: { retry_delays_seconds: [5, 50] }, reason: 'slow receivers' },
    });
    const wrong = { retry_delays_seconds: [0], allow_ports: [1] };
    const refused = await patch('/callback-schedule', { settings: wrong });
    expect([refused.status, (await get('/callback-schedule')).body.data.retry_delays_seconds]).toEqual([400, [5, 50]]);
    const back = await patch('/callback-schedule', { settings: { retry_delays_seconds: null } });
    expect(back.body.data).toMatchObject({ ...file, override: null });
  });

  it('409: sets no key anew by which jobs at a former host are asked about, until they have ended', async () => {
    const set = (value: string) => post('/secrets', { name: 'moved', value }, admin);
    const source = { base_url: 'https://former.example/v1', api_key: ref('secret:moved') };
    const ids = { channelId: 'images-openai', destination: 'former' };
    await api.database.rememberChannel({ id: ids.channelId, destination: 'former', source, originByOperator: true });
    const attempt = { id: 'att_former', taskId: 'task_former', number: 1, protocol: 'openai-images', ...ids };
    await api.database.taskAttempt.create({ data: { ...attempt, state: 'accepted' } });
    expect((await set('rotated')).status).toBe(200);
    await patch('/channels/images-openai', { settings: { api_key: ref('secret:moved') } });
    await until(async () =>
      (await get('/secrets')).body.data.some(
        (each: JsonObject) => each['name'] === 'moved' && String(each['channels']) === ids.channelId,
      ),
    );
    const { status, body } = await set('of another host');
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('jobs of images-openai are')]);
    await api.database.taskAttempt.delete({ where: { id: attempt.id } });
    expect((await set('of another host')).status).toBe(200);
    await post('/channels/images-openai/reset', {}, admin);
    await post('/secrets/moved/remove', {}, admin);
  });

  it('keeps a key of a vendor sealed, and shows it nowhere', async () => {
    const secret = 'sk-very-secret-of-the-vendor';
    const set = await post('/secrets', { name: 'acme', value: secret, reason: 'rotated' }, admin);
    expect(set.body.data).toMatchObject({ name: 'acme', channels: [], can_be_opened: true });
    await patch('/channels/images-openai', { settings: { api_key: ref('secret:acme') } });
    await until(async () => (await get('/secrets')).body.data[0].channels.includes('images-openai'));
    const shown = [await get('/secrets'), await get('/actions?subject=acme'), await get('/channels')];
    expect(JSON.stringify(shown.map(({ body }) => body))).not.toContain('sk-very');
    expect(shown[1]?.body.data).toMatchObject([{ action: 'secret.set', before: null, after: { secret: 'changed' } }]);
    const [row] = await api.database.listVendorSecrets();
    expect(Buffer.from(row?.sealed ?? []).toString('latin1')).not.toContain('sk-very');
    const misnamed = (await post('/secrets', { name: 'Ac me', value: 'x' }, admin)).body.error;
    expect(misnamed).toMatchObject({ param: 'name', message: expect.stringMatching(/lower-case letters, digits/) });
    const most = 128 * 1024;
    const ofBytes = async (bytes: number) => {
      const { body } = await post('/secrets', { name: 'signing.lists', value: 'ä\n'.repeat(bytes / 3) }, admin);
      return body.error ?? body.data;
    };
    expect(await ofBytes(most - 2)).toMatchObject({ name: 'signing.lists' });
    expect(await ofBytes(most + 4)).toMatchObject({ param: 'value', message: expect.stringMatching(/131,072 bytes/) });
    const blank = (await post('/secrets', { name: 'acme', value: ' \n' }, admin)).body.error;
    expect(blank).toMatchObject({ param: 'value', reason: 'missing_parameter' });
    expect((await post('/secrets/signing.lists/remove', {}, admin)).status).toBe(200);
    await post('/channels/images-openai/reset', {}, admin);
    expect((await post('/secrets/acme/remove', {}, admin)).status).toBe(200);
    expect((await post('/secrets/acme/remove', {}, admin)).status).toBe(404);
  });

  it('counts attempts, faults and charges of late, and breakers that are open anywhere', async () => {
    const id = await submit();
    const attemptId = await giveToUpstream(id);
    const cost = { nano: smallImagePrice() / 2n, origin: 'declared' } as const;
    const attempt = { id: attemptId, state: 'succeeded', cost } as const;
    const outcome = { kind: 'completed', costNano: smallImagePrice(), result: {} } as const;
    await createFinisher(api.database)({ taskId: id, accountId: caller.accountId, fence: 'any', outcome, attempt });
    await api.database.followChannels('another-process', [
      { channelId: 'sim-images', fault: 'upstream_fault' },
      { channelId: 'sim-images', model: 'imagegen-2', fault: 'operator' },
    ]);
    const asked = { channelId: 'sim-images', names: ['gone'] };
    await api.database.claimNamesLook(asked);
    await api.database.noteUnlisted(asked, asked.names);
    expect(await channel('sim-images')).toMatchObject({
      unlisted: ['gone'],
      breaker: {
        open_in: 1,
        since: expect.any(Number),
        fault: 'upstream_fault',
        models: [{ model: 'imagegen-2', open_in: 1, since: expect.any(Number), fault: 'operator' }],
      },
      recent: { succeeded: 1, charged: Number(smallImagePrice()) / 1e9, median_ms: expect.any(Number) },
    });
    expect((await get(`/tasks/${id}`)).body.data.attempts).toMatchObject([
      { cost: units(cost.nano), cost_origin: 'declared' },
    ]);
    expect((await channel('sim-images')).recent.last_succeeded_at).toBeGreaterThan(Date.now() / 1000 - 60);
    const { part_seconds: partSeconds, parts, models } = (await get('/channels/sim-images/history')).body.data;
    expect([partSeconds, parts.at(-1).from > Date.now() / 1000 - 2 * partSeconds]).toEqual([1800, true]);
    const figures = { succeeded: 1, median_ms: expect.any(Number), sampled: false };
    expect(parts.at(-1)).toMatchObject(figures);
    expect(models).toMatchObject([{ model: SMALL_IMAGE['model'], ...figures }]);
    expect(models[0].attempts).toBe(
      parts.reduce((sum: number, { attempts }: { attempts: number }) => sum + attempts, 0),
    );
    const { data: none } = (await get('/channels/videos-kling/history?minutes=60&model=another')).body;
    expect(none).toMatchObject({ part_seconds: 75, parts: [], models: [] });
    expect((await get('/channels/sim-images/history?minutes=1')).status).toBe(400);
    expect((await get('/channels/nosuch/history')).status).toBe(404);
    expect((await get('/channels/videos-kling/history')).status).toBe(200);
    await api.database.followChannels('another-process', []);
    expect(await channel('sim-images')).toMatchObject({
      breaker: { open_in: 0, since: null, fault: null, models: [] },
    });
  });

  it('asks the vendor of a channel, and notes who did and what was seen', async () => {
    // Texts go there, too: so the API has its key.
    const id = 'images-gemini';
    const { status, body } = await post(`/channels/${id}/probe`, { reason: 'ticket 17' });
    expect([status, body.data]).toMatchObject([
      200,
      { reachable: false, key: 'unproved', took_ms: expect.any(Number) },
    ]);
    const [noted] = (await notesOn(id)).filter(({ action }) => action === 'channel.probe');
    expect(noted).toMatchObject({
      actor: expect.stringMatching(/^operator:/),
      detail: { reason: 'ticket 17', after: body.data },
    });
    expect((await post('/channels/nobody/probe')).status).toBe(404);
  });

  it('400, 404: a weight out of range, a channel that nobody knows', async () => {
    const { status, body } = await post('/channels/sim-images/weigh', { weight: 0 }, admin);
    expect([status, body.error.param]).toEqual([400, 'weight']);
    expect((await post('/channels/nobody/drain', {}, admin)).status).toBe(404);
  });
});

describe('/admin/v1/usage', () => {
  const COST = 1_000_000n;
  /** Runs three tasks of a new account: a success, a failure that the vendor charges for, and one whose outcome nobody knows. */
  async function used(): Promise<{ accountId: string; attemptId: string }> {
    const studio = await api.createCaller();
    const finish = createFinisher(api.database);
    const begun = async () => {
      const { body } = await api.post('/v1/images/generations', SMALL_IMAGE, { key: studio.key });
      const taskId: TaskId = body.data[0].task_id;
      return { taskId, accountId: studio.accountId, fence: 'any', id: await giveToUpstream(taskId) } as const;
    };
    const [made, lost, unknown] = [await begun(), await begun(), await begun()];
    const cost = { nano: COST, origin: 'declared' } as const;
    const completed = { kind: 'completed', costNano: smallImagePrice(), result: {} } as const;
    const failed = { kind: 'failed', error: taskError('result_unavailable') } as const;
    const succeeded = { id: made.id, state: 'succeeded', cost } as const;
    await finish({ ...made, outcome: { ...completed, units: { image_output: 196_000n } }, attempt: succeeded });
    await finish({ ...lost, outcome: failed, attempt: { id: lost.id, state: 'unknown', usage: { images: 1 }, cost } });
    await finish({ ...unknown, outcome: failed });
    await post(`/tasks/${made.taskId}/refund`, { amount: 0.001, reason: 'a blurred edge' }, billing);
    return { accountId: studio.accountId, attemptId: unknown.id };
  }

  it('is charges, costs and the margin, which is known once every cost is', async () => {
    const source = { id: 'sim-images', protocol: 'openai-images', vendor: 'acme' };
    await api.database.rememberChannel({ id: 'sim-images', destination: 'images', source, originByOperator: false });
    const { accountId, attemptId } = await used();
    const charged = units(smallImagePrice());
    const sums = {
      tasks: 3,
      completed: 1,
      failed: 2,
      charged,
      refunded: 0.001,
      cost: 0.002,
      cost_unknown: 1,
      margin: null,
    };
    const groups = { account: accountId, vendor: 'acme', channel: 'sim-images', model: 'imagegen-2.5-flare' };
    const usage = async () =>
      (await get('/usage?group_by=account,vendor,channel,model')).body.data.filter(
        ({ account }: { account: string }) => account === accountId,
      );
    expect(await usage()).toEqual([{ ...groups, ...sums }]);
    await post(`/attempts/${attemptId}/resolve`, { resolution: 'paid', cost: 0.004 }, billing);
    const margin = units(smallImagePrice() - 7n * COST);
    expect(await usage()).toEqual([{ ...groups, ...sums, cost: 0.006, cost_unknown: 0, margin }]);
  });

  it('is a table for who accepts that', async () => {
    const { accountId } = await used();
    const { body, headers } = await api.get('/admin/v1/usage?group_by=account,family', {
      key: support,
      headers: { accept: 'text/csv' },
    });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [names, ...lines] = body.split('\r\n');
    expect(names).toBe('account,family,tasks,completed,failed,charged,refunded,cost,cost_unknown,margin');
    const price = String(units(smallImagePrice()));
    expect(lines).toContain(`${accountId},image,3,1,2,${price},0.001,0.002,1,`);
  });

  it.each([
    ['timezone=CST', 'timezone'],
    ['timezone=US/Pacific-New', 'timezone'],
    ['group_by=day,day', 'group_by'],
    ['group_by=colour', 'group_by'],
    ['from=2026-01-01&to=2027-06-01', 'from'],
    ['from=2026-02-01&to=2026-01-01', 'from'],
    ['page=2', 'page'],
  ])('400: of %s, which it names', async (query, param) => {
    const { status, body } = await get(`/usage?${query}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  it('says what accounts were charged for, where that is asked for, and an account’s invoice says the same', async () => {
    const { accountId } = await used();
    const month = new Date().toISOString().slice(0, 7);
    const { data } = (await get('/usage?group_by=account,model&units=true')).body;
    const quantities = { image_output: 0.000_196 };
    expect(data.find(({ account }: { account: string }) => account === accountId)).toMatchObject({
      completed: 1,
      units: quantities,
    });
    const invoice = await get(`/accounts/${accountId}/invoice?month=${month}`);
    const charged = units(smallImagePrice());
    expect(invoice.body.data).toMatchObject({
      account_id: accountId,
      refunds: 0.001,
      charges: charged,
      lines: [{ model: 'imagegen-2.5-flare', tasks: 1, charged, units: quantities }],
    });
    expect((await get(`/accounts/nobody/invoice?month=${month}`)).status).toBe(404);
    expect((await get(`/accounts/${accountId}/invoice?month=never`)).status).toBe(400);
  });
});

describe('/admin/v1/prices', () => {
  const KEY = 'imageseed-4.0';
  const BODY = { ...SMALL_IMAGE, model: KEY, size: undefined, quality: undefined };
  const estimate = async (): Promise<number> =>
    (await api.post('/v1/estimate', { path: '/v1/images/generations', body: BODY }, { key: caller.key })).body.data
      .reserved;
  const reserve = async (): Promise<number> => {
    const { body } = await api.post('/v1/images/generations', BODY, { key: caller.key });
    const { reservedNano } = await api.database.task.findUniqueOrThrow({ where: { id: body.data[0].task_id } });
    return Number(reservedNano) / 1e9;
  };
  const listed = async () =>
    (await get(`/prices?model=${KEY}`)).body.data.map(({ price, origin }: { price: number; origin: string }) => [
      price,
      origin,
    ]);

  it('estimates and books at one price before, at and after each moment, and never touches what is booked', async () => {
    const start = clockMs;
    const before = await estimate();
    const steps = [0.5, 0.25, null, 0.75].map((price, index) => ({ price, inMs: 60_000 * (index + 1) }));
    const now = Date.now();
    for (const { price, inMs } of steps) {
      const effective_at = Math.round((now + inMs) / 1000);
      const wanted = { key: KEY, price: price === null ? 'file' : { per_image: price }, effective_at };
      expect((await post('/prices', wanted, billing)).status).toBe(201);
    }
    await untilPricesAreRead();
    const booked: { id: string; reservedNano: bigint }[] = [];
    const priceAt = (ms: number) => steps.findLast(({ inMs }) => inMs <= ms)?.price ?? before;
    const moments = steps.flatMap(({ inMs }) => [inMs - 5_000, inMs + 5_000, inMs + 30_000]);
    for (const ms of [0, ...moments.toSorted((a, b) => a - b)]) {
      clockMs = start + ms;
      await untilPricesAreRead();
      const prices = await Promise.all([estimate(), reserve(), estimate(), reserve()]);
      expect([ms, ...prices]).toEqual([ms, ...Array(4).fill(priceAt(ms))]);
      booked.push(
        ...(await api.database.task.findMany({ where: { model: KEY }, select: { id: true, reservedNano: true } })),
      );
    }
    for (const { id, reservedNano } of booked) {
      expect(await api.database.task.findUniqueOrThrow({ where: { id } })).toMatchObject({ reservedNano });
    }
  });

  it('503: books nothing, and is not ready, while others may be in effect than it knows of', async () => {
    const rename = (from: string, to: string) => runSql(api.database, `alter table ${from} rename to ${to}`);
    const price = () => api.post('/v1/estimate', { path: '/v1/images/generations', body: BODY }, { key: caller.key });
    const book = () => api.post('/v1/images/generations', BODY, { key: caller.key });
    expect(await api.failingChecks()).toEqual([]);
    const rows = await api.countRows();
    await rename('price_overrides', 'price_overrides_away');
    clockMs += 60_000;
    for (const { status, headers, body } of [await price(), await book()]) {
      expect([status, headers.get('retry-after'), body.error.reason]).toEqual([503, '2', 'service_unavailable']);
    }
    expect([await api.countRows(), await api.failingChecks()]).toEqual([rows, ['prices']]);
    expect((await api.get('/v1/tasks', { key: caller.key })).status).toBe(200);
    await rename('price_overrides_away', 'price_overrides');
    await untilPricesAreRead();
    expect([(await price()).status, (await book()).status, await api.failingChecks()]).toEqual([200, 200, []]);
  });

  it('refuses a price whose statement had to wait until processes would learn of it too late', async () => {
    const { database } = api;
    const rows = await api.countRows();
    const price = { perTask: '1' };
    const wanted = { billingKey: KEY, price, effectiveAt: null, leadMs: 7_300, withoutOverride: null };
    let setting: Promise<unknown> | undefined;
    await holdTransaction(database, async (other) => {
      await other.$executeRawUnsafe('lock table price_overrides in share mode');
      setting = database.addPriceOverride(wanted, { actor: 'test' }).catch((error: unknown) => error);
      await other.$executeRawUnsafe(`do $$ begin
        while not exists (select from pg_locks join pg_database on oid = database
          where datname = current_database() and relation = 'price_overrides'::regclass and not granted) loop
          perform pg_sleep(0.01);
        end loop;
        perform pg_sleep(0.4);
      end $$`);
    });
    expect(await setting).toBeInstanceOf(DatabaseConflictError);
    expect(await api.countRows()).toEqual(rows);
  });

  it('says where each price comes from, and keeps what was set', async () => {
    expect((await listed())[0][1]).toBe('catalogue');
    const ofKey = (await get(`/prices?key=${KEY}`)).body.data;
    expect(ofKey.map(({ key }: { key: string }) => key)).toEqual(ofKey.map(() => KEY));
    expect(ofKey.length).toBeGreaterThan(0);
    const { data } = (await get(`/prices/history?key=${KEY}`)).body;
    expect(data.map(({ price }: { price: unknown }) => price)).toEqual([
      { per_image: 0.75 },
      null,
      { per_image: 0.25 },
      { per_image: 0.5 },
    ]);
    await expect(api.database.priceOverride.deleteMany()).rejects.toThrow();
    const entries = (await get(`/actions?subject=${KEY}`)).body.data;
    expect(
      entries.map((entry: { before: { price: unknown }; after: { price: unknown } }) => [
        entry.before.price,
        entry.after.price,
      ]),
    ).toEqual([
      [{ per_image: 0.03 }, { per_image: 0.75 }],
      [{ per_image: 0.25 }, null],
      [{ per_image: 0.5 }, { per_image: 0.25 }],
      [{ per_image: 0.03 }, { per_image: 0.5 }],
    ]);
    expect(entries[0]).toMatchObject({ subject_kind: 'price', after: { effective_at: expect.any(Number) } });
  });

  it('400: a moment that comes too soon, a unit that is not billed, a key that nothing is billed under', async () => {
    const refused = async (wanted: object) => {
      const { status, body } = await post('/prices', { key: KEY, price: 1, ...wanted }, billing);
      expect(status).toBe(400);
      return body.error.errors.map(({ param, message }: { param: string; message: string }) => [param, message]);
    };
    const price = 'must be a price in currency units, 0 or more with at most 9 decimals';
    expect(await refused({ effective_at: Math.floor(Date.now() / 1000) })).toEqual([
      ['effective_at', 'effective_at must be at least 10 seconds from now'],
    ]);
    expect(await refused({ effective_at: 'tomorrow', price: { per_mile: 1 } })).toEqual([
      ['price.per_mile', 'price must price units of per_image'],
      ['effective_at', 'effective_at must be a time in Unix seconds, such as 1795305600'],
    ]);
    expect(await refused({ price: -1 })).toEqual([['price', `price ${price}`]]);
    expect(await refused({ price: { per_image: 1e-10 } })).toEqual([['price.per_image', `price.per_image ${price}`]]);
    expect(await refused({ price: {} })).toEqual([['price', 'price must price units of per_image']]);
    expect(await refused({ price: 1e9 })).toEqual([['price', 'price must be <= 1000000']]);
    expect(await refused({ key: 'nothing' })).toEqual([
      ['key', 'key: nothing is billed under this key; GET /admin/v1/prices lists the keys.'],
    ]);
  });
});

/** Each change of the operators' API: to what, and with which body. A new operation has no row, and fails. */
let usersMade = 0;

async function newUser(): Promise<string> {
  usersMade += 1;
  const { body } = await post('/users', { email: `${usersMade}@once.example`, name: 'Once', role: 'read' }, admin);
  return body.data.id;
}

const CHANGES: Record<string, () => Promise<[path: string, body?: object]>> = {
  adminCreateAccount: async () => ['/accounts', { name: 'Once' }],
  adminUpdateAccount: async () => [`/accounts/${await newAccount()}`, { name: 'Twice' }],
  adminSuspendAccount: async () => [`/accounts/${await newAccount()}/suspend`],
  adminResumeAccount: async () => {
    const id = await newAccount();
    await post(`/accounts/${id}/suspend`, {}, admin);
    return [`/accounts/${id}/resume`];
  },
  adminCloseAccount: async () => [`/accounts/${await newAccount()}/close`],
  adminTopUpAccount: async () => [`/accounts/${await newAccount()}/top-up`, { amount: 1 }],
  adminAdjustAccount: async () => [`/accounts/${await newAccount()}/adjust`, { amount: 1 }],
  adminRefundTask: async () => {
    const id = await submit();
    const outcome = { kind: 'completed', costNano: 5n, result: {} } as const;
    await api.end(id, outcome);
    return [`/tasks/${id}/refund`];
  },
  adminCreateKey: async () => ['/keys', { account_id: await newAccount() }],
  adminUpdateKey: async () => [`/keys/${(await api.createCaller()).keyId}`, { name: 'once' }],
  adminRotateKey: async () => [`/keys/${(await api.createCaller()).keyId}/rotate`],
  adminRevokeKey: async () => [`/keys/${(await api.createCaller()).keyId}/revoke`],
  adminRunAudit: async () => ['/audits'],
  adminShowResult: async () => [`/tasks/${await submit()}/result`],
  adminProbeChannel: async () => [`/channels/${await anyChannel()}/probe`],
  adminRetryTask: async () => [`/tasks/${await submit()}/retry`],
  adminFailTask: async () => [`/tasks/${await submit()}/fail`],
  adminResolveAttempt: async () => {
    const id = await submit();
    const attemptId = await giveToUpstream(id);
    await post(`/tasks/${id}/fail`);
    return [`/attempts/${attemptId}/resolve`, { resolution: 'paid' }];
  },
  adminRedeliver: async () => {
    const id = await dueDelivery();
    await post(`/deliveries/${id}/cancel`);
    return [`/deliveries/${id}/redeliver`];
  },
  adminRedeliverMany: async () => {
    await post(`/deliveries/${await dueDelivery()}/cancel`);
    return ['/deliveries/redeliver', { state: 'dropped' }];
  },
  adminCancelDelivery: async () => [`/deliveries/${await dueDelivery()}/cancel`],
  adminDrainChannel: async () => [`/channels/${await anyChannel()}/drain`],
  adminDisableChannel: async () => [`/channels/${await anyChannel()}/disable`],
  adminWeighChannel: async () => [`/channels/${await anyChannel()}/weigh`, { weight: 2 }],
  adminResetChannel: async () => [`/channels/${await anyChannel()}/reset`],
  adminInviteUser: async () => ['/users', { email: 'one@once.example', name: 'Once', role: 'read' }],
  adminUpdateUser: async () => [`/users/${await newUser()}`, { name: 'Twice' }],
  adminDisableUser: async () => [`/users/${await newUser()}/disable`],
  adminEnableUser: async () => {
    const id = await newUser();
    await post(`/users/${id}/disable`, {}, admin);
    return [`/users/${id}/enable`];
  },
  adminEndUserSessions: async () => [`/users/${await newUser()}/end-sessions`],
  adminResetUserSecondFactor: async () => [`/users/${await newUser()}/reset-second-factor`],
  adminResetUser: async () => [`/users/${await newUser()}/reset`],
  adminInviteUserAgain: async () => [`/users/${await newUser()}/invite`],
  adminDeleteUser: async () => [`/users/${await newUser()}`],
  adminAddChannel: async () => {
    await post('/secrets', { name: 'of-once', value: 'of a vendor' }, admin);
    const settings = {
      protocol: 'openai-images',
      base_url: 'https://once.example',
      api_key: ref('secret:of-once'),
      models: { 'imagegen-2': 'x' },
    };
    return ['/channels', { id: 'once', settings }];
  },
  adminUpdateChannel: async () => [`/channels/${await anyChannel()}`, { settings: { priority: 2 } }],
  adminRemoveChannel: async () => {
    await CHANGES['adminAddChannel']?.().then(([path, body]) => post(path, { ...body, id: 'twice' }, admin));
    return ['/channels/twice/remove'];
  },
  adminUpdateCallbackSchedule: async () => ['/callback-schedule', { settings: { timeout_seconds: 9 } }],
  adminSetSecret: async () => ['/secrets', { name: 'once', value: 'of a vendor' }],
  adminRemoveSecret: async () => {
    await post('/secrets', { name: 'gone', value: 'of a vendor' }, admin);
    return ['/secrets/gone/remove'];
  },
  adminCreateNoticeTarget: async () => ['/notices/targets', { medium: 'email', address: 'once@example.com' }],
  adminUpdateNoticeTarget: async () => [
    `/notices/targets/${await newNoticeTarget('changed')}`,
    { kinds: ['channel_sick'] },
  ],
  adminRemoveNoticeTarget: async () => [`/notices/targets/${await newNoticeTarget('removed')}/remove`],
  adminTestNoticeTarget: async () => [`/notices/targets/${await newNoticeTarget('tested')}/test`],
  adminUpdateNoticeSettings: async () => ['/notices/settings', { low_balance: 20 }],
  adminSetPrice: async () => ['/prices', { key: 'imageseed-4.0', price: { per_image: 0.04 } }],
};

async function newAccount(): Promise<string> {
  return (await post('/accounts', { name: 'Once' }, admin)).body.data.id;
}

async function newNoticeTarget(name: string): Promise<string> {
  const target = { medium: 'email', address: `${name}@example.com` };
  return (await post('/notices/targets', target, admin)).body.data.id;
}

/** A channel of the file that the tasks above do not need. */
async function anyChannel(): Promise<string> {
  const { data } = (await get('/channels')).body;
  return data.findLast(
    ({ protocol, models }: { protocol: string | null; models: string[] }) =>
      protocol !== null && !models.includes(String(SMALL_IMAGE['model'])),
  ).id;
}

async function dueDelivery(): Promise<string> {
  const id = await submit({ webhook: 'https://example.com/hook' });
  await post(`/tasks/${id}/fail`);
  return (await get(`/deliveries?task_id=${id}`)).body.data[0].id;
}

// A file whose origin is asked for comes by a body, and nothing is changed.
const CHANGING = OPERATIONS.filter(
  ({ auth, method, id }) => auth === 'operator' && method !== 'get' && id !== 'adminVerifyFile',
);

it.each(CHANGING.map(({ id, method }) => [id, method] as const))(
  '%s is made once under an Idempotency-Key, and 409 with another body',
  async (...[id, method]) => {
    const [path, given = {}] = (await CHANGES[id]?.()) ?? [];
    if (path === undefined) throw new Error('what does it change?');
    const headers = { 'idempotency-key': `once-${id}` };
    const body = { reason: 'once', ...given };
    const ask = (sent: object) =>
      api.post(`/admin/v1${path}`, sent, { key: admin, method: method.toUpperCase(), headers });
    const [first, again, other] = [await ask(body), await ask(body), await ask({ ...body, reason: 'twice' })];
    expect([first.status < 300, first.headers.get('idempotency-replayed')]).toEqual([true, null]);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true']);
    expect([other.status, other.body.error.reason]).toEqual([409, 'idempotency_conflict']);
    const noted = { where: { idempotencyKey: headers['idempotency-key'] } };
    expect(await api.database.auditLogEntry.count(noted)).toBe(1);
  },
);
