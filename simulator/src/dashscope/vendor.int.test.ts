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
const finish = async (model: string, input: object, parameters: object = {}): Promise<Answer> => {
  const id = await start(model, input, parameters);
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  return check(id);
};
const text = { model: 'wan2.7-t2v', input: { prompt: 'a heron' } };

describe('the life of a task', () => {
  it('goes from PENDING over RUNNING to SUCCEEDED, and is UNKNOWN after a day', async () => {
    const id = await start('wan2.7-t2v', { prompt: 'a heron' });
    expect((await check(id)).output).toMatchObject({ task_id: id, task_status: 'PENDING' });
    await simulator.moveClock({ advanceMs: VIDEO_MS / 2 });
    expect((await check(id)).output).toMatchObject({ task_status: 'RUNNING', scheduled_time: expect.any(String) });
    await simulator.moveClock({ advanceMs: VIDEO_MS / 2 });
    expect(await check(id)).toMatchObject({
      status: 200,
      output: {
        task_status: 'SUCCEEDED',
        submit_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
        end_time: expect.any(String),
        orig_prompt: 'a heron',
        video_url: expect.stringContaining(`/assets/dashscope-${id}.mp4?exp=`),
      },
      usage: { duration: 5, output_video_duration: 5, input_video_duration: 0, SR: 1080, video_count: 1 },
    });
    await simulator.moveClock({ advanceMs: 24 * 3_600_000 });
    expect((await check(id)).output).toEqual({ task_id: id, task_status: 'UNKNOWN' });
    expect((await check('00000000')).output).toEqual({ task_id: '00000000', task_status: 'UNKNOWN' });
  });

  it('can be cancelled while PENDING only', async () => {
    const cancel = (id: string) =>
      post(`${simulator.url}/dashscope/api/v1/tasks/${id}/cancel`, { key: keyOf('dashscope'), body: '' });
    const [waiting, running] = [await start('wan2.7-t2v', text.input), await start('wan2.7-t2v', text.input)];
    expect((await cancel(waiting)).status).toBe(200);
    expect((await check(waiting)).output['task_status']).toBe('CANCELED');
    await simulator.moveClock({ advanceMs: VIDEO_MS / 2 });
    const refused = await cancel(running);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 400,
      body: { code: 'UnsupportedOperation' },
    });
  });

  it('is listed by state, model and time', async () => {
    await start('wan2.7-t2v', text.input);
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    const later = await start('wan3.0-video', text.input);
    const list = async (query: string) => {
      const headers = { authorization: `Bearer ${keyOf('dashscope')}` };
      const response = await fetch(`${simulator.url}/dashscope/api/v1/tasks?${query}`, { headers });
      return (await response.json()) as { total: number; data: { task_id: string }[] };
    };
    expect(await list('')).toMatchObject({ total: 2, page_no: 1, page_size: 10 });
    expect((await list('status=PENDING')).data.map((task) => task.task_id)).toEqual([later]);
    expect((await list('model_name=wan2.7-t2v')).total).toBe(1);
    expect((await list('page_size=1&page_no=2')).data).toHaveLength(1);
    expect((await list('start_time=20990101000000')).total).toBe(0);
  });

  it('is in the journal as one accepted start and its checks', async () => {
    const id = await start('wan2.7-t2v', text.input);
    await check(id);
    expect(
      (await simulator.journal()).map(({ operation, accepted, externalId }) => [operation, accepted, externalId]),
    ).toEqual([
      ['start', true, id],
      ['check', false, id],
    ]);
    expect(await simulator.tasks('?wire=dashscope')).toMatchObject({
      counts: { dashscope: { queued: 1 } },
      tasks: [{ wire: 'dashscope', id, model: 'wan2.7-t2v', prompt: 'a heron', state: 'queued', externalTaskId: null }],
    });
  });
});

describe('what a request points to', () => {
  it('is fetched: frames, videos, sounds and documents', async () => {
    const url = (name: string) => `${files.url}${name}`;
    const media = [
      { type: 'reference_video', url: url('clip.mp4') },
      { type: 'reference_audio', url: url('song.mp3') },
      { type: 'file', url: url('notes.txt') },
    ];
    const { usage } = await finish('wan3.0-video', { prompt: 'Video 1', media }, { resolution: '480P', duration: 6 });
    expect(usage).toMatchObject({ input_video_duration: 4, output_video_duration: 6, duration: 10 });
    expect(files.asked).toEqual(expect.arrayContaining(['clip.mp4', 'song.mp3', 'notes.txt']));
    await start('wan2.7-i2v', { media: [{ type: 'first_clip', url: url('clip.mp4') }] });
    await start('wan2.6-t2v', { prompt: 'x', audio_url: url('song.mp3') });
    await start('wan2.6-r2v', { prompt: 'x', reference_urls: [url('clip.mp4')] });
  });

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
