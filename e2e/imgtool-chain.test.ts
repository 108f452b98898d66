import { inspectImage } from '@mediagate/media';
import { type System, type SystemAccount, startSystem } from './system/start-system';
import { watchVideo } from './system/watch-video';

let system: System;
let account: SystemAccount;
beforeAll(async () => {
  system = await startSystem();
  account = await system.account(1_000_000_000_000n);
}, 120_000);
afterAll(() => system.stop(), 60_000);

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

async function look(url: string | undefined) {
  return inspectImage(Buffer.from(await (await fetch(url ?? '')).arrayBuffer()));
}

describe('a chain of image-tool jobs, each on the result of the one before', () => {
  it('imagines, upscales, zooms, pans and films', async () => {
    const imagined = await make('/imagine', { prompt: 'a fox in the snow --ar 1:1 --v 7' });
    expect(imagined.result.image_urls).toHaveLength(4);
    const grid = await look(imagined.result.grid_image_url);
    const tile = await look(imagined.result.image_urls?.[1]);
    expect(grid.width).toBe(tile.width * 2);

    const upscaled = await make('/upscale', { task_id: imagined.taskId, index: 2 });
    expect(upscaled.record.parent_task_id).toBe(imagined.taskId);
    expect((await look(upscaled.result.image_urls?.[0])).width).toBe(tile.width * 2);

    const zoomed = await make('/zoom', { task_id: upscaled.taskId, zoom_ratio: 2 });
    expect(zoomed.result.image_urls?.length).toBeGreaterThan(0);
    await make('/pan', { task_id: upscaled.taskId, direction: 'left' });

    const filmed = await make('/video', { task_id: upscaled.taskId, index: 0, batch_size: 1 });
    const film = await fetch(filmed.result.videos?.[0]?.url[0] ?? '');
    expect(watchVideo(Buffer.from(await film.arrayBuffer())).seconds).toBeGreaterThan(1);
  }, 240_000);

  it('refuses what the parent does not offer, before anything is charged', async () => {
    const { taskId } = await make('/imagine', { prompt: 'an owl --v 7' });
    const zoom = await account.caller.post(`${IMGTOOL}/zoom`, { task_id: taskId, zoom_ratio: 2 });
    expect(zoom.status).toBe(400);
    const missing = { task_id: 'task_00000000000000000000000000', index: 1 };
    expect((await account.caller.post(`${IMGTOOL}/upscale`, missing)).status).toBe(404);
  }, 120_000);

  it('leaves the books right', async () => {
    expect(await system.audit()).toEqual([]);
  });
});
