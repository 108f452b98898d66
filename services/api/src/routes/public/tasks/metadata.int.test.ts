import { createHash } from 'node:crypto';
import type { TaskId } from '@mediagate/contracts';
import { forAllTests, runSql } from '@mediagate/testkit';
import { ALLOWED_ORIGIN, SMALL_IMAGE, startTestApi } from '../../../../test/test-api';
import { fileOf, pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const METADATA = { order: '7', customer: 'Åsa' };

const record = async (id: string) => (await api.get(`/v1/tasks/${id}`, { key: caller.key })).body.data;

async function submitted(path: string, body: unknown): Promise<TaskId> {
  const answer = await api.post(path, body, { key: caller.key });
  expect([path, answer.status, answer.body]).toEqual([path, 200, expect.anything()]);
  return answer.headers.get('x-task-id') as TaskId;
}

/** Tasks of the account under one entry of their metadata. */
async function labelled(name: string, value: string): Promise<string[]> {
  const hash = createHash('sha256').update(`${name}\0${value}`).digest().subarray(0, 16).toString('hex');
  const text = `select task_id from task_labels where account_id = '${caller.accountId}' and label_hash = '\\x${hash}'`;
  return (await runSql<{ task_id: string }>(api.database, text)).map(({ task_id }) => task_id);
}

describe('metadata', () => {
  it.each([
    ['/v1/images/generations', SMALL_IMAGE],
    ['/v1/images/edits', { ...SMALL_IMAGE, image_urls: ['https://example.com/a.png'] }],
    ['/v1/videos/generations', { model: 'videoe-v3', prompt: 'a boat', duration: 5 }],
    ['/v1/music/generations/lyrics', { prompt: 'a boat' }],
    ['/v1/imgtool/generations/imagine', { prompt: 'a boat' }],
    ['/mj/submit/imagine', { prompt: 'a boat' }],
  ])(
    'of a submission to %s is shown in its record, and the task is listed under each of its entries',
    async (path, body) => {
      const id = await submitted(path, { ...body, metadata: METADATA });
      expect((await record(id)).metadata).toEqual(METADATA);
      expect(await labelled('order', '7')).toContain(id);
      expect(await labelled('customer', 'Åsa')).toContain(id);
      expect(await labelled('order', '8')).toEqual([]);
    },
  );

  it('may come with a form, as JSON or entry by entry', async () => {
    const form = new FormData();
    form.set('model', 'imagegen-2.5-flare');
    form.set('prompt', 'a boat');
    form.set('image', fileOf(pngOf(8, 8)), 'a.png');
    form.set('metadata', JSON.stringify({ order: '7' }));
    form.set('metadata[customer]', 'Åsa');
    expect((await record(await submitted('/v1/images/edits', form))).metadata).toEqual(METADATA);
  });

  it('is no part of the input, which vendors see, and no field of a record without it', async () => {
    const id = await submitted('/v1/images/generations', { ...SMALL_IMAGE, metadata: METADATA });
    const { input } = await api.database.task.findUniqueOrThrow({ where: { id } });
    expect(input).not.toHaveProperty('metadata');
    expect(await record(await submitted('/v1/images/generations', SMALL_IMAGE))).not.toHaveProperty('metadata');
  });

  it('of the older interface has the mark of the task as an entry', async () => {
    const id = await submitted('/mj/submit/imagine', { prompt: 'a boat', state: 'mine', metadata: METADATA });
    expect((await record(id)).metadata).toEqual({ ...METADATA, state: 'mine' });
    const { body } = await api.get(`/mj/task/${id}/fetch`, { key: caller.key });
    expect(body.state).toBe('mine');
  });

  it('that is wrong is refused with each of its faults, and nothing is written', async () => {
    const rows = await api.countRows();
    const metadata = { order: 7, note: 'x'.repeat(513) };
    const { status, body } = await api.post(
      '/v1/images/generations',
      { ...SMALL_IMAGE, metadata },
      { key: caller.key },
    );
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      param: 'metadata.order',
      errors: [
        { param: 'metadata.order', reason: 'invalid_parameter' },
        { param: 'metadata.note', reason: 'invalid_parameter' },
      ],
    });
    expect(await api.countRows()).toEqual(rows);
  });

  it('of an image-tool task may be any object, of which the short texts are listed', async () => {
    const metadata = { order: '9', lines: [1, 2], note: 'x'.repeat(513) };
    const id = await submitted('/v1/imgtool/generations/imagine', { prompt: 'a boat', metadata });
    expect((await record(id)).metadata).toEqual(metadata);
    expect(await labelled('order', '9')).toEqual([id]);
    expect(await runSql(api.database, `select 1 from task_labels where task_id = '${id}'`)).toHaveLength(1);
  });

  it('goes with its task when that is pruned', async () => {
    const webhook = ALLOWED_ORIGIN;
    const id = await submitted('/v1/images/generations', { ...SMALL_IMAGE, metadata: { order: 'old' }, webhook });
    const outcome = { kind: 'completed', costNano: 1n, result: {} } as const;
    await api.end(id, outcome);
    await runSql(api.database, "update webhook_deliveries set state = 'delivered'");
    await api.database.pruneTasks(-1000, 1000);
    expect(await api.database.task.findUnique({ where: { id } })).toBeNull();
    expect(await labelled('order', 'old')).toEqual([]);
  });
});
