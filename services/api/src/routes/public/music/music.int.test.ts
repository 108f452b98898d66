import { type FinishRequest, taskError } from '@mediagate/billing';
import { newTaskId, type TaskStatus } from '@mediagate/contracts';
import { forAllTests, runSql } from '@mediagate/testkit';
import { acceptUpstream } from '../../../../test/imgtool-tasks';
import { catalogue } from '../../../../test/shared/known-api';
import { startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const send = (suffix: string, body: unknown, key = caller.key) =>
  api.post(`/v1/music/generations${suffix}`, body, { key });
const taskOf = (id: string) => api.database.task.findUniqueOrThrow({ where: { id } });
const track = {
  audio_id: 'clip-1',
  title: 'Harbour',
  lyrics: '',
  tags: 'waltz',
  duration: 120.5,
  audio_url: 'https://media.example/1.mp3',
  image_url: '',
  expires_at: 4_000_000_000,
};

/** The id of a track that was made, or of one that is being made. */
async function makeTrack({ finished = true, key = caller.key }: { finished?: boolean; key?: string } = {}) {
  const { body } = await send('', { gpt_description: 'a waltz' }, key);
  const taskId = body.data[0].task_id;
  if (finished) await acceptUpstream(api, taskId, { channelId: 'music-ttapi', protocol: 'ttapi-suno' });
  const outcome: FinishRequest['outcome'] = { kind: 'completed', costNano: 1n, result: { music: [track] } };
  if (finished) await api.end(taskId, outcome);
  return taskId;
}

const PATHS = catalogue.entries
  .filter(({ family }) => family === 'music')
  .flatMap((entry) => (entry.route?.paths ?? []).map((path) => [path, entry.operation, entry] as const));

describe('POST /v1/music/generations and what stands under it', () => {
  it.each(PATHS)('"%s" accepts the examples of %s without a model', async (path, operation, entry) => {
    const taskId = await makeTrack();
    for (const { model, ...example } of entry.examples) {
      const named = 'task_id' in example ? { task_id: taskId, audio_index: 1 } : {};
      const { status, headers, body } = await api.post(path, { ...example, ...named }, { key: caller.key });
      expect([status, body]).toEqual([
        200,
        { code: 200, data: [{ status: 'submitted', task_id: expect.stringMatching(/^task_/) }] },
      ]);
      expect(headers.get('x-task-id')).toBe(body.data[0].task_id);
      const task = await taskOf(body.data[0].task_id);
      expect(task).toMatchObject({ family: 'music', kind: 'music', model: entry.id, operation });
      expect(task.parentTaskId).toBe('task_id' in example ? taskId : null);
    }
  });

  it('takes the model by name and no other', async () => {
    expect((await send('', { model: 'MusicGen', gpt_description: 'a waltz' })).status).toBe(200);
    expect((await send('', { model: ' ', gpt_description: 'a waltz' })).status).toBe(200);
    const { status, body } = await send('', { model: 'videod-02', gpt_description: 'a waltz' });
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining('choose one of musicgen, musictrack-2'),
    ]);
    expect((await send('', { model: 7, gpt_description: 'a waltz' })).status).toBe(400);
  });

  it('makes tracks of other models where the body names them', async () => {
    const { status, body } = await send('', { model: 'musictrack-2', prompt: 'A slow waltz', duration: 60 });
    expect(status).toBe(200);
    expect(await taskOf(body.data[0].task_id)).toMatchObject({
      model: 'musictrack-2',
      operation: 'music.create',
      rates: { per_second: '5000000' },
      reservedNano: 300_000_000n,
    });
    const elsewhere = await send('/sounds', { model: 'musictrack-2', prompt: 'A foghorn' });
    expect(elsewhere.status).toBe(400);
  });

  it('keeps the price of the key that decided, and discards a version where there is none', async () => {
    const { body } = await send('/lyrics', { prompt: 'a ferry', version: 'v5' });
    expect(body.data[0].warnings).toEqual(['version was ignored: the model has no such field']);
    expect(await taskOf(body.data[0].task_id)).toMatchObject({
      rates: { 'musicgen@lyrics': '10000000' },
      reservedNano: 10_000_000n,
    });
  });

  it('keeps with the task what it needs of its source', async () => {
    const source = await makeTrack();
    const { body } = await send('/crop', { task_id: source, start_s: 0, end_s: 30 });
    const { input } = await taskOf(body.data[0].task_id);
    expect(input).toMatchObject({ source: { taskId: source, trackId: 'clip-1', seconds: 120.5 } });
  });

  it('a source that is missing, another account’s, unfinished or too short creates nothing', async () => {
    const stranger = await api.createCaller();
    const [foreign, unfinished, finished] = [
      await makeTrack({ key: stranger.key }),
      await makeTrack({ finished: false }),
      await makeTrack(),
    ];
    const rows = await api.countRows();
    const crop = async (body: object) => {
      const answer = await send('/crop', { start_s: 0, end_s: 30, ...body });
      return [answer.status, answer.body.error.type];
    };
    for (const task_id of [newTaskId(), foreign, 'nothing'])
      expect(await crop({ task_id })).toEqual([404, 'not_found']);
    expect(await crop({ task_id: unfinished })).toEqual([400, 'invalid_request_error']);
    expect(await crop({ task_id: finished, audio_index: 2 })).toEqual([400, 'invalid_request_error']);
    expect(await crop({ task_id: finished, end_s: 121 })).toEqual([400, 'invalid_request_error']);
    expect(await crop({})).toEqual([400, 'invalid_request_error']);
    expect(await api.countRows()).toEqual(rows);
  });
});

describe('GET /v1/music/tasks/{id}', () => {
  const get = (id: string, key = caller.key) => api.get(`/v1/music/tasks/${id}`, { key });

  it.each<[TaskStatus, number]>([
    ['submitted', 10],
    ['pending', 10],
    ['processing', 50],
  ])('a task that is %s reads pending, at %i', async (status, progress) => {
    const id = await makeTrack({ finished: false });
    await api.database.task.update({ where: { id }, data: { status, progress: 33 } });
    const money = { cost: 0, credits_cost: 0, reserved: 0.08 };
    expect((await get(id)).body).toMatchObject({
      code: 200,
      data: { id, status: 'pending', progress, kind: 'music', ...money },
    });
  });

  it('a finished one reads as it ended, at 100', async () => {
    const { body } = await get(await makeTrack());
    expect(body.data).toMatchObject({ status: 'completed', progress: 100, result: { music: [track] } });
    const failed = await makeTrack({ finished: false });
    const error = taskError('timeout');
    const { template: _, ...shown } = error;
    await api.end(failed, { kind: 'failed', error });
    expect((await get(failed)).body.data).toMatchObject({ status: 'failed', progress: 100, cost: 0, error: shown });
  });

  it('has no tasks of other kinds', async () => {
    const image = await api.post(
      '/v1/images/generations',
      { model: 'imageseed-4.0', prompt: 'a' },
      { key: caller.key },
    );
    expect((await get(image.body.data[0].task_id)).status).toBe(404);
  });
});

describe('GET /v1/tasks/{id}/lineage', () => {
  const lineage = async (id: string, key = caller.key) => (await api.get(`/v1/tasks/${id}/lineage`, { key })).body;
  const cropped = async (task_id: string) => {
    const { body } = await send('/crop', { task_id, start_s: 0, end_s: 30 });
    const taskId = body.data[0].task_id;
    const outcome: FinishRequest['outcome'] = { kind: 'completed', costNano: 1n, result: { music: [track] } };
    await api.end(taskId, outcome);
    return taskId;
  };
  const ids = (records: { id: string }[]) => records.map(({ id }) => id);

  it('shows what led to a task, nearest first, and what was made of it, by generation', async () => {
    const first = await makeTrack();
    const second = await cropped(first);
    const sibling = await cropped(first);
    const third = await cropped(second);
    const { data } = await lineage(second);
    expect([data.id, ids(data.ancestors), ids(data.descendants), data.truncated]).toEqual([
      second,
      [first],
      [third],
      false,
    ]);
    expect(data.descendants[0]).toMatchObject({ parent_task_id: second, status: 'completed', kind: 'music' });
    expect(ids((await lineage(third)).data.ancestors)).toEqual([second, first]);
    expect(ids((await lineage(first)).data.descendants)).toEqual([second, sibling, third]);
  });

  it('is empty for a task of no family', async () => {
    const id = await makeTrack();
    expect((await lineage(id)).data).toEqual({ id, ancestors: [], descendants: [], truncated: false });
  });

  it('shows at most 100 in each direction, and says that there are more', async () => {
    const id = await makeTrack();
    const child = await cropped(id);
    const { data: template } = { data: await taskOf(child) };
    await runSql(
      api.database,
      `insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version,
          parent_task_id, reserved_nano, deadline_at)
        select 'task_child' || lpad(n::text, 21, '0'), account_id, key_id, family, kind, model, operation, input, rates,
          catalogue_version, $1, reserved_nano, deadline_at from tasks, generate_series(1, 150) n where id = $2`,
      [id, template.id],
    );
    const { data } = await lineage(id);
    expect([data.descendants.length, data.truncated]).toEqual([100, true]);
    expect((await lineage(child)).data).toMatchObject({ ancestors: [{ id }], truncated: false });
  });
});
