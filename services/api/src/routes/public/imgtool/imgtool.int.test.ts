import { taskError } from '@mediagate/billing';
import { type JsonObject, message } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { acceptUpstream, finishImgtool, GRID, SINGLE, TILES } from '../../../../test/imgtool-tasks';
import { catalogue } from '../../../../test/shared/known-api';
import { startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const send = (suffix: string, body: unknown, key = caller.key) =>
  api.post(`/v1/imgtool/generations${suffix}`, body, { key });
const get = (id: string, key = caller.key) => api.get(`/v1/imgtool/${id}`, { key });
const taskOf = (id: string) => api.database.task.findUniqueOrThrow({ where: { id } });

async function submitted(suffix: string, body: JsonObject, key = caller.key): Promise<string> {
  const answer = await send(suffix, body, key);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data[0].task_id;
}

/** Submits a task and finishes it with this result. */
async function made(result: JsonObject, prompt = 'a fox --v 7'): Promise<string> {
  const id = await submitted('', { prompt });
  await finishImgtool(api, id, result);
  return id;
}

/** A parent for each operation that needs one. */
const PARENTS: Readonly<Record<string, () => Promise<string>>> = {
  upscale: () => made(GRID),
  variation: () => made(GRID),
  reroll: () => made(GRID),
  video: () => made(GRID),
  'remix-strong': () => made(GRID, 'a fox --v 8.1'),
  'remix-subtle': () => made(GRID, 'a fox --v 8.1'),
  modal: async () => {
    const id = await submitted('/inpaint', { task_id: await made(SINGLE) });
    await acceptUpstream(api, id);
    return id;
  },
};

const PATHS = catalogue.entries
  .filter(({ family }) => family === 'imgtool')
  .flatMap(({ route, operation }) => (route?.paths ?? []).map((path) => [path, operation] as const));

describe('POST /v1/imgtool/generations and what stands under it', () => {
  it.each(PATHS)('"%s" takes the examples of %s, whatever model they name', async (path, operation) => {
    for (const { model: _, ...example } of catalogue.find('imgtool', operation)?.examples ?? []) {
      const makeParent = PARENTS[operation.slice('imgtool.'.length)] ?? (() => made(SINGLE));
      const parent = 'task_id' in example ? await makeParent() : undefined;
      const named = parent === undefined ? {} : { task_id: parent };
      const { status, body } = await api.post(path, { model: 'imagegen-2', ...example, ...named }, { key: caller.key });
      expect([status, body]).toEqual([
        200,
        { code: 200, data: [{ status: 'submitted', task_id: expect.stringMatching(/^task_/) }] },
      ]);
      expect(await taskOf(body.data[0].task_id)).toMatchObject({
        family: 'imgtool',
        kind: 'imgtool',
        model: 'imgtool',
        operation,
        parentTaskId: parent ?? null,
      });
    }
  });

  it.each([
    ['a day', {}, 86_400_000],
    ['less where the caller wants that', { expires_in: 60 }, 60_000],
  ])('lets a task wait for %s, and ends it 30 minutes later', async (_, fields, waitMs) => {
    const { createdAt, startBy, deadlineAt } = await taskOf(
      await submitted('/imagine', { prompt: 'a fox', ...fields }),
    );
    expect(Number(startBy) - createdAt.getTime()).toBe(waitMs);
    expect(deadlineAt.getTime() - Number(startBy)).toBe(1_800_000);
  });

  it('reserves by the billing key that decides, and video once for each', async () => {
    const fast = await taskOf(await submitted('', { prompt: 'a fox --fast' }));
    expect(fast).toMatchObject({ rates: { 'imgtool@imagine-fast': '80000000' }, reservedNano: 80_000_000n });
    const video = { image_urls: ['https://example.com/a.png'], batch_size: 4, video_type: 720 };
    const videos = await taskOf(await submitted('/video', video));
    expect(videos).toMatchObject({ rates: { 'imgtool@video-720p': '500000000' }, reservedNano: 2_000_000_000n });
  });
});

const MODAL = { type: 'modal', method: 'POST', path: '/v1/imgtool/generations/modal' };

/** The next action in each view of the task. */
async function nextActions(id: string): Promise<unknown[]> {
  const read = async (path: string) => (await api.get(path, { key: caller.key })).body;
  const batch = await api.post('/v1/tasks/batch', { ids: [id] }, { key: caller.key });
  const listed = (await read('/v1/tasks?family=imgtool&limit=100')).data.find((each: { id: string }) => each.id === id);
  const legacy = await read(`/mj/task/${id}/fetch`);
  const records = [(await read(`/v1/tasks/${id}`)).data, (await get(id)).body.data, batch.body.data[0], listed];
  return [...records, legacy.properties].map(({ next_action }) => next_action);
}

describe('inpaint and its modal', () => {
  it('the modal goes on with the task that waits, and with no other', async () => {
    const inpaint = await submitted('/inpaint', { task_id: await made(SINGLE) });
    const awaitsModal = async () => {
      const { awaits_modal: awaits } = (await get(inpaint)).body.data;
      expect(await nextActions(inpaint)).toEqual(Array(5).fill(awaits ? { ...MODAL, task_id: inpaint } : undefined));
      return awaits;
    };
    expect(await awaitsModal()).toBe(false);
    expect((await send('/modal', { task_id: inpaint, prompt: 'a door' })).status).toBe(400);
    const refused = async (body: object, path = '/modal') => (await send(path, body)).body.error.message;
    expect(await refused({ prompt: 'a boat' })).toBe('task_id is required');
    expect(await refused({ task_id: await made(SINGLE) })).toBe('task_id must name an inpaint task');
    expect(await refused({ task_id: await made(GRID), zoom_ratio: 2 }, '/zoom')).toContain(
      'not available for this task',
    );
    await acceptUpstream(api, inpaint);
    expect(await awaitsModal()).toBe(true);
    const modal = await taskOf(await submitted('/modal', { task_id: inpaint, prompt: 'a door' }));
    expect(modal).toMatchObject({ parentTaskId: inpaint, input: { parent: { externalId: inpaint }, version: 'v7' } });
    expect(await awaitsModal()).toBe(false);
    const error = taskError('timeout');
    await api.end(inpaint, { kind: 'failed', error });
    const late = await send('/modal', { task_id: inpaint });
    expect([late.status, late.body.error.message]).toEqual([
      400,
      expect.stringContaining('not available for this task'),
    ]);
    expect((await get(inpaint)).body.data).toMatchObject({ status: 'failed', fail_reason: 'Task timeout', cost: 0 });
  });
});

it('a window is answered once: a second modal is refused unless the first one failed', async () => {
  const inpaint = await submitted('/inpaint', { task_id: await made(SINGLE) });
  await acceptUpstream(api, inpaint);
  const first = await submitted('/modal', { task_id: inpaint, prompt: 'a door' });
  const second = await send('/modal', { task_id: inpaint, prompt: 'a gate' });
  expect([second.status, second.body.error.message]).toEqual([400, expect.stringContaining('had its modal')]);
  const error = taskError('upstream_error', { message: message('foreign', { text: 'mask_url: no' }) });
  await api.end(first, { kind: 'failed', error });
  expect((await get(inpaint)).body.data.awaits_modal).toBe(true);
  await submitted('/modal', { task_id: inpaint, prompt: 'a gate' });
});

it('of modals for one window in the same instant one is accepted, and the others are refused and book nothing', async () => {
  const inpaint = await submitted('/inpaint', { task_id: await made(SINGLE) });
  await acceptUpstream(api, inpaint);
  const rows = await api.countRows();
  const rush = Array.from({ length: 5 }, (_, index) => send('/modal', { task_id: inpaint, prompt: `door ${index}` }));
  const answers = await Promise.all(rush);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
  for (const { body } of answers.filter(({ status }) => status === 400)) {
    expect(body.error).toMatchObject({ type: 'invalid_request_error', message: expect.stringMatching(/^task_id: /) });
  }
  const { tasks, reservations } = await api.countRows();
  expect([tasks, reservations]).toEqual([Number(rows['tasks']) + 1, Number(rows['reservations']) + 1]);
});

describe('GET /v1/imgtool/{id}', () => {
  it('shows buttons, grid and single images beside the record', async () => {
    const id = await made(GRID);
    const { status, body } = await get(id);
    expect([status, body.code]).toEqual([200, 200]);
    expect(body.data).toMatchObject({
      id,
      kind: 'imgtool',
      status: 'completed',
      progress: 100,
      action: 'imagine',
      prompt: 'a fox',
      fail_reason: '',
      grid_image_url: 'https://media.example/grid.png',
      image_urls: TILES,
      description: '',
      result: GRID,
      cost: 0.000000001,
      credits_cost: 0.00000001,
      reserved: 0,
      buttons: GRID['buttons'],
    });
  });

  it('has all its fields from the beginning', async () => {
    const { body } = await get(await submitted('/high-variation', { task_id: await made(SINGLE), index: 1 }));
    expect(body.data).toMatchObject({
      cost: 0,
      credits_cost: 0,
      reserved: 0.05,
      status: 'submitted',
      action: 'high_variation',
      prompt: '',
      buttons: [],
      grid_image_url: '',
      awaits_modal: false,
      image_urls: [],
      description: '',
      fail_reason: '',
      parent_task_id: expect.stringMatching(/^task_/),
    });
  });

  it('shows what was described', async () => {
    const id = await submitted('/describe', { image_urls: ['https://example.com/a.png'] });
    await finishImgtool(api, id, { description: '1. a fox' });
    expect((await get(id)).body.data).toMatchObject({ action: 'describe', description: '1. a fox' });
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

it('a language that was sent along is named as ignored, because only the record can be asked for in one', async () => {
  const { status, body } = await send('', { prompt: 'a fox', language: 'de' });
  expect([status, body.data[0].warnings]).toEqual([200, [expect.stringMatching(/^language was ignored/)]]);
  expect(await taskOf(body.data[0].task_id)).toMatchObject({ language: null });
});
