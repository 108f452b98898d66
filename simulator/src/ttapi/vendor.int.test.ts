import { type FileServer, serveFiles } from '../../test/file-server';
import { keyOf, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
import { sampleMedia } from '../../test/videos';

const JOB_MS = 60_000;
let simulator: SimulatorUnderTest;
let files: FileServer;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: JOB_MS });
  files = await serveFiles({ 'own.mp3': await sampleMedia('mp3', 8), 'page.html': Buffer.from('<p>no sound</p>') });
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await files.close();
  await simulator.close();
});

interface Music {
  musicId: string;
  prompt: string;
  title: string;
  tags: string;
  imageUrl: string;
  audioUrl: string;
  videoUrl: string;
  duration: string;
}

interface Answer {
  status: string;
  message: string;
  data: { jobId: string; action: string; progress: string; mv: string; quota: string; musics: Music[] };
}

const call = async (path: string, body: object, key = keyOf('ttapi')) => {
  const headers = { 'tt-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${simulator.url}/ttapi/suno/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return {
    httpStatus: response.status,
    body: (await response.json()) as { status: string; message: string; data: Record<string, unknown> },
  };
};
const start = async (action: string, fields: object): Promise<string> => {
  const { httpStatus, body } = await call(`v1/${action}`, fields);
  expect({ httpStatus, body }).toMatchObject({ httpStatus: 200, body: { status: 'SUCCESS', message: 'success' } });
  return String(body.data['job_id'] ?? body.data['jobId']);
};
const check = async (jobId: string): Promise<Answer> => {
  const headers = { 'tt-api-key': keyOf('ttapi') };
  return (await (await fetch(`${simulator.url}/ttapi/suno/v2/fetch?jobId=${jobId}`, { headers })).json()) as Answer;
};
const finish = async (action: string, fields: object): Promise<Music[]> => {
  const id = await start(action, fields);
  await simulator.moveClock({ advanceMs: JOB_MS });
  const answer = await check(id);
  expect(answer).toMatchObject({ status: 'SUCCESS', data: { jobId: id, action, progress: '100%' } });
  return answer.data.musics;
};

const music = {
  mv: 'chirp-v5-5',
  custom: true,
  instrumental: false,
  prompt: '[Verse]\nShips come home\n[[sim:seconds=6]]\n[Chorus]\nLights',
  tags: 'folk, 120 bpm, A minor',
  title: 'Harbour',
};
const described = { mv: 'chirp-v5', custom: false, instrumental: true, gpt_description_prompt: 'rain on tin roofs' };
const made = async (): Promise<Music> => {
  const [first] = await finish('music', music);
  if (!first) throw new Error('no song was made');
  return first;
};

describe('a request for a track', () => {
  it.each<[string, object]>([
    ['no model', { ...music, mv: undefined }],
    ['an unknown model', { ...music, mv: 'v5' }],
    ['no mode', { ...music, custom: undefined }],
    ['no word on voices', { ...music, instrumental: undefined }],
    ['no lyrics', { ...music, prompt: ' ' }],
    ['no description', { ...described, gpt_description_prompt: undefined }],
    ['a long title', { ...music, title: 'x'.repeat(81) }],
    ['long tags', { ...music, tags: 'x'.repeat(1_001) }],
    ['a long description', { ...described, gpt_description_prompt: 'x'.repeat(3_001) }],
    ['a heavy weight', { ...music, style_weight: 1.1 }],
    ['a negative weight', { ...music, audio_weight: -0.1 }],
    ['an unknown voice', { ...music, vocal_gender: 'female' }],
    ['a short duration', { ...music, duration: 9 }],
    ['a duration as text', { ...music, duration: '30' }],
    ['a hook that is no link', { ...music, hookUrl: 'nowhere' }],
  ])('with %s is refused', async (_what, fields) => {
    expect(await call('v1/music', fields)).toEqual({
      httpStatus: 400,
      body: { status: 'FAILED', message: expect.any(String), data: null },
    });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('without the right key is refused', async () => {
    expect(await call('v1/music', music, 'wrong')).toMatchObject({ httpStatus: 401, body: { status: 'FAILED' } });
  });

  it('with a field that the vendor does not know is accepted with a warning', async () => {
    await start('music', { ...music, audio_format: 'wav', hookUrl: 'http://127.0.0.1/hook' });
    expect((await simulator.lastEntry()).warnings).toEqual(["unknown field 'audio_format'", 'hookUrl is not called']);
  });
});

it('an unknown job is not found', async () => {
  expect(await check('nothing')).toMatchObject({ status: 'FAILED', message: 'Job not found' });
  expect(await call('v2/fetch', {})).toMatchObject({ httpStatus: 400 });
});

describe('a track to work on', () => {
  const operations: [string, object][] = [
    ['extend', { custom: true, instrumental: true, continue_at: 3 }],
    ['concat', {}],
    ['cover', { mv: 'chirp-v5', custom: true }],
    ['sample', { custom: true, instrumental: true, start_s: 1, end_s: 2 }],
    ['replace-section', { start_s: 1, end_s: 2 }],
    ['stems', {}],
    ['remaster', { mv: 'chirp-v5' }],
    ['crop', { crop_start_s: 1, crop_end_s: 2 }],
    ['remove-section', { crop_start_s: 1, crop_end_s: 2 }],
    ['fade-in', { fade_time_s: 1, title: 'x' }],
    ['fade-out', { fade_time_s: 1, title: 'x' }],
    ['adjust-speed', { speed_multiplier: 2, keep_pitch: true, title: 'x' }],
    ['alignedLyrics', {}],
    ['gen-midi', {}],
    ['gen-bpm', {}],
  ];

  it.each(operations)('%s refuses one that nobody made', async (action, fields) => {
    const answer = await call(`v1/${action}`, { music_id: 'nobody', ...fields });
    expect(answer).toMatchObject({ httpStatus: 400, body: { message: 'music_id does not exist' } });
  });

  it.each(operations)('%s refuses one that is not finished, and takes it when it is', async (action, fields) => {
    const id = await start('music', music);
    await simulator.moveClock({ advanceMs: JOB_MS * 0.8 });
    const musicId = (await check(id)).data.musics[0]?.musicId;
    expect((await call(`v1/${action}`, { music_id: musicId, ...fields })).httpStatus).toBe(400);
    await simulator.moveClock({ advanceMs: JOB_MS });
    expect((await call(`v1/${action}`, { music_id: musicId, ...fields })).httpStatus).toBe(200);
  });

  it.each<[string, object]>([
    ['extend', { custom: true, instrumental: true, continue_at: 0 }],
    ['extend', { custom: true, instrumental: true, continue_at: 6.5 }],
    ['extend', { instrumental: true, continue_at: 3 }],
    ['sample', { custom: true, instrumental: true, start_s: 1 }],
    ['sample', { custom: true, instrumental: true, start_s: 2, end_s: 1 }],
    ['replace-section', { start_s: 1, end_s: 7 }],
    ['stems', { stem_type: 'kazoo' }],
    ['remaster', {}],
    ['remaster', { mv: 'chirp-v4' }],
    ['remaster', { mv: 'chirp-v5', variation_category: 'loud' }],
    ['crop', { crop_start_s: 1 }],
    ['crop', { crop_start_s: -1, crop_end_s: 2 }],
    ['crop', { crop_start_s: 2, crop_end_s: 2 }],
    ['crop', { crop_start_s: 2, crop_end_s: 6.5 }],
    ['remove-section', { crop_start_s: 0, crop_end_s: 6 }],
    ['fade-in', { fade_time_s: 1 }],
    ['fade-out', { fade_time_s: 7, title: 'x' }],
    ['adjust-speed', { speed_multiplier: 0.2, keep_pitch: true, title: 'x' }],
    ['adjust-speed', { speed_multiplier: 4.1, keep_pitch: true, title: 'x' }],
    ['adjust-speed', { speed_multiplier: 2, keep_pitch: true }],
  ])('%s refuses %j', async (action, fields) => {
    const { musicId } = await made();
    expect(await call(`v1/${action}`, { music_id: musicId, ...fields })).toMatchObject({ httpStatus: 400 });
  });
});

describe('lyrics', () => {
  it('need a prompt and a known model', async () => {
    expect((await call('v1/lyrics', {})).httpStatus).toBe(400);
    expect((await call('v1/lyrics', { prompt: 'x', lyrics_model: 'gpt' })).httpStatus).toBe(400);
  });
});

describe('an upload', () => {
  it.each(['gone.mp3', 'page.html'])('of %s is refused', async (name) => {
    expect(await call('v1/upload', { audio_url: `${files.url}${name}` })).toMatchObject({
      httpStatus: 400,
      body: { message: expect.stringMatching(/^audio_url: /) },
    });
  });

  it('from elsewhere is refused', async () => {
    expect((await call('v1/upload', { audio_url: 'http://192.0.2.1/a.mp3' })).httpStatus).toBe(400);
  });
});

it('a result that would be too long is refused', async () => {
  const [long] = await finish('music', { ...music, prompt: 'x', duration: 360 });
  const slow = { music_id: long?.musicId, speed_multiplier: 0.25, keep_pitch: true, title: 'x' };
  expect(await call('v1/adjust-speed', slow)).toMatchObject({ httpStatus: 400 });
});
