import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import type { VideoFileOrder } from '../src/media/video/video-order';
import { createVideoStudio } from '../src/media/video/video-studio';

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
    const studio = createVideoStudio({ ffmpegPath: ffmpegProgram() });
    const videos = await Promise.all([
      studio.video(order),
      studio.video({ ...order }),
      studio.video({ ...order, seed: 2 }),
    ]);
    expect(videos[0]).toBe(videos[1]);
    expect(videos[0]?.etag).not.toBe(videos[2]?.etag);
    await studio.close();
  });

  it('leaves nothing behind', async () => {
    const parentFolder = await mkdtemp(join(folder, 'clean-'));
    const studio = createVideoStudio({ ffmpegPath: ffmpegProgram(), parentFolder });
    await studio.video(order);
    expect(await readdir(parentFolder)).toHaveLength(1);
    await studio.close();
    expect(await readdir(parentFolder)).toEqual([]);
  });

  it('says which program it could not run, and tries again when asked again', async () => {
    const studio = createVideoStudio({ ffmpegPath: '/none/ffmpeg' });
    for (let wish = 0; wish < 2; wish += 1) {
      await expect(studio.video(order)).rejects.toThrow(/\/none\/ffmpeg failed; FFMPEG_PATH names the program/);
    }
    await studio.close();
  });
});
