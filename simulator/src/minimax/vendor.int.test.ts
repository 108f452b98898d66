import { colours } from '../../test/images';
import { keyOf, post, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
import { dataUrl, frameOf, inspectVideo } from '../../test/videos';

const VIDEO_MS = 60_000;
const model = 'MiniMax-Hailuo-02';
let simulator: SimulatorUnderTest;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: VIDEO_MS });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

interface Answer {
  task_id: string;
  status: string;
  file_id: string;
  file: { bytes: number; download_url: string };
  base_resp: { status_code: number; status_msg: string };
}

const submit = async (body: object, key = keyOf('minimax')): Promise<Answer> => {
  const response = await post(`${simulator.url}/minimax/v1/video_generation`, { key, body });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
};
const read = async (path: string, key = keyOf('minimax')): Promise<Answer> => {
  const response = await fetch(`${simulator.url}/minimax/v1/${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
};
const check = (id: string) => read(`query/video_generation?task_id=${id}`);
const finish = async (fields: object): Promise<Answer> => {
  const { task_id: id } = await submit({ model, prompt: 'a heron', ...fields });
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  return check(id);
};
const videoOf = async ({ file_id: id }: Answer) => {
  const { file } = await read(`files/retrieve?file_id=${id}`);
  const video = Buffer.from(await (await fetch(file.download_url)).arrayBuffer());
  expect(video).toHaveLength(file.bytes);
  return video;
};

it('a task goes Preparing, Queueing, Processing, Success, and has a file then', async () => {
  const { task_id: id, base_resp: verdict } = await submit({ model, prompt: 'a heron' });
  expect(verdict).toEqual({ status_code: 0, status_msg: 'success' });
  const seen: string[] = [];
  for (const advanceMs of [0, VIDEO_MS * 0.15, VIDEO_MS * 0.5]) {
    await simulator.moveClock({ advanceMs });
    const { status, file_id: fileId } = await check(id);
    seen.push(status);
    expect(fileId).toBe('');
  }
  expect(seen).toEqual(['Preparing', 'Queueing', 'Processing']);
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  const done = await check(id);
  expect(done).toMatchObject({
    task_id: id,
    status: 'Success',
    file_id: expect.stringMatching(/^\d+$/),
    video_width: 1366,
    video_height: 768,
    base_resp: { status_code: 0 },
  });
  expect(await inspectVideo(await videoOf(done))).toMatchObject({
    width: 1366,
    height: 768,
    seconds: 6,
    frames: 144,
    audioCodec: undefined,
  });
});

it('a first frame gives the video its shape and its beginning, at 512P too', async () => {
  const first = await dataUrl(400, 800, '#20aa20');
  const video = await videoOf(await finish({ first_frame_image: first, resolution: '512P', duration: 10, prompt: '' }));
  expect(await inspectVideo(video)).toMatchObject({ width: 512, height: 1024, seconds: 10 });
  const [red, green] = await colours(await frameOf(video), { left: 200, top: 300, width: 1, height: 1 });
  expect([red, green]).toEqual([expect.closeTo(0x20, -1), expect.closeTo(0xaa, -1)]);
});

it('a download link lives nine hours', async () => {
  const { file_id: id } = await finish({});
  const { file } = await read(`files/retrieve?file_id=${id}`);
  await simulator.moveClock({ advanceMs: 9 * 3_600_000 - 5_000 });
  expect((await fetch(file.download_url)).status).toBe(200);
  await simulator.moveClock({ advanceMs: 10_000 });
  expect((await fetch(file.download_url)).status).toBe(403);
});

describe('refuses as strictly as the vendor, under status 200', () => {
  it.each<[string, object]>([
    ['a model it does not have', { model: 'MiniMax-Hailuo-99' }],
    ['5 seconds', { duration: 5 }],
    ['a length as text', { duration: '6' }],
    ['10 seconds at 1080P', { duration: 10, resolution: '1080P' }],
    ['512P without an image', { resolution: '512P' }],
    ['a resolution in small letters', { resolution: '768p' }],
    ['no prompt', { prompt: undefined }],
    ['a prompt that is too long', { prompt: 'x'.repeat(2_001) }],
    ['a last frame alone', { last_frame_image: 'http://127.0.0.1/x.png' }],
    ['an image that cannot be had', { first_frame_image: 'http://127.0.0.1:1/x.png' }],
  ])('%s with 2013', async (_what, fields) => {
    const { base_resp: verdict } = await submit({ model, prompt: 'p', ...fields });
    expect(verdict).toEqual({ status_code: 2013, status_msg: expect.stringContaining('invalid params') });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('images that are too small or too long with 2013', async () => {
    for (const image of [await dataUrl(300, 400), await dataUrl(301, 800)]) {
      const { base_resp: verdict } = await submit({ model, prompt: 'p', first_frame_image: image });
      expect(verdict.status_code).toBe(2013);
    }
    const image = await dataUrl(400, 400);
    const both = { first_frame_image: image, last_frame_image: image };
    expect((await submit({ model, ...both, resolution: '512P' })).base_resp.status_code).toBe(2013);
    expect((await submit({ model, ...both })).base_resp.status_code).toBe(0);
  });

  it('a missing key with 1004, a wrong one with 2049, and ids it does not know with 2013', async () => {
    const response = await fetch(`${simulator.url}/minimax/v1/video_generation`, { method: 'POST', body: '{}' });
    expect(await response.json()).toMatchObject({ base_resp: { status_code: 1004 } });
    expect((await submit({ model, prompt: 'p' }, 'other')).base_resp.status_code).toBe(2049);
    expect((await check('1')).base_resp.status_code).toBe(2013);
    const { task_id: id } = await submit({ model, prompt: 'p' });
    expect((await read(`files/retrieve?file_id=9${id}`)).base_resp.status_code).toBe(2013);
    expect((await read('files/retrieve')).base_resp.status_code).toBe(2013);
  });

  it('but lets unknown fields pass, and warns of them', async () => {
    await submit({ model, prompt: 'p', ratio: '1:1' });
    expect((await simulator.lastEntry()).warnings).toEqual(["unknown field 'ratio'"]);
  });
});
