import sharp from 'sharp';
import type { Json } from './job-wires';
import { buttonOf, download, MJ_MS, mjCaller } from './mj';
import { type SimulatorUnderTest, startUnderTest } from './simulator-under-test';
import { inspectVideo } from './videos';

let simulator: SimulatorUnderTest;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: MJ_MS });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const { submit, fetchTask, finish, press } = mjCaller(() => simulator);
const sizeOf = async (image: Buffer) => {
  const { width, height, format } = await sharp(image).metadata();
  return [width, height, format];
};

describe('results', () => {
  it('are, with wrong-media, images of half the size in another format, and videos of half the size and a second', async () => {
    const grid = await finish('imagine', { prompt: 'a fox [[sim:wrong-media]]' });
    expect(await sizeOf(await download(grid.imageUrl))).toEqual([512, 512, 'jpeg']);
    expect(await sizeOf(await download(grid.imageUrls[3].url))).toEqual([256, 256, 'jpeg']);
    const { url } = (await finish('imagine', { prompt: 'a fox' })).imageUrls[0];
    const video = await finish('video', { image: url, prompt: 'x [[sim:wrong-media]]', batchSize: 1 });
    expect(await inspectVideo(await download(video.videoUrl))).toMatchObject({ width: 240, height: 240, seconds: 1 });
  });

  it.each([
    ['partial=0/4', null],
    ['partial=1/4', 1],
    ['partial=4/4', 4],
  ])('with %s tell of that many images, beside the grid', async (scenario, count) => {
    const { imageUrl, imageUrls } = await finish('imagine', { prompt: `a fox [[sim:${scenario}]]` });
    expect(imageUrls === null ? null : imageUrls.length).toBe(count);
    expect(await sizeOf(await download(imageUrl))).toEqual([1024, 1024, 'png']);
  });

  it('with partial=1/2 tell of one video', async () => {
    const { url } = (await finish('imagine', { prompt: 'a fox' })).imageUrls[0];
    const { videoUrls } = await finish('video', { image: url, prompt: 'x [[sim:partial=1/2]]', batchSize: 2 });
    expect(videoUrls).toHaveLength(1);
  });

  it('are without links, without anything, or of wrong types, as often as asked', async () => {
    const tell = async (scenario: string) => {
      const first = await finish('imagine', { prompt: `${scenario} [[sim:${scenario}*1]]` });
      return { first, second: await fetchTask(first.id) };
    };
    const missing = await tell('missing-url');
    expect(missing.first).toMatchObject({ status: 'SUCCESS', imageUrl: null, imageUrls: null });
    expect(missing.first.buttons).toEqual(missing.second.buttons);
    const empty = await tell('empty-result');
    expect(empty.first).toMatchObject({ status: 'SUCCESS', imageUrl: null, buttons: [] });
    const wrong = await tell('wrong-type');
    expect(wrong.first).toMatchObject({ status: 'SUCCESS', imageUrl: 42, imageUrls: 'none' });
    for (const { second } of [missing, empty, wrong]) expect(second.imageUrl).toMatch(/^http/);
  });

  it('spoil their downloads, but not those of previews', async () => {
    const { result } = await submit('imagine', { prompt: 'a fox [[sim:asset-404*1]]' });
    await simulator.moveClock({ advanceMs: MJ_MS / 2 });
    await download((await fetchTask(result)).imageUrl);
    await simulator.moveClock({ advanceMs: MJ_MS });
    const { imageUrl } = await fetchTask(result);
    expect([(await fetch(imageUrl)).status, (await fetch(imageUrl)).status]).toEqual([404, 200]);
  });
});

describe('a stuck task', () => {
  it('shows the same preview for good', async () => {
    const { result } = await submit('imagine', { prompt: 'a fox [[sim:stuck]]' });
    await simulator.moveClock({ advanceMs: 100 * MJ_MS });
    const task = await fetchTask(result);
    expect(task).toMatchObject({ status: 'IN_PROGRESS', progress: '31%', finishTime: null });
    expect(await sizeOf(await download(task.imageUrl))).toEqual([512, 512, 'webp']);
    expect((await fetch(task.imageUrl.replace('preview-31.webp', 'sheet.png'))).status).toBe(404);
  });
});

describe('what follows on a task', () => {
  let grid: Json;
  beforeEach(async () => {
    grid = await finish('imagine', { prompt: 'a fox in snow [[sim:busy*0]]' });
  });
  const upscale = (extra: object = {}) =>
    submit('action', { taskId: grid.id, customId: buttonOf(grid, 'MJ::JOB::upsample::1::'), ...extra });

  it('obeys rules about the words of that task, and the header, and no directive of it', async () => {
    const rule = { id: 'busy', match: { wire: 'mj', path: '/submit/action', prompt: '^a fox in snow$' } };
    await simulator.setRules([{ ...rule, scenario: 'busy*1' }]);
    expect(await upscale()).toMatchObject({ code: 23 });
    expect(await simulator.lastEntry()).toMatchObject({ rule: 'rule:busy', accepted: false, model: 'v7' });
    expect(await upscale()).toMatchObject({ code: 1 });
    await simulator.setRules([]);
    const { code } = await submit(
      'action',
      { taskId: grid.id, customId: buttonOf(grid, 'MJ::JOB::reroll::0::') },
      { headers: { 'mj-api-secret': 'sim-mj-key', 'x-sim-scenario': 'policy-submit' } },
    );
    expect(code).toBe(24);
  });

  it('may fail in what a window asks for', async () => {
    const upscaled = await press(grid, 'MJ::JOB::upsample::1::');
    const open = async () =>
      (await submit('action', { taskId: upscaled.id, customId: buttonOf(upscaled, 'MJ::Inpaint::1::') })).result;
    const confirm = async (prompt: string) => {
      const taskId = await open();
      await submit('modal', { taskId, prompt });
      await simulator.moveClock({ advanceMs: MJ_MS });
      return fetchTask(taskId);
    };
    expect(await confirm('ice [[sim:policy-result]]')).toMatchObject({
      status: 'FAILURE',
      prompt: 'ice',
      failReason: 'Banned prompt detected',
    });
    expect(await confirm('ice [[sim:stuck]]')).toMatchObject({ status: 'IN_PROGRESS', progress: '31%' });
    expect(await confirm('ice --v 99')).toMatchObject({ status: 'FAILURE', failReason: expect.stringMatching(/--v/) });
    const taskId = await open();
    expect(await submit('modal', { taskId, prompt: 'ice [[sim:busy*1]]' })).toMatchObject({ code: 23 });
    expect((await fetchTask(taskId)).status).toBe('MODAL');
    await expect(submit('modal', { taskId, prompt: 'ice [[sim:reset-after]]' })).rejects.toThrow();
    await simulator.moveClock({ advanceMs: MJ_MS });
    expect((await fetchTask(taskId)).status).toBe('SUCCESS');
  });
});
