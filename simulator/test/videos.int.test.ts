import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import { createImageShelf } from '../src/media/image-shelf';
import type { VideoFileOrder } from '../src/media/video/video-order';
import { createVideoStudio } from '../src/media/video/video-studio';
import { colours, flatPng } from './images';
import { bitmapOf, frameOf, inspectVideo } from './videos';

const order: VideoFileOrder = {
  width: 640,
  height: 360,
  fps: 24,
  seconds: 2,
  audio: true,
  prompt: 'WWWW MMMM WWWW',
  seed: 1,
};
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'studio-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a video studio', () => {
  it('makes one file of many wishes for the same video, and a new one for another seed', async () => {
    const studio = createVideoStudio({ ffmpegPath: ffmpegProgram(), shelf: createImageShelf() });
    const videos = await Promise.all([
      studio.video(order),
      studio.video({ ...order }),
      studio.video({ ...order, seed: 2 }),
    ]);
    expect(videos[0]).toBe(videos[1]);
    expect(videos[0]?.etag).not.toBe(videos[2]?.etag);
    await studio.close();
  });

  it('moves: two frames of a second differ, and the second second is the first again', async () => {
    const studio = createVideoStudio({ ffmpegPath: ffmpegProgram(), shelf: createImageShelf() });
    const video = await (await studio.video(order)).bytes();
    const edge = async (at: number) => colours(await frameOf(video, at), { left: 0, top: 0, width: 640, height: 4 });
    const [early, late, again] = [await edge(0.25), await edge(0.75), await edge(1.25)];
    expect(early.equals(late)).toBe(false);
    expect(early.equals(again)).toBe(true);
    await studio.close();
  });

  it('draws an image of its own when that of the caller had to make room', async () => {
    const studio = createVideoStudio({ ffmpegPath: ffmpegProgram(), shelf: createImageShelf() });
    const video = await studio.video({ ...order, firstFrame: 'gone' });
    expect(await inspectVideo(await video.bytes())).toMatchObject({ width: 640, height: 360, seconds: 2 });
    await studio.close();
  });

  it('leaves nothing behind', async () => {
    const parentFolder = await mkdtemp(join(folder, 'clean-'));
    const studio = createVideoStudio({ ffmpegPath: ffmpegProgram(), shelf: createImageShelf(), parentFolder });
    await studio.video(order);
    expect(await readdir(parentFolder)).toHaveLength(1);
    await studio.close();
    expect(await readdir(parentFolder)).toEqual([]);
  });

  it('says which program it could not run, and tries again when asked again', async () => {
    const studio = createVideoStudio({ ffmpegPath: '/none/ffmpeg', shelf: createImageShelf() });
    for (let wish = 0; wish < 2; wish += 1) {
      await expect(studio.video(order)).rejects.toThrow(/\/none\/ffmpeg failed; FFMPEG_PATH names the program/);
    }
    await studio.close();
  });
});

it('a shelf knows an image by its bytes, and refuses what is none', async () => {
  const shelf = createImageShelf();
  const [one, again] = [await shelf.put(await flatPng(300, 200)), await shelf.put(await flatPng(300, 200))];
  expect(one).toEqual(again);
  expect(one).toMatchObject({ width: 300, height: 200, format: 'png', hasAlpha: false });
  expect(await shelf.put(Buffer.from('no image'))).toBeUndefined();
});

it('a shelf takes a BMP, and refuses one that breaks off', async () => {
  const shelf = createImageShelf();
  const bitmap = await bitmapOf(await flatPng(300, 200));
  expect(await shelf.put(bitmap)).toMatchObject({ width: 300, height: 200, format: 'bmp', bytes: bitmap.length });
  expect(await shelf.put(bitmap.subarray(0, 40))).toBeUndefined();
  expect(await shelf.put(bitmap.subarray(0, 1000))).toBeUndefined();
});
