import { inspectImage } from '@mediagate/media';
import { until } from '@mediagate/testkit';
import { download } from '../system/judged-answers';
import { changed, maskOf, type Pixels, partOf, pixelsOf } from '../system/pixels';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';
import { watchVideo } from '../system/watch-video';

let system: System;
let account: SystemAccount;
beforeAll(async () => {
  ({ system } = await sharedSystem());
  account = await system.account(1_000_000_000_000n);
});

const IMGTOOL = '/v1/imgtool/generations';

interface Result {
  grid_image_url?: string;
  image_urls?: string[];
  videos?: { url: string[] }[];
}

async function make(path: string, body: Record<string, unknown>) {
  const taskId = await account.caller.submit(body, `${IMGTOOL}${path}`);
  const record = await account.caller.ended(taskId, 90_000);
  expect([path, record.status, record.error?.message]).toEqual([path, 'completed', undefined]);
  return { taskId, record, result: record.result as unknown as Result };
}

const look = async (url: string | undefined) => inspectImage(await download(url));
const seen = async (url: string | undefined) => pixelsOf(await download(url));

it('imagines, upscales, zooms, pans and videos', async () => {
  const imagined = await make('/imagine', { prompt: 'a fox in the snow --ar 1:1 --v 7' });
  expect(imagined.result.image_urls).toHaveLength(4);
  // Its upstream knew where to call back, and did.
  const { hastenedAt } = await system.database.task.findUniqueOrThrow({ where: { id: imagined.taskId } });
  expect(hastenedAt).not.toBeNull();
  const grid = await look(imagined.result.grid_image_url);
  const tile = await look(imagined.result.image_urls?.[1]);
  expect(grid.width).toBe(tile.width * 2);

  const upscaled = await make('/upscale', { task_id: imagined.taskId, index: 2 });
  expect(upscaled.record.parent_task_id).toBe(imagined.taskId);
  expect((await look(upscaled.result.image_urls?.[0])).width).toBe(tile.width * 2);

  const zoomed = await make('/zoom', { task_id: upscaled.taskId, zoom_ratio: 2 });
  expect(zoomed.result.image_urls?.length).toBeGreaterThan(0);
  await make('/pan', { task_id: upscaled.taskId, direction: 'left' });

  const animated = await make('/video', { task_id: upscaled.taskId, index: 1, batch_size: 1 });
  expect(watchVideo(await download(animated.result.videos?.[0]?.url[0])).seconds).toBeGreaterThan(1);
}, 240_000);

it('a grid that comes alone is cut into its four images, and each can be chosen', async () => {
  const { taskId, result } = await make('/imagine', { prompt: 'a barn --ar 3:2 --v 7 [[sim:partial=0/4]]' });
  const { body } = await account.caller.get(`/v1/imgtool/${taskId}`);
  expect(body.data).toMatchObject({ grid_image_url: result.grid_image_url, image_urls: result.image_urls });
  const grid = await seen(result.grid_image_url);
  const tiles = await Promise.all((result.image_urls ?? []).map(seen));
  expect(tiles).toHaveLength(4);
  for (const [index, tile] of tiles.entries()) {
    const [left, top] = [(index % 2) * tile.width, Math.floor(index / 2) * tile.height];
    const part = partOf(grid, { left, top, right: left + tile.width, bottom: top + tile.height });
    // Jest takes seconds over millions of bytes, in which the service closes the connection.
    expect([part.width, part.height, part.rgb.equals(tile.rgb)]).toEqual([tile.width, tile.height, true]);
  }
  await make('/upscale', { task_id: taskId, index: 4 });
});

let grid: Awaited<ReturnType<typeof make>>;
let drawn: string;
beforeAll(async () => {
  grid = await make('/imagine', { prompt: 'a mill --ar 3:2 --v 8.1' });
  drawn = `data:image/png;base64,${(await download(grid.result.image_urls?.[0])).toString('base64')}`;
});

it('makes four new images of a grid', async () => {
  const other = await seen(grid.result.image_urls?.[0]);
  const actions: [path: string, body: Record<string, unknown>][] = [
    ['/variation', { index: 1 }],
    ['/high-variation', { index: 2 }],
    ['/low-variation', { index: 3 }],
    ['/remix-strong', { index: 4, prompt: 'a mill in the snow' }],
    ['/remix-subtle', { index: 1 }],
    ['/reroll', {}],
  ];
  const made = await Promise.all(actions.map(([path, body]) => make(path, { task_id: grid.taskId, ...body })));
  for (const { record, result } of made) {
    expect(record.parent_task_id).toBe(grid.taskId);
    expect(result.image_urls).toHaveLength(4);
    const one = await seen(result.image_urls?.[0]);
    expect(one.rgb.equals(other.rgb)).toBe(false);
    expect([one.width, one.height]).toEqual([other.width, other.height]);
  }
});

it('varies one of a grid whose version has that under single images only, made alone first, for one price', async () => {
  const { taskId, result } = await make('/imagine', { prompt: 'a kiln --ar 3:2 --v 7 --seed 77' });
  const parts = await Promise.all((result.image_urls ?? []).map(seen));
  for (const [path, index] of [
    ['/high-variation', 2],
    ['/low-variation', 3],
  ] as const) {
    const before = (await system.simulator.journal()).length;
    const varied = await make(path, { task_id: taskId, index, speed: 'fast' });
    expect(varied.result.image_urls).toHaveLength(4);
    const first = await seen(varied.result.image_urls?.[0]);
    for (const part of parts) expect(first.rgb.equals(part.rgb)).toBe(false);
    expect([varied.record.cost, varied.record.parent_task_id]).toEqual([0.08, taskId]);
    const pressed = (await system.simulator.journal())
      .slice(before)
      .filter(({ path: asked }) => asked.includes('/submit/'));
    expect(pressed.map(({ path: asked }) => asked)).toEqual(Array(2).fill('/mj-fast/mj/submit/action'));
    // Another operation can go on from the variation.
    await make('/upscale', { task_id: varied.taskId, index: 1 });
  }
});

it('a remix in new words is drawn by the version of its image, and can be remixed again', async () => {
  const remix = await make('/remix-strong', { task_id: grid.taskId, index: 1, prompt: 'more stars --v 7' });
  const { body } = await account.caller.get(`/mj/task/${remix.taskId}/fetch`);
  expect(body.properties.finalPrompt).toBe('more stars --v 8.1');
  await make('/remix-subtle', { task_id: remix.taskId, index: 2, prompt: 'fewer stars' });
});

it('a video ends with an image of the caller’s own, and is gone on with by its button', async () => {
  const video = await make('/video', { image_urls: [drawn], end_url: drawn });
  const { buttons } = (await account.caller.get(`/v1/imgtool/${video.taskId}`)).body.data;
  const customId = buttons.at(-1).custom_id;
  expect(customId).toContain('animate_low_extend::1::');
  const { body } = await account.caller.post('/mj/submit/action', { taskId: video.taskId, customId });
  const longer = await account.caller.ended(body.result, 60_000);
  expect([longer.status, longer.parent_task_id]).toEqual(['completed', video.taskId]);
});

it('makes four images of the caller’s own', async () => {
  const made = await Promise.all([
    make('/blend', { image_urls: [drawn, drawn], dimensions: 'PORTRAIT' }),
    make('/edits', { image_urls: [drawn], prompt: 'at night' }),
  ]);
  expect(made.map(({ result }) => result.image_urls?.length)).toEqual([4, 4]);
});

it('/describe finds four ways to say what an image shows', async () => {
  const { taskId } = await make('/describe', { image_urls: [drawn] });
  const { body } = await account.caller.get(`/v1/imgtool/${taskId}`);
  expect(body.data).toMatchObject({ action: 'describe', image_urls: [], grid_image_url: '' });
  expect(body.data.description.split(/\n+/)).toHaveLength(4);
});

it('banned words are named as the reason of a failure, which costs nothing', async () => {
  const before = await account.caller.balance();
  const id = await account.caller.submit({ prompt: 'a nude figure' }, `${IMGTOOL}/imagine`);
  expect(await account.caller.ended(id)).toMatchObject({ status: 'failed', cost: 0 });
  const { body } = await account.caller.get(`/v1/imgtool/${id}`);
  expect(body.data.fail_reason).toBe('Banned prompt content detected.');
  expect(await account.caller.balance()).toEqual(before);
});

let single: string;
let tile: Pixels;
beforeAll(async () => {
  const imagined = await make('/imagine', { prompt: 'a hut by a lake --ar 1:1 --v 7' });
  tile = await seen(imagined.result.image_urls?.[2]);
  single = (await make('/upscale', { task_id: imagined.taskId, index: 3 })).taskId;
});

const spent = () => account.caller.balance();
const legacyStatus = async (id: string) => (await account.caller.get(`/mj/task/${id}/fetch`)).body.status;
const record = async (id: string) => (await account.caller.get(`/v1/imgtool/${id}`)).body.data;
const _modal = (body: Record<string, unknown>, { caller } = account) => caller.post(`${IMGTOOL}/modal`, body);

/** An inpaint that the vendor has, and asks its words and mask of. */
async function waitingInpaint(): Promise<string> {
  const id = await account.caller.submit({ task_id: single }, `${IMGTOOL}/inpaint`);
  expect(await legacyStatus(id)).toMatch(/^(?:NOT_START|SUBMITTED|MODAL)$/);
  await until(async () => (await legacyStatus(id)) === 'MODAL');
  return id;
}

it('an inpaint waits, its modal paints over the mask and nothing else, and each of them is paid', async () => {
  const before = await spent();
  const inpaint = await waitingInpaint();
  const { externalId } = await system.database.taskAttempt.findFirstOrThrow({ where: { taskId: inpaint } });
  const questions = async () =>
    (await system.simulator.journal()).filter(({ path }) => path.endsWith(`/task/${externalId}/fetch`));
  await until(async () => (await questions()).length >= 2);
  expect(await record(inpaint)).toMatchObject({ status: 'pending', action: 'inpaint', fail_reason: '' });

  const { width, height } = tile;
  const box = { left: width / 4, top: height / 2, right: (3 * width) / 4, bottom: height };
  const mask_url = `data:image/png;base64,${maskOf(tile, box).toString('base64')}`;
  const painted = await make('/modal', { task_id: inpaint, prompt: 'a red boat', mask_url });
  expect(painted.record).toMatchObject({ parent_task_id: inpaint, cost: 0.05 });
  expect(painted.result.image_urls).toHaveLength(4);
  for (const url of painted.result.image_urls ?? []) {
    const { inside, outside } = changed(await seen(url), tile, box);
    expect(outside).toBe(0);
    expect(inside).toBeGreaterThan(0.5);
  }
  expect(await account.caller.ended(inpaint)).toMatchObject({ status: 'completed', cost: 0.01 });
  const after = await spent();
  expect(after.used_balance - before.used_balance).toBeCloseTo(0.06, 9);
  expect(before.remain_balance - after.remain_balance).toBeCloseTo(0.06, 9);
});
