import sharp from 'sharp';
import { type FileServer, serveFiles } from '../../test/file-server';
import { flatPng } from '../../test/images';
import { keyOf, post, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
import { bitmapOf, sampleMedia } from '../../test/videos';

const VIDEO_MS = 60_000;
let simulator: SimulatorUnderTest;
let files: FileServer;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: VIDEO_MS });
  const flat = await flatPng(600, 600, '#aa20aa');
  files = await serveFiles({
    'a.png': flat,
    'a.bmp': await bitmapOf(flat),
    'a.webp': await sharp(flat).webp().toBuffer(),
    'clip.mp4': await sampleMedia('mp4', 4),
    'long.mp4': await sampleMedia('mp4', 12),
    'song.mp3': await sampleMedia('mp3', 3),
  });
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await files.close();
  await simulator.close();
});

type Operation = 'text2video' | 'image2video' | 'omni-video';

interface Answer {
  task_id: string;
  code: number;
  status: string;
  data: { video_url: string; duration: number; cost_credits: number };
  trace_id: string;
}

const submit = async (operation: Operation, fields: object, key: string | undefined = keyOf('skyreels')) => {
  const body = { api_key: key, prompt: 'a heron', ...fields };
  const response = await post(`${simulator.url}/skyreels/api/v1/video/${operation}/submit`, { key: '', body });
  return { httpStatus: response.status, ...((await response.json()) as Answer) };
};
const check = async (operation: Operation, id: string): Promise<Answer> =>
  (await (await fetch(`${simulator.url}/skyreels/api/v1/video/${operation}/task/${id}`)).json()) as Answer;
const file = (name: string) => `${files.url}${name}`;

it('an id is known to its own operation only', async () => {
  const { task_id: id } = await submit('text2video', {});
  expect(await check('omni-video', id)).toMatchObject({ code: 200, status: 'unknown', data: null });
});

describe('refuses as strictly as the vendor', () => {
  const image = () => ({ tag: '@a', type: 'image', image_urls: [file('a.png')] });
  const video = () => ({ tag: '@v', type: 'reference', video_url: file('clip.mp4') });
  it.each<[string, Operation, () => object]>([
    ['no prompt', 'text2video', () => ({ prompt: undefined })],
    ['a prompt of too many tokens', 'text2video', () => ({ prompt: 'x'.repeat(5_121) })],
    ['16 seconds', 'text2video', () => ({ duration: 16 })],
    ['a length as text', 'text2video', () => ({ duration: '5' })],
    ['a ratio it does not have', 'text2video', () => ({ aspect_ratio: '21:9' })],
    ['a mode it does not have', 'text2video', () => ({ mode: 'turbo' })],
    ['no first frame', 'image2video', () => ({ end_frame_image: file('a.png') })],
    ['a data URL', 'image2video', () => ({ first_frame_image: 'data:image/png;base64,AAAA' })],
    ['a WEBP', 'image2video', () => ({ first_frame_image: file('a.webp') })],
    ['an image that is not there', 'image2video', () => ({ first_frame_image: file('none.png') })],
    ['a tag that the prompt does not name', 'omni-video', () => ({ ref_images: [image()] })],
    ['a reference without a tag', 'omni-video', () => ({ ref_images: [{ ...image(), tag: undefined }] })],
    ['a tag without its sign', 'omni-video', () => ({ prompt: 'a', ref_images: [{ ...image(), tag: 'a' }] })],
    ['no reference', 'omni-video', () => ({})],
    ['two grids', 'omni-video', () => ({ prompt: '@a', ref_images: [1, 2].map(() => ({ ...image(), type: 'grid' })) })],
    ['mixed types', 'omni-video', () => ({ prompt: '@a', ref_images: [image(), { ...image(), type: 'grid' }] })],
    ['two videos', 'omni-video', () => ({ prompt: '@v', ref_videos: [video(), video()] })],
    [
      'an extension with images',
      'omni-video',
      () => ({ prompt: '@a @v', ref_images: [image()], ref_videos: [{ ...video(), type: 'extend' }] }),
    ],
    ['a long video', 'omni-video', () => ({ prompt: '@v', ref_videos: [{ ...video(), video_url: file('long.mp4') }] })],
    [
      'a video that is none',
      'omni-video',
      () => ({ prompt: '@v', ref_videos: [{ ...video(), video_url: file('a.png') }] }),
    ],
  ])('%s with 422', async (_what, operation, fields) => {
    const answer = await submit(operation, fields());
    expect(answer).toMatchObject({ httpStatus: 422, code: 422, data: null });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('a time stamp that is not within the video with 422', async () => {
    const at = (time: number) => ({
      prompt: '@m',
      duration: 5,
      first_frame_image: file('a.png'),
      mid_frame_images: [{ tag: '@m', image_url: file('a.png'), time_stamp: time }],
    });
    for (const time of [0, 5, 2.5, -2]) expect((await submit('image2video', at(time))).code).toBe(422);
    for (const time of [-1, 4]) expect((await submit('image2video', at(time))).code).toBe(200);
  });

  it('a wrong or missing key with 401 in the body, and never keeps the key', async () => {
    expect(await submit('text2video', {}, 'other')).toMatchObject({ httpStatus: 200, code: 401 });
    expect(await submit('text2video', { api_key: undefined })).toMatchObject({ code: 401 });
    await submit('text2video', {});
    expect(JSON.stringify(await simulator.journal())).not.toContain(keyOf('skyreels'));
  });

  it('but lets fields of another operation pass, and warns of them', async () => {
    await submit('text2video', { first_frame_image: file('a.png') });
    expect((await simulator.lastEntry()).warnings).toEqual(["unknown field 'first_frame_image' for text2video"]);
  });
});
