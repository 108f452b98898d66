import sharp from 'sharp';
import { colours, flatPng, type Region } from './images';
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

const sheetOf = (task: Json) => download(task.imageUrl);
const singleOf = (task: Json, index = 0) => download(task.imageUrls[index].url);
const sizeOf = async (image: Buffer) => {
  const { width, height, format } = await sharp(image).metadata();
  return [width, height, format];
};
const dataUrl = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;
/** How far two images of one size are apart, from 0 to 255. */
const distance = async (one: Buffer, other: Buffer, region?: Region) => {
  const { width, height } = await sharp(one).metadata();
  const where = region ?? { left: 0, top: 0, width, height };
  const [first, second] = [await colours(one, where), await colours(other, where)];
  expect(second).toHaveLength(first.length);
  return first.reduce((sum, value, index) => sum + Math.abs(value - (second[index] ?? 0)), 0) / first.length;
};
const resized = (image: Buffer, width: number, height: number) =>
  sharp(image).resize(width, height, { fit: 'fill' }).png().toBuffer();
const part = (image: Buffer, region: Region) => sharp(image).extract(region).png().toBuffer();

describe('a grid', () => {
  it('is four different images, two above and two below, each to be had alone', async () => {
    const task = await finish('imagine', { prompt: 'a lighthouse' });
    const sheet = await sheetOf(task);
    expect([task.width, task.height, await sizeOf(sheet)]).toEqual([1024, 1024, [1024, 1024, 'png']]);
    const singles = await Promise.all([0, 1, 2, 3].map((index) => singleOf(task, index)));
    for (const [index, single] of singles.entries()) {
      expect(await sizeOf(single)).toEqual([512, 512, 'png']);
      const tile = { left: (index % 2) * 512, top: index < 2 ? 0 : 512, width: 512, height: 512 };
      expect(await distance(single, await part(sheet, tile))).toBe(0);
    }
    expect(await distance(singles[0] as Buffer, singles[1] as Buffer)).toBeGreaterThan(20);
    expect(await sizeOf(await download(task.imageUrls[0].thumbnail))).toEqual([256, 256, 'webp']);
  });

  it.each([
    ['3:2', 624, 416],
    ['9:16', 384, 688],
    ['1:1', 512, 512],
  ])('of --ar %s has images of %i by %i', async (ratio, width, height) => {
    const task = await finish('imagine', { prompt: `a pier --ar ${ratio}` });
    expect(await sizeOf(await singleOf(task))).toEqual([width, height, 'png']);
    expect(await sizeOf(await sheetOf(task))).toEqual([2 * width, 2 * height, 'png']);
  });

  it('is the same for the same prompt and seed, and another for another seed, model or --no', async () => {
    const draw = async (prompt: string) => singleOf(await finish('imagine', { prompt }));
    const first = await draw('a red boat --seed 7');
    expect(await distance(first, await draw('a red boat --seed 7'))).toBe(0);
    expect(await distance(first, await draw('a red boat --seed 90'))).toBeGreaterThan(10);
    expect(await distance(first, await draw('a red boat --seed 7 --niji 6'))).toBeGreaterThan(5);
    expect(await distance(first, await draw('a red boat --seed 7 --no red'))).toBeGreaterThan(10);
    expect(await distance(first, await draw('a red boat --seed 7 --v 6.1 --s 50 --q .5'))).toBe(0);
  });

  it('of --tile fits itself at its edges', async () => {
    const tile = await singleOf(await finish('imagine', { prompt: 'leaves --tile' }));
    const column = (left: number) => ({ left, top: 0, width: 1, height: 512 });
    const row = (top: number) => ({ left: 0, top, width: 512, height: 1 });
    expect(await colours(tile, column(0))).toEqual(await colours(tile, column(511)));
    expect(await colours(tile, row(0))).toEqual(await colours(tile, row(511)));
  });

  it('shows the images that the prompt starts from, as much as they count', async () => {
    const base64Array = [dataUrl(await flatPng(400, 400, '#00ff00'))];
    const green = async (flags: string) => {
      const task = await finish('imagine', { prompt: `a field ${flags}`, base64Array });
      const { channels } = await sharp(await singleOf(task)).stats();
      return (channels[1]?.mean ?? 0) - (channels[0]?.mean ?? 0);
    };
    expect(await green('--seed 1 --iw 3')).toBeGreaterThan((await green('--seed 1 --iw 0')) + 40);
  });
});

describe('while it is made', () => {
  it('a grid can be seen blurred, half as large, the sharper the further it is', async () => {
    const { result } = await submit('imagine', { prompt: 'a harbour' });
    expect(await fetchTask(result)).toMatchObject({ status: 'NOT_START', progress: '0%', imageUrl: null, buttons: [] });
    await simulator.moveClock({ advanceMs: MJ_MS * 0.15 });
    expect((await fetchTask(result)).status).toBe('SUBMITTED');
    const previews: Buffer[] = [];
    for (const share of [0.25, 0.4]) {
      await simulator.moveClock({ advanceMs: MJ_MS * share });
      const { status, progress, imageUrl, imageUrls } = await fetchTask(result);
      expect({ status, progress, imageUrls }).toEqual({
        status: 'IN_PROGRESS',
        progress: expect.stringMatching(/^[1-9]\d%$/),
        imageUrls: null,
      });
      previews.push(await download(imageUrl));
    }
    await simulator.moveClock({ advanceMs: MJ_MS });
    const sheet = await resized(await sheetOf(await fetchTask(result)), 512, 512);
    const [early, late] = await Promise.all(
      previews.map(async (preview) => {
        expect(await sizeOf(preview)).toEqual([512, 512, 'webp']);
        return distance(sheet, preview);
      }),
    );
    expect(late).toBeGreaterThan(2);
    expect(early).toBeGreaterThan(late as number);
  });
});

describe('what follows on an image', () => {
  const small = (image: Buffer) => resized(image, 64, 64);
  let grid: Json;
  let upscaled: Json;
  beforeEach(async () => {
    grid = await finish('imagine', { prompt: 'a stone bridge --v 7 --ar 3:2' });
    upscaled = await press(grid, 'MJ::JOB::upsample::2::');
  });

  it('is, upscaled, the chosen image at twice the size', async () => {
    const image = await sheetOf(upscaled);
    expect([upscaled.action, await sizeOf(image)]).toEqual(['UPSCALE', [1248, 832, 'png']]);
    expect(await distance(await small(image), await small(await singleOf(grid, 1)))).toBeLessThan(3);
    expect(await distance(await small(image), await small(await singleOf(grid, 0)))).toBeGreaterThan(15);
    expect(upscaled.imageUrls).toHaveLength(1);
    const subtle = await press(upscaled, 'MJ::JOB::upsample_v7_2x_subtle::1::');
    expect(await sizeOf(await sheetOf(subtle))).toEqual([2496, 1664, 'png']);
    const creative = await press(upscaled, 'MJ::JOB::upsample_v7_2x_creative::1::');
    expect(await distance(await sheetOf(subtle), await sheetOf(creative))).toBeGreaterThan(1);
  });

  it('varies a little or much, and is drawn anew by a reroll', async () => {
    const parent = await singleOf(grid, 1);
    const strong = await press(upscaled, 'MJ::JOB::high_variation::1::');
    const subtle = await press(upscaled, 'MJ::JOB::low_variation::1::');
    const [near, far] = [
      await distance(parent, await singleOf(subtle)),
      await distance(parent, await singleOf(strong)),
    ];
    expect([near > 2, far > 2 * near]).toEqual([true, true]);
    expect(await distance(await singleOf(strong, 0), await singleOf(strong, 1))).toBeGreaterThan(15);
    const plain = await press(grid, 'MJ::JOB::variation::2::');
    expect([plain.action, plain.imageUrls.length]).toEqual(['VARIATION', 4]);
    const reroll = await press(grid, 'MJ::JOB::reroll::0::');
    expect([reroll.action, await distance(parent, await singleOf(reroll, 1))]).toEqual(['REROLL', expect.any(Number)]);
    expect(await distance(parent, await singleOf(reroll, 1))).toBeGreaterThan(15);
  });

  it('is remixed with other words, strongly or subtly', async () => {
    const modern = await finish('imagine', { prompt: 'a fox --v 8.1' });
    const remix = async (strong: boolean) => {
      const customId = buttonOf(modern, 'MJ::JOB::low_variation::2::');
      const { result } = await submit('action', { taskId: modern.id, customId, strong });
      await submit('modal', { taskId: result, prompt: 'a wolf --v 8.1' });
      await simulator.moveClock({ advanceMs: MJ_MS });
      return distance(await singleOf(modern, 1), await singleOf(await fetchTask(result), 0));
    };
    const [near, far] = [await remix(false), await remix(true)];
    expect([near > 2, far > 2 * near]).toEqual([true, true]);
  });

  it('differs from it even when its prompt names a seed', async () => {
    const seeded = await finish('imagine', { prompt: 'a mill --seed 5' });
    for (const button of ['MJ::JOB::variation::1::', 'MJ::JOB::reroll::0::']) {
      const next = await press(seeded, button);
      expect(await distance(await singleOf(seeded), await singleOf(next))).toBeGreaterThan(10);
    }
  });

  it.each([
    ['MJ::Outpaint::50::1::', { left: 156, top: 104, width: 312, height: 208 }],
    ['MJ::Outpaint::75::1::', { left: 104, top: 69, width: 416, height: 277 }],
  ])('lies in the middle of a wider view after %s', async (button, region) => {
    const zoomed = await press(upscaled, button);
    expect(zoomed.imageUrls).toHaveLength(4);
    const [view, other] = [await singleOf(zoomed, 0), await singleOf(zoomed, 3)];
    expect(await sizeOf(view)).toEqual([624, 416, 'png']);
    const parent = await resized(await singleOf(grid, 1), region.width, region.height);
    expect(await distance(await part(view, region), parent)).toBeLessThan(2);
    expect(await distance(view, other, { left: 0, top: 0, width: 100, height: 60 })).toBeGreaterThan(10);
  });

  it.each([
    ['left', 768, 336, { left: 256, top: 0, width: 512, height: 336 }],
    ['right', 768, 336, { left: 0, top: 0, width: 512, height: 336 }],
    ['up', 512, 512, { left: 0, top: 171, width: 512, height: 341 }],
    ['down', 512, 512, { left: 0, top: 0, width: 512, height: 341 }],
  ])('stays at the other edge when the view is moved %s', async (direction, width, height, region) => {
    const panned = await press(upscaled, `MJ::JOB::pan_${direction}::1::`);
    const view = await singleOf(panned);
    expect([panned.action, await sizeOf(view)]).toEqual(['PAN', [width, height, 'png']]);
    const parent = await resized(await singleOf(grid, 1), region.width, region.height);
    expect(await distance(await part(view, region), parent)).toBeLessThan(2);
  });

  it('is painted over only where the mask is white', async () => {
    const { code, result, properties } = await submit('action', {
      taskId: upscaled.id,
      customId: buttonOf(upscaled, 'MJ::Inpaint::1::'),
    });
    expect([code, properties.finalPrompt]).toEqual([21, 'a stone bridge --v 7 --ar 3:2']);
    await simulator.moveClock({ advanceMs: 10 * MJ_MS });
    expect(await fetchTask(result)).toMatchObject({ status: 'MODAL', action: 'INPAINT', imageUrl: null });
    const right = { create: { width: 312, height: 416, channels: 3 as const, background: '#fff' } };
    const mask = await sharp({ create: { width: 624, height: 416, channels: 3, background: '#000' } })
      .composite([{ input: right, left: 312, top: 0 }])
      .png()
      .toBuffer();
    expect(await submit('modal', { taskId: result, prompt: 'a waterfall', maskBase64: dataUrl(mask) })).toMatchObject({
      code: 1,
      result,
    });
    await simulator.moveClock({ advanceMs: MJ_MS });
    const painted = await fetchTask(result);
    expect(painted).toMatchObject({ status: 'SUCCESS', prompt: 'a waterfall' });
    const parent = await singleOf(grid, 1);
    for (const index of [0, 3]) {
      const image = await singleOf(painted, index);
      expect(await distance(image, parent, { left: 0, top: 0, width: 312, height: 416 })).toBe(0);
      expect(await distance(image, parent, { left: 312, top: 0, width: 312, height: 416 })).toBeGreaterThan(15);
    }
  });

  it('is zoomed as far as the window says, in the shape that it says', async () => {
    const { result } = await submit('action', {
      taskId: upscaled.id,
      customId: buttonOf(upscaled, 'MJ::CustomZoom::'),
    });
    await submit('modal', { taskId: result, prompt: 'a stone bridge --ar 1:1 --zoom 1.25' });
    await simulator.moveClock({ advanceMs: MJ_MS });
    const view = await singleOf(await fetchTask(result));
    expect(await sizeOf(view)).toEqual([512, 512, 'png']);
    const region = { left: 51, top: 119, width: 410, height: 273 };
    const parent = await resized(await singleOf(grid, 1), region.width, region.height);
    expect(await distance(await part(view, region), parent)).toBeLessThan(2);
  });
});

describe('images of callers', () => {
  it('are blended, in the shape that was asked for', async () => {
    const base64Array = [dataUrl(await flatPng(300, 300, '#ff0000')), dataUrl(await flatPng(200, 400, '#0000ff'))];
    const task = await finish('blend', { base64Array, dimensions: 'PORTRAIT' });
    const image = await singleOf(task);
    expect([task.action, await sizeOf(image)]).toEqual(['BLEND', [416, 624, 'png']]);
    const [red = 0, , blue = 0] = (await sharp(image).stats()).channels.map(({ mean }) => mean);
    expect([red > 70, blue > 70]).toEqual([true, true]);
  });

  it('are edited and stay recognisable', async () => {
    const image = dataUrl(await flatPng(600, 300, '#00ff00'));
    const task = await finish('edits', { prompt: 'put a hat on it', image });
    const edited = await singleOf(task);
    const [red = 0, green = 0] = (await sharp(edited).stats()).channels.map(({ mean }) => mean);
    expect([await sizeOf(edited), green > red + 60]).toEqual([[720, 368, 'png'], true]);
  });

  it('are described by their own colours and shape, in four ways, which can be drawn', async () => {
    const task = await finish('describe', { base64: dataUrl(await flatPng(600, 400, '#1040e0')) });
    const { finalPrompt } = task.properties;
    const captions = finalPrompt.split('\n\n');
    expect(captions).toHaveLength(4);
    expect(new Set(captions).size).toBe(4);
    for (const caption of captions) expect(caption).toMatch(/^(?=.*blue)(?=.*600x400).* --ar 3:2$/i);
    expect(await sizeOf(await sheetOf(task))).toEqual([600, 400, 'png']);

    const { code, result, properties } = await submit('action', {
      taskId: task.id,
      customId: buttonOf(task, 'MJ::Job::PicReader::2'),
    });
    expect(code).toBe(21);
    await submit('modal', { taskId: result, prompt: properties.finalPrompt });
    await simulator.moveClock({ advanceMs: MJ_MS });
    expect(await sizeOf(await singleOf(await fetchTask(result)))).toEqual([624, 416, 'png']);
    const all = await press(task, 'MJ::Job::PicReader::all');
    expect(await distance(await singleOf(all, 0), await singleOf(all, 1))).toBeGreaterThan(10);
    const again = await press(task, 'MJ::Picread::Retry');
    expect(again.properties.finalPrompt).not.toBe(finalPrompt);
    expect(again.properties.finalPrompt.split('\n\n')).toHaveLength(4);
  });
});

describe('videos', () => {
  it('are as many as asked for, of the image, in its shape, each another', async () => {
    const grid = await finish('imagine', { prompt: 'a fox --ar 2:3' });
    const { url } = grid.imageUrls[0];
    const task = await finish('video', {
      prompt: 'it runs',
      image: url,
      videoType: 'vid_1.1_i2v_720',
      batchSize: 2,
      motion: 'high',
    });
    expect([task.action, task.videoUrl, task.videoUrls.length]).toEqual(['VIDEO', task.videoUrls[0].url, 2]);
    const videos = await Promise.all(task.videoUrls.map((video: Json) => download(video.url)));
    for (const videoFile of videos) {
      expect(await inspectVideo(videoFile)).toMatchObject({ width: 720, height: 1080, seconds: 5, videoCodec: 'h264' });
    }
    expect(videos[0].equals(videos[1])).toBe(false);

    const longer = await finish('video', { action: 'extend', taskId: task.id, index: 1, batchSize: 1 });
    expect(longer.videoUrls).toHaveLength(1);
    expect((await inspectVideo(await download(longer.videoUrl))).seconds).toBe(9);
    const button = await press(task, 'MJ::JOB::animate_high_extend::2::');
    expect(button.videoUrls).toHaveLength(4);
  });

  it('come of a button too', async () => {
    const grid = await finish('imagine', { prompt: 'a fox' });
    const upscaled = await press(grid, 'MJ::JOB::upsample::1::');
    const task = await press(upscaled, 'MJ::JOB::animate_low::1::');
    expect([task.action, task.videoUrls.length]).toEqual(['VIDEO', 4]);
    expect(await inspectVideo(await download(task.videoUrl))).toMatchObject({ width: 480, height: 480, seconds: 5 });
  });
});
