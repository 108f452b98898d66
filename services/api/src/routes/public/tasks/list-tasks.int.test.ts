import { type FinishRequest, taskError } from '@mediagate/billing';
import { firstTaskIdAt, newTaskId, type TaskId } from '@mediagate/contracts';
import { forAllTests, runSql } from '@mediagate/testkit';
import { ALLOWED_ORIGIN, type Caller, SMALL_IMAGE, startTestApi } from '../../../../test/test-api';
import { makeCursor } from '../../../http/fields/page';

let caller: Caller;

const api = forAllTests(startTestApi);
beforeEach(async () => {
  caller = await api.createCaller();
});

const list = (query = '', key = caller.key) => api.get(`/v1/tasks${query}`, { key });
const read = async (id: TaskId) => (await api.get(`/v1/tasks/${id}`, { key: caller.key })).body.data;

async function submit(fields: object = {}, headers: Record<string, string> = {}): Promise<TaskId> {
  const { body } = await api.post(
    '/v1/images/generations',
    { ...SMALL_IMAGE, ...fields },
    { key: caller.key, headers },
  );
  return body.data[0].task_id;
}

async function listed(query: string): Promise<TaskId[]> {
  const { status, body } = await list(query);
  expect([query, status, body.has_more, body.next_cursor]).toEqual([query, 200, false, null]);
  return body.data.map(({ id }: { id: TaskId }) => id);
}

type Outcome = FinishRequest['outcome'];

async function end(taskId: TaskId, kind: 'completed' | 'failed'): Promise<void> {
  const outcome: Outcome =
    kind === 'completed' ? { kind, costNano: 1n, result: { images: [] } } : { kind, error: taskError('timeout') };
  await api.end(taskId, outcome);
}

async function pages(query: string): Promise<TaskId[][]> {
  const found: TaskId[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await list(`?${query}&cursor=${cursor}`);
    found.push(body.data.map(({ id }: { id: TaskId }) => id));
    expect(body.has_more).toBe(body.next_cursor !== null);
    cursor = body.next_cursor;
  }
  return found;
}

async function rename(table: string, [from, to]: [from: TaskId, to: TaskId]): Promise<void> {
  await runSql(api.database, `update ${table} set task_id = $2 where task_id = $1`, [from, to]);
}

/** Inserts failed tasks, more than a page looks at, and newer than the others of the account. */
function insertFailed(count: number): Promise<unknown> {
  return runSql(api.database, insertTasks('task_7', `'failed', 100, '{}', now()`), [
    caller.accountId,
    caller.keyId,
    count,
  ]);
}

function insertOpen(count: number): Promise<unknown> {
  return runSql(api.database, insertTasks('task_6', `'processing', 0, null, null`), [
    caller.accountId,
    caller.keyId,
    count,
  ]);
}

/** Newer than any other. */
const insertTasks = (prefix: string, state: string) => `
insert into tasks (id, account_id, key_id, family, kind, model, operation, status, progress, error, completed_at, input, rates,
  catalogue_version, reserved_nano, deadline_at)
select '${prefix}' || lpad(n::text, 25, '0'), $1, $2, 'image', 'image', 'a-model', 'images.generations', ${state}, '{}', '{}', 1,
  0, now() + interval '1 hour'
from generate_series(1, $3) n`;

describe('GET /v1/tasks', () => {
  it('200: has the records of the account, the newest first, as each is read by itself', async () => {
    expect((await list()).body).toEqual({ code: 200, data: [], next_cursor: null, has_more: false });
    const older = await submit({ metadata: { order: '7' }, webhook: `${ALLOWED_ORIGIN}/hook` });
    const newer = await submit();
    await end(older, 'completed');
    const { body } = await list();
    expect(body).toEqual({
      code: 200,
      data: [await read(newer), await read(older)],
      next_cursor: null,
      has_more: false,
    });
    expect(body.data[1].callback.state).toBe('pending');
  });

  it('200: goes on page by page; each task is on one, and new ones on none', async () => {
    const ids: TaskId[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await submit());
    expect(await pages('limit=2')).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await pages('limit=5')).toEqual([ids]);
    const { body } = await list('?limit=2');
    await submit();
    expect((await list(`?limit=2&cursor=${body.next_cursor}`)).body.data).toMatchObject([
      { id: ids[2] },
      { id: ids[3] },
    ]);
  });

  it('400: a model that there is not and that no task had', async () => {
    const { status, body } = await list('?model=nope');
    expect([status, body.error.param, body.error.reason]).toEqual([400, 'model', 'unknown_model']);
    expect((await list('?model=imagegen-2&status=failed')).status).toBe(200);
  });

  it('200: each filter and any of them together', async () => {
    const failed = await submit({
      metadata: { order: '7', customer: 'Åsa' },
      webhook: `${ALLOWED_ORIGIN}/hook`,
    });
    const webhook = `${ALLOWED_ORIGIN}/hook`;
    const completed = await submit({ metadata: { order: '7' }, webhook }, { 'Idempotency-Key': 'mine' });
    const child = await submit({ model: 'imagegen-2', webhook });
    const yesterday = new Date(Date.now() - 86_400_000);
    const old = firstTaskIdAt(yesterday.getTime());
    for (const table of ['reservations', 'task_labels']) await rename(table, [failed, old]);
    await api.database.task.update({ where: { id: failed }, data: { createdAt: yesterday, id: old } });
    await end(old, 'failed');
    await end(completed, 'completed');
    await api.database.webhookDelivery.update({ where: { taskId: old }, data: { state: 'rejected' } });
    await api.database.task.update({ where: { id: child }, data: { status: 'processing', parentTaskId: completed } });
    const at = Math.floor(yesterday.getTime() / 1000);
    const today = new Date().toISOString().slice(0, 10);
    const expected: [query: string, ids: TaskId[]][] = [
      ['status=failed', [old]],
      ['status=completed', [completed]],
      ['status=processing', [child]],
      ['status=Submitted', []],
      ['family=image', [child, completed, old]],
      ['family=video', []],
      ['model=imagegen-2', [child]],
      ['model=IMAGEGEN-2.5-flare', [completed, old]],
      [`created_after=${at + 1}`, [child, completed]],
      [`created_after=${at}`, [child, completed, old]],
      [`created_before=${at + 1}`, [old]],
      [`created_before=${at}`, []],
      [`created_after=${today}&created_before=${today}`, [child, completed]],
      ['idempotency_key=mine', [completed]],
      ['idempotency_key=other', []],
      [`parent_task_id=${completed}`, [child]],
      [`parent_task_id=${newTaskId()}`, []],
      ['metadata.order=7', [completed, old]],
      ['metadata.order=7&metadata.customer=%C3%85sa', [old]],
      ['metadata.order=8', []],
      ['callback=failed', [old]],
      ['callback=rejected', [old]],
      ['callback=delivered', []],
      ['callback=failed&metadata.order=7&status=failed&family=image&model=imagegen-2.5-flare', [old]],
      ['callback=failed&family=image', [old]],
      ['callback=pending', [child, completed]],
      ['callback=pending&model=imagegen-2.5-flare', [completed]],
      ['callback=pending&status=processing', [child]],
      ['family=image&status=completed', [completed]],
      ['idempotency_key=mine&status=failed', []],
      [`parent_task_id=${completed}&status=processing&family=image`, [child]],
    ];
    for (const [query, ids] of expected) expect([query, await listed(`?${query}`)]).toEqual([query, ids]);
    for (const query of [
      'family=image',
      'status=failed',
      'metadata.order=7',
      'created_after=1',
      'callback=failed',
      'callback=pending',
    ]) {
      expect((await pages(`${query}&limit=1`)).flat()).toEqual(await listed(`?${query}`));
    }
  });

  it('200: a page ends short after 5,000 tasks that a second filter does not want, and the next goes on', async () => {
    const wanted = await submit();
    await end(wanted, 'completed');
    await insertFailed(5001);
    const found = await pages('status=completed&limit=1');
    expect(found).toEqual([[], [wanted]]);
    expect((await pages('family=image&status=completed')).flat()).toEqual([wanted]);
    expect(await pages('family=image&status=completed&created_before=2000000000')).toEqual([[wanted]]);
  });

  it('200: a model is found among 5,001 open tasks of another, whether its tasks have ended or not', async () => {
    const [ended, open] = [await submit(), await submit()];
    await end(ended, 'completed');
    await insertOpen(5001);
    for (const query of ['model=imagegen-2.5-flare', 'model=imagegen-2.5-flare&limit=1']) {
      expect((await pages(query)).flat()).toEqual([open, ended]);
    }
  });

  it('200: shows beside each record what include asks for, by as many statements for all as for one', async () => {
    const [first, second] = [await submit({ size: undefined }), await submit()];
    const { body } = await list('?include=input,attempts,ledger');
    const alone = await Promise.all(
      [second, first].map((id) => api.get(`/v1/tasks/${id}?include=input,attempts,ledger`, { key: caller.key })),
    );
    expect(body.data).toEqual(alone.map((answer) => answer.body.data));
    expect(body.data[1]).toMatchObject({ input: { size: 'auto' }, attempts: [], ledger: [{ kind: 'hold' }] });
    expect((await list('?include=input&limit=1')).body.data).toHaveLength(1);
  });

  it.each([
    ['limit=21&include=input', ['limit']],
    ['include=everything', ['include']],
    ['status=done', ['status']],
    ['family=images', ['family']],
    ['model=a%00', ['model']],
    ['created_after=tomorrow', ['created_after']],
    ['created_before=2026-02-30', ['created_before']],
    ['idempotency_key=a%20b', ['idempotency_key']],
    ['parent_task_id=1', ['parent_task_id']],
    ['callback=lost', ['callback']],
    ['metadata.=1', ['metadata.']],
    ['metadata.a=%00', ['metadata.a']],
    [`metadata.a=${'x'.repeat(513)}`, ['metadata.a']],
    ['metadata.a=1&metadata.a=2', ['metadata.a']],
    ['cursor=abc', ['cursor']],
    [`cursor=${makeCursor('ledger', '1')}`, ['cursor']],
    [`cursor=${makeCursor('tasks', "task_' or 1=1")}`, ['cursor']],
    ['page=2', ['page']],
    ['limit=ten&cursor=x&status=done&sort=id', ['limit', 'cursor', 'status', 'sort']],
  ])('400: names what is wrong in ?%s', async (query, params) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.error.param]).toEqual([400, params[0]]);
    expect(body.error.errors?.map(({ param }: { param: string }) => param) ?? params).toEqual(params);
  });

  it('400: says what is accepted in place of what was sent', async () => {
    const { body } = await list('?created_after=tomorrow&cursor=x&parent_task_id=1&idempotency_key=%C3%A9');
    expect(body.error.errors.map(({ message }: { message: string }) => message)).toEqual([
      'cursor must be the next_cursor of an answer of this list',
      'created_after must be a day or a time in Unix seconds, such as 2026-11-22, 1795305600',
      'idempotency_key must be 1 to 255 visible ASCII characters',
      'parent_task_id must be the id of a task: task_ and 26 lower-case letters and digits',
    ]);
  });
});
