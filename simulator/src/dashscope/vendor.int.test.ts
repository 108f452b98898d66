import sharp from 'sharp';
import { type FileServer, serveFiles } from '../../test/file-server';
import { flatPng } from '../../test/images';
import { keyOf, post, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
import { sampleMedia } from '../../test/videos';

const VIDEO_MS = 60_000;
let simulator: SimulatorUnderTest;
let files: FileServer;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: VIDEO_MS });
  files = await serveFiles({
    'clip.mp4': await sampleMedia('mp4', 4),
    'long.mp4': await sampleMedia('mp4', 14),
    'song.mp3': await sampleMedia('mp3', 3),
    'notes.txt': Buffer.from('a storm at sea'),
  });
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await files.close();
  await simulator.close();
});

interface Answer {
  code: string;
  message: string;
  request_id: string;
  output: Record<string, string> & { video_url: string };
  usage: Record<string, unknown>;
}

const submit = (body: unknown, headers: Record<string, string> = {}, key = keyOf('dashscope')) =>
  post(`${simulator.url}/dashscope/api/v1/services/aigc/video-generation/video-synthesis`, {
    key,
    body,
    headers: { 'x-dashscope-async': 'enable', ...headers },
  });
const check = async (id: string, key = keyOf('dashscope')) => {
  const response = await fetch(`${simulator.url}/dashscope/api/v1/tasks/${id}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: response.status, ...((await response.json()) as Answer) };
};
const start = async (model: string, input: object, parameters: object = {}): Promise<string> => {
  const response = await submit({ model, input, parameters });
  const answer = (await response.json()) as Answer;
  expect({ status: response.status, answer }).toMatchObject({
    status: 200,
    answer: { output: { task_status: 'PENDING' } },
  });
  return answer.output['task_id'] ?? '';
};
const text = { model: 'wan2.7-t2v', input: { prompt: 'a heron' } };

describe('what a request points to', () => {
  it('and cannot be had is an InvalidURL, before any work', async () => {
    for (const url of [`${files.url}none.png`, 'http://192.0.2.1/x.png', 'x.png']) {
      const response = await submit({ model: 'wan2.6-i2v', input: { img_url: url } });
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 400,
        body: { code: 'InvalidURL', request_id: expect.any(String) },
      });
      expect((await simulator.lastEntry()).accepted).toBe(false);
    }
  });
});

describe('refuses as strictly as the vendor', () => {
  const prompt = 'p';
  const frame = { type: 'first_frame', url: 'http://127.0.0.1/x.png' };
  const last = { ...frame, type: 'last_frame' };
  it.each<[string, string, object, object]>([
    ['an unknown model', 'wan9', { prompt }, {}],
    ['no prompt', 'wan2.7-t2v', {}, {}],
    ['a prompt that is too long', 'wan2.6-t2v', { prompt: 'x'.repeat(1_501) }, {}],
    ['a size with an x', 'wan2.6-t2v', { prompt }, { size: '1280x720' }],
    ['a length that 2.6 does not have', 'wan2.6-t2v', { prompt }, { duration: 16 }],
    ['multiple shots without prompt extension', 'wan2.6-t2v', { prompt }, { shot_type: 'multi', prompt_extend: false }],
    ['2.6 from no image', 'wan2.6-i2v', { prompt }, {}],
    ['a resolution in small letters', 'wan2.7-t2v', { prompt }, { resolution: '720p' }],
    ['a length of a second', 'wan2.7-t2v', { prompt }, { duration: 1 }],
    ['a length as text', 'wan2.7-t2v', { prompt }, { duration: '5' }],
    ['2.7 with an adaptive ratio', 'wan2.7-t2v', { prompt }, { ratio: 'adaptive' }],
    ['a last frame alone', 'wan2.7-i2v', { media: [last] }, {}],
    ['two first frames', 'wan2.7-i2v', { media: [frame, frame] }, {}],
    ['a media type of another model', 'wan2.7-i2v', { media: [{ ...frame, type: 'reference_image' }] }, {}],
    ['neither prompt nor media', 'wan3.0-video', {}, {}],
    ['31 seconds', 'wan3.0-video', { prompt }, { duration: 31 }],
    ['0 seconds', 'wan3.0-video', { prompt }, { duration: 0 }],
    ['frames with references', 'wan3.0-video', { media: [frame, { ...frame, type: 'reference_image' }] }, {}],
    [
      'a file and a link',
      'wan3.0-video',
      {
        media: [
          { ...frame, type: 'file' },
          { ...frame, type: 'link' },
        ],
      },
      {},
    ],
    [
      'a file without prompt extension',
      'wan3.0-video',
      { media: [{ ...frame, type: 'file' }] },
      { prompt_extend: false },
    ],
    ['a negative seed', 'wan3.0-video', { prompt }, { seed: -1 }],
  ])('%s', async (_what, model, input, parameters) => {
    const response = await submit({ model, input, parameters });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 400,
      body: { code: 'InvalidParameter', message: expect.any(String) },
    });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('more video than fits, and an image with an alpha channel', async () => {
    const clip = { type: 'reference_video', url: `${files.url}long.mp4` };
    expect(
      (await submit({ model: 'wan3.0-video', input: { media: [clip] }, parameters: { duration: 17 } })).status,
    ).toBe(400);
    expect((await submit({ model: 'wan3.0-video', input: { media: [clip, clip] } })).status).toBe(400);
    const clear = await sharp(await flatPng(300, 300))
      .ensureAlpha(0.5)
      .png()
      .toBuffer();
    const url = `data:image/png;base64,${clear.toString('base64')}`;
    expect((await submit({ model: 'wan3.0-video', input: { media: [{ ...frame, url }] } })).status).toBe(400);
    expect((await submit({ model: 'wan2.7-i2v', input: { media: [{ ...frame, url }] } })).status).toBe(200);
  });

  it('a synchronous call, a wrong key, and a path it does not have', async () => {
    const synchronous = await submit(text, { 'x-dashscope-async': 'disable' });
    expect({ status: synchronous.status, body: await synchronous.json() }).toMatchObject({
      status: 403,
      body: { code: 'AccessDenied' },
    });
    expect((await submit(text, {}, 'other')).status).toBe(401);
    expect(await check('x', 'other')).toMatchObject({ status: 401, code: 'InvalidApiKey' });
    expect((await post(`${simulator.url}/dashscope/api/v1/videos`, { key: keyOf('dashscope'), body: {} })).status).toBe(
      400,
    );
  });

  it('but lets fields of another generation pass, and warns of them', async () => {
    await start('wan2.7-t2v', { prompt: 'x' }, { size: '1280*720', shot_type: 'single' });
    expect((await simulator.lastEntry()).warnings).toEqual([
      "unknown field 'parameters.size' for wan2.7-t2v",
      "unknown field 'parameters.shot_type' for wan2.7-t2v",
    ]);
  });
});
