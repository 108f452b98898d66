import sharp from 'sharp';
import { type FileServer, serveFiles } from '../../test/file-server';
import { keyOf, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
import { decode, greatestDifference, type Sound } from '../../test/sounds';
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
const soundOf = async (music: Music | undefined): Promise<Sound> =>
  decode(Buffer.from(await (await fetch(music?.audioUrl ?? '')).arrayBuffer()));

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
  it('is queued, shows its first track half way, and ends with two tracks that differ', async () => {
    const id = await start('music', music);
    expect(await check(id)).toMatchObject({ status: 'ON_QUEUE', data: { progress: '0%', musics: [] } });
    await simulator.moveClock({ advanceMs: JOB_MS * 0.4 });
    const early = await check(id);
    expect(early).toMatchObject({ status: 'ON_QUEUE', data: { progress: '25%', musics: [] } });
    await simulator.moveClock({ advanceMs: JOB_MS * 0.25 });
    const half = await check(id);
    expect(half).toMatchObject({ status: 'ON_QUEUE', data: { quota: '0', musics: [{ title: 'Harbour' }] } });
    expect((await soundOf(half.data.musics[0])).codec).toBe('mp3');
    await simulator.moveClock({ advanceMs: JOB_MS });
    const done = await check(id);
    expect(done).toMatchObject({
      status: 'SUCCESS',
      data: { jobId: id, action: 'music', progress: '100%', mv: 'chirp-v5-5', quota: '6' },
    });
    expect(done.data.musics).toEqual([
      expect.objectContaining({ title: 'Harbour', tags: 'folk, 120 bpm, A minor', duration: '6.00', videoUrl: '' }),
      expect.objectContaining({ title: 'Harbour', duration: '6.00' }),
    ]);
    expect(done.data.musics[0]?.prompt).toBe('[Verse]\nShips come home\n\n[Chorus]\nLights');
    const [one, other] = await Promise.all(done.data.musics.map(soundOf));
    expect(one?.seconds).toBeCloseTo(6, 0);
    expect(
      greatestDifference(one?.samples ?? new Float32Array(), other?.samples ?? new Float32Array()),
    ).toBeGreaterThan(0.05);
  });

  it('is answered by the old and by the posted question too', async () => {
    const id = await start('music', music);
    for (const version of ['v1', 'v2']) {
      expect((await call(`${version}/fetch`, { jobId: id })).body).toMatchObject({
        status: 'ON_QUEUE',
        data: { jobId: id },
      });
    }
  });

  it('by a description has lyrics about it, unless it is an instrumental', async () => {
    const [sung] = await finish('music', { ...described, instrumental: false });
    expect(sung?.prompt).toMatch(/^\[Verse\]\n[\s\S]*rain[\s\S]*\[Chorus\]/);
    const [played] = await finish('music', described);
    expect(played?.prompt).toBe('');
  });

  it('has a cover', async () => {
    const { imageUrl } = await made();
    const response = await fetch(imageUrl);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
      width: 512,
      height: 512,
    });
  });

  it('is as long as the request says, where the vendor heeds it', async () => {
    const [short] = await finish('music', { ...music, prompt: 'x', duration: 10 });
    expect(short?.duration).toBe('10.00');
    const [usual] = await finish('music', { ...described, duration: 300 });
    expect(usual?.duration).toBe('12.00');
  });

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
    ['stems-all', {}],
    ['remaster', { mv: 'chirp-v5' }],
    ['crop', { crop_start_s: 1, crop_end_s: 2 }],
    ['remove-section', { crop_start_s: 1, crop_end_s: 2 }],
    ['fade-in', { fade_time_s: 1, title: 'x' }],
    ['fade-out', { fade_time_s: 1, title: 'x' }],
    ['adjust-speed', { speed_multiplier: 2, keep_pitch: true, title: 'x' }],
    ['wav', {}],
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

describe('sounds', () => {
  it('a loop is whole bars in the tempo and key asked for', async () => {
    const [loop] = await finish('sounds', {
      sound: 'a wooden beat',
      mv: 'chirp-v5',
      type: 'loop',
      bpm: 96,
      key: 'F#m',
    });
    // Three bars of four beats at 96 a minute are 7.5 seconds.
    expect(loop).toMatchObject({ duration: '7.50', title: 'a wooden beat' });
    expect((await call('v1/gen-bpm', { music_id: loop?.musicId })).body.data).toMatchObject({ avg_bpm: 96 });
  });

  it.each<[string, object]>([
    ['no description', {}],
    ['an old model', { sound: 'x', mv: 'chirp-v4' }],
    ['an unknown type', { sound: 'x', type: 'music' }],
    ['too fast', { sound: 'x', bpm: 301 }],
    ['half beats', { sound: 'x', bpm: 90.5 }],
    ['a key that is not in the vendor’s list', { sound: 'x', key: 'E' }],
  ])('with %s are refused', async (_what, fields) => {
    expect(await call('v1/sounds', fields)).toMatchObject({ httpStatus: 400 });
  });
});

describe('lyrics', () => {
  const written = async (model: string) => {
    const id = await start('lyrics', { prompt: 'lighthouse keepers', lyrics_model: model });
    await simulator.moveClock({ advanceMs: JOB_MS });
    return ((await check(id)) as unknown as { data: { lyrics: { title: string; text: string }[] } }).data.lyrics;
  };

  it('come in two versions and two styles', async () => {
    const [classic, remi] = [await written('classic'), await written('remi')];
    expect(classic).toHaveLength(2);
    expect(classic[0]?.text).toMatch(/^\[Verse\]\n[\s\S]*\[Chorus\]\n[\s\S]*\[Bridge\]/);
    expect(remi[0]?.text).toMatch(/^\[Intro\]\n[\s\S]*\[Pre-Chorus\]\n[\s\S]*\[Outro\]/);
    for (const { text } of [...classic, ...remi]) expect(text).toMatch(/lighthouse|keepers/);
    expect(classic[0]?.text).not.toBe(classic[1]?.text);
  });

  it('need a prompt and a known model', async () => {
    expect((await call('v1/lyrics', {})).httpStatus).toBe(400);
    expect((await call('v1/lyrics', { prompt: 'x', lyrics_model: 'gpt' })).httpStatus).toBe(400);
  });
});

describe('an upload', () => {
  it('is a track to work on at once', async () => {
    const { body } = await call('v1/upload', { audio_url: `${files.url}own.mp3` });
    expect(body).toMatchObject({ status: 'SUCCESS', data: { music_id: expect.any(String) } });
    const [cut] = await finish('crop', { music_id: body.data['music_id'], crop_start_s: 2, crop_end_s: 5 });
    expect(cut?.duration).toBe('3.00');
    expect((await soundOf(cut)).seconds).toBeCloseTo(3, 0);
    expect((await call('v1/gen-bpm', { music_id: body.data['music_id'] })).httpStatus).toBe(400);
  });

  it('can be waited for', async () => {
    const [own] = await finish('upload', { audio_url: `${files.url}own.mp3`, is_async: true });
    expect(Number(own?.duration)).toBeCloseTo(8, 0);
  });

  it('can be covered without being kept', async () => {
    const [cover] = await finish('upload-cover', { ...music, prompt: 'x', audio_url: `${files.url}own.mp3` });
    expect(Number(cover?.duration)).toBeCloseTo(8, 0);
  });

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
