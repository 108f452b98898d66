import { newTaskId, type TaskId } from '@mediagate/contracts';
import { attemptDelivery, forEachTest, runSql } from '@mediagate/testkit';
import { ALLOWED_ORIGIN, SMALL_IMAGE, startTestApi, type TestApi } from '../../../../test/test-api';

const DAY_MS = 86_400_000;

/** Two processes over one database: what one of them keeps of ended tasks, the other does not know. */
let api: TestApi;
let other: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  other = await startTestApi({ databaseUrl: api.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await api.stop();
});
const caller = forEachTest(() => api.createCaller());

async function submit(fields: object = {}): Promise<TaskId> {
  const { body } = await api.post('/v1/images/generations', { ...SMALL_IMAGE, ...fields }, { key: caller.key });
  return body.data[0].task_id;
}

async function end(taskId: TaskId): Promise<string> {
  const result = { images: [{ url: ['https://example.com/1.png'], expires_at: 4_000_000_000 }] };
  const { deliveryId = 'none' } = await api.end(taskId, { kind: 'completed', costNano: 1_000_000n, result });
  return deliveryId;
}

async function ended(fields?: object): Promise<TaskId> {
  const id = await submit(fields);
  await end(id);
  return id;
}

interface Asked {
  at?: TestApi;
  key?: string;
  have?: string;
  method?: string;
}

function get(path: string, { at = api, key = caller.key, have, method = 'GET' }: Asked = {}) {
  return at.get(path, { key, method, ...(have === undefined ? {} : { headers: { 'If-None-Match': have } }) });
}

const poll = (id: string, asked?: Asked) => get(`/v1/tasks/${id}`, asked);
const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag') ?? 'none';
/** The task as every process sees it: the one that has kept it, and the one that has not. */
const everywhere = (id: string) => Promise.all([poll(id), poll(id, { at: other })]);

/** Deletes the row by hand, as no process does: nobody is notified. */
const removeByHand = (id: TaskId) => runSql(api.database, 'delete from tasks where id = $1', [id]);

describe('polls of an ended task', () => {
  it('ask the database once: what was kept is answered without it, the same to the letter', async () => {
    const id = await ended();
    const first = await poll(id);
    await removeByHand(id);
    const again = await poll(id);
    expect([again.status, again.body, tagOf(again)]).toEqual([200, first.body, tagOf(first)]);
    expect((await poll(id, { at: other })).status).toBe(404);
  });

  it('are answered to its account alone, by the process that keeps it too, whatever tag they name', async () => {
    const id = await ended();
    const tag = tagOf(await poll(id));
    const { key } = await api.createCaller();
    for (const have of [undefined, tag, '*']) {
      expect((await poll(id, { key, ...(have === undefined ? {} : { have }) })).status).toBe(404);
    }
  });

  it('ask for a key that is in force', async () => {
    const id = await ended();
    const tag = tagOf(await poll(id));
    const sibling = await api.createCaller({ accountId: caller.accountId });
    await api.database.apiKey.update({ where: { id: sibling.keyId }, data: { revokedAt: new Date() } });
    expect((await poll(id, { key: sibling.key, have: tag })).status).toBe(401);
    expect((await poll(id, { key: 'none', have: tag })).status).toBe(401);
  });

  it('show how its callback stands now, at every process', async () => {
    const id = await submit({ webhook: `${ALLOWED_ORIGIN}/hooks` });
    const deliveryId = await end(id);
    const states = async () => (await everywhere(id)).map(({ body }) => body.data.callback.state);
    const before = tagOf(await poll(id));
    expect(await states()).toEqual(['pending', 'pending']);
    await reject(deliveryId);
    expect(await states()).toEqual(['rejected', 'rejected']);
    expect((await poll(id, { have: before })).status).toBe(200);
    await api.post(`/v1/tasks/${id}/redeliver`, undefined, { key: caller.key });
    expect(await states()).toEqual(['pending', 'pending']);
  });

  it('are 404 at every process as soon as it was pruned', async () => {
    const id = newTaskId(Date.now() - 1.1 * DAY_MS);
    await runSql(api.database, COPY, [await ended(), id]);
    for (const { status } of [...(await everywhere(id)), ...(await everywhere(id))]) expect(status).toBe(200);
    expect(await api.database.pruneTasks(DAY_MS, 10)).toHaveLength(1);
    for (const { status } of await everywhere(id)) expect(status).toBe(404);
  });

  it('show what was given back by hand where the ledger is asked for; the record stays', async () => {
    const id = await ended();
    const balance = '/v1/user/balance';
    const [first, tag] = [await poll(id), tagOf(await get(balance))];
    await api.database.refundTask({ taskId: id, note: 'test' }, { actor: 'test' });
    for (const at of [api, other]) {
      const { body } = await get(`/v1/tasks/${id}?include=ledger`, { at });
      expect(body.data.ledger).toContainEqual(expect.objectContaining({ kind: 'adjust' }));
      expect((await poll(id, { at })).body).toEqual(first.body);
      expect((await get(balance, { at, have: tag })).status).toBe(200);
    }
  });

  it('judge the query as ever', async () => {
    const id = await ended();
    await poll(id);
    expect((await get(`/v1/tasks/${id}?wait=never`)).status).toBe(400);
    expect((await get(`/v1/tasks/${id}?include=input`)).body.data).toHaveProperty('input');
    expect((await get(`/v1/tasks/${id}?wait=60`)).body.data.status).toBe('completed');
  });
});

describe('If-None-Match', () => {
  it('304 while the task is the same, at every process, and the record once it has changed', async () => {
    const id = await submit();
    const waiting = tagOf(await poll(id));
    const same = await poll(id, { at: other, have: waiting });
    expect([same.status, same.body, tagOf(same)]).toEqual([304, '', waiting]);
    expect(same.headers.get('cache-control')).toBe('private, no-cache');
    await end(id);
    const changed = await poll(id, { have: waiting });
    expect([changed.status, changed.body.data.status]).toEqual([200, 'completed']);
    for (const at of [api, other, api]) expect((await poll(id, { at, have: tagOf(changed) })).status).toBe(304);
  });

  it('counts as any other request, and is 429 when the limit is spent', async () => {
    const id = await ended();
    const { key } = await api.createCaller({ accountId: caller.accountId, queryPerMinute: 3 });
    const have = tagOf(await poll(id));
    const answers = [];
    for (let request = 0; request < 4; request += 1) answers.push(await poll(id, { key, have }));
    expect(answers.map(({ status }) => status)).toEqual([304, 304, 304, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
  });

  it('has a tag to ask with from HEAD', async () => {
    const id = await ended();
    const head = await poll(id, { method: 'HEAD' });
    expect([head.status, head.body, tagOf(head)]).toEqual([200, '', tagOf(await poll(id))]);
    expect((await poll(id, { method: 'HEAD', have: tagOf(head) })).status).toBe(304);
  });

  it.each(['/v1/tasks', '/v1/balance', '/v1/user/balance'])('of %s: 304 until something has changed', async (path) => {
    const have = tagOf(await get(path));
    expect((await get(path, { at: other, have })).status).toBe(304);
    await submit();
    expect((await get(path, { have })).status).toBe(200);
  });
});

/** The row of an ended task, under another id and 30 hours older. */
const COPY = `
insert into tasks select (jsonb_populate_record(t, jsonb_build_object('id', $2::text, 'created_at', t.created_at - interval '30 hours'))).* from tasks t where t.id = $1`;

async function reject(deliveryId: string): Promise<void> {
  await attemptDelivery(api.database, deliveryId, { httpStatus: 410, state: 'rejected', reason: 'http_410' });
}
