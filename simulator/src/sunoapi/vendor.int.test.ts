import { type FileServer, serveFiles } from '../../test/file-server';
import { keyOf, post, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
import { decode, greatestDifference, type Sound } from '../../test/sounds';
import { sampleMedia } from '../../test/videos';

const JOB_MS = 60_000;
let simulator: SimulatorUnderTest;
let files: FileServer;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: JOB_MS });
  files = await serveFiles({ 'own.mp3': await sampleMedia('mp3', 8) });
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await files.close();
  await simulator.close();
});

interface Music {
  id: string;
  audioUrl: string;
  imageUrl: string;
  prompt: string;
  modelName: string;
  title: string;
  tags: string;
  duration: number;
}

interface Task {
  taskId: string;
  status: string;
  successFlag: string;
  errorMessage: string | null;
  response: { sunoData: Music[]; lyricsData: { title: string; text: string }[]; audioWavUrl: string } & Record<
    string,
    string | null
  >;
}

interface Answer<Data> {
  code: number;
  msg: string;
  data: Data;
}

const call = async <Data = { taskId: string }>(path: string, body: object, key = keyOf('sunoapi')) => {
  const response = await post(`${simulator.url}/sunoapi/api/v1/${path}`, { key, body });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer<Data>;
};
const start = async (path: string, fields: object): Promise<string> => {
  const answer = await call(path, { callBackUrl: 'http://127.0.0.1/hook', ...fields });
  expect(answer).toMatchObject({ code: 200, msg: 'success' });
  return answer.data.taskId;
};
const check = async (kind: string, taskId: string): Promise<Answer<Task>> => {
  const url = `${simulator.url}/sunoapi/api/v1/${kind}/record-info?taskId=${taskId}`;
  return (await (
    await fetch(url, { headers: { authorization: `Bearer ${keyOf('sunoapi')}` } })
  ).json()) as Answer<Task>;
};
const finish = async (path: string, fields: object, kind = 'generate'): Promise<Task> => {
  const id = await start(path, fields);
  await simulator.moveClock({ advanceMs: JOB_MS });
  return (await check(kind, id)).data;
};
const hear = async (link: string | null | undefined): Promise<Sound> =>
  decode(Buffer.from(await (await fetch(link ?? '')).arrayBuffer()));

const music = {
  customMode: true,
  instrumental: false,
  model: 'V5_5',
  prompt: '[Verse]\nShips come home\n[Chorus]\nLights',
  style: 'folk, 120 bpm, A minor',
  title: 'Harbour',
  duration: 14,
  callBackUrl: 'http://127.0.0.1/hook',
};
const described = {
  customMode: false,
  instrumental: true,
  model: 'V5',
  prompt: 'rain on tin roofs',
  callBackUrl: 'http://127.0.0.1/hook',
};
const made = async (): Promise<{ taskId: string; first: Music }> => {
  const { taskId, response } = await finish('generate', music);
  const [first] = response.sunoData;
  if (!first) throw new Error('no song was made');
  return { taskId, first };
};

describe('a request for tracks', () => {
  it('is pending, then has words, a first track, and both', async () => {
    const id = await start('generate', music);
    const seen: unknown[] = [];
    for (const advanceMs of [0, JOB_MS * 0.3, JOB_MS * 0.2, JOB_MS * 0.2, JOB_MS]) {
      await simulator.moveClock({ advanceMs });
      const { data } = await check('generate', id);
      seen.push([data.status, data.response?.sunoData.map(({ audioUrl }) => audioUrl !== '') ?? null]);
    }
    expect(seen).toEqual([
      ['PENDING', null],
      ['PENDING', null],
      ['TEXT_SUCCESS', [false, false]],
      ['FIRST_SUCCESS', [true, false]],
      ['SUCCESS', [true, true]],
    ]);
    const { response } = (await check('generate', id)).data;
    expect(response.sunoData[0]).toMatchObject({
      title: 'Harbour',
      tags: 'folk, 120 bpm, A minor',
      prompt: music.prompt,
      duration: 14,
      modelName: 'chirp-fenix',
    });
    const [one, other] = await Promise.all(response.sunoData.map(({ audioUrl }) => hear(audioUrl)));
    expect([one?.codec, one?.seconds]).toEqual(['mp3', expect.closeTo(14, 0)]);
    expect(
      greatestDifference(one?.samples ?? new Float32Array(), other?.samples ?? new Float32Array()),
    ).toBeGreaterThan(0.05);
    expect((await fetch(response.sunoData[0]?.imageUrl ?? '')).headers.get('content-type')).toBe('image/jpeg');
  });

  it('by a description has lyrics about it, unless it is an instrumental', async () => {
    const [sung] = (await finish('generate', { ...described, instrumental: false })).response.sunoData;
    expect(sung?.prompt).toMatch(/^\[Verse\]\n[\s\S]*rain/);
    const [played] = (await finish('generate', described)).response.sunoData;
    expect(played).toMatchObject({ prompt: '', duration: 12 });
  });

  it.each<[string, object, number]>([
    ['no model', { ...music, model: undefined }, 400],
    ['an unknown model', { ...music, model: 'chirp-v5' }, 400],
    ['no mode', { ...music, customMode: undefined }, 400],
    ['no word on voices', { ...music, instrumental: undefined }, 400],
    ['nowhere to call back', { ...music, callBackUrl: undefined }, 400],
    ['no style', { ...music, style: ' ' }, 400],
    ['no title', { ...music, title: undefined }, 400],
    ['no lyrics', { ...music, prompt: undefined }, 400],
    ['no description', { ...described, prompt: '' }, 400],
    ['a long description', { ...described, prompt: 'x'.repeat(501) }, 413],
    ['lyrics too long for the model', { ...music, model: 'V4', prompt: 'x'.repeat(3_001) }, 413],
    ['a style too long for the model', { ...music, model: 'V4', style: 'x'.repeat(201) }, 413],
    ['a long title', { ...music, title: 'x'.repeat(101) }, 413],
    ['a heavy weight', { ...music, styleWeight: 1.1 }, 400],
    ['a voice in full', { ...music, vocalGender: 'male' }, 400],
  ])('with %s is refused', async (_what, fields, code) => {
    expect(await call('generate', fields)).toEqual({ code, msg: expect.any(String), data: null });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('without the right key is refused', async () => {
    expect(await call('generate', music, 'wrong')).toMatchObject({ code: 401, data: null });
  });

  it('an instrumental needs no lyrics', async () => {
    await start('generate', { ...music, instrumental: true, prompt: undefined });
  });
});

it('a task is known to its own kind of question only', async () => {
  const id = await start('generate', music);
  expect(await check('lyrics', id)).toMatchObject({ code: 404, data: null });
  expect(await check('generate', 'nothing')).toMatchObject({ code: 404 });
  expect(await check('generate', '')).toMatchObject({ code: 400 });
});

describe('what is made of a track', () => {
  it('an extension without parameters of its own goes on at the end, with those of the track', async () => {
    const { first } = await made();
    const task = await finish('generate/extend', { defaultParamFlag: false, audioId: first.id, model: 'V5_5' });
    expect(task.response.sunoData[0]).toMatchObject({
      duration: 26,
      title: 'Harbour',
      tags: first.tags,
      prompt: first.prompt,
    });
  });

  it.each<[string, object]>([
    ['no second to go on from', { continueAt: undefined }],
    ['a second beyond the song', { continueAt: 14 }],
    ['no song', { audioId: undefined }],
    ['a song that nobody made', { audioId: 'nobody' }],
    ['no mode', { defaultParamFlag: undefined }],
  ])('an extension with %s is refused', async (_what, fields) => {
    const { first } = await made();
    const own = { defaultParamFlag: true, audioId: first.id, model: 'V5', continueAt: 10, style: 'x', title: 'x' };
    const body = { ...own, instrumental: true, callBackUrl: 'http://127.0.0.1/hook', ...fields };
    expect(await call('generate/extend', body)).toMatchObject({ code: 400, data: null });
  });

  it('a section is replaced within the vendor’s bounds', async () => {
    const { taskId, first } = await made();
    const section = { taskId, audioId: first.id, prompt: 'x', tags: 'jazz', title: 'y', fullLyrics: 'And home' };
    const [music] = (await finish('generate/replace-section', { ...section, infillStartS: 2, infillEndS: 8.5 }))
      .response.sunoData;
    expect(music?.duration).toBe(14);
    for (const [infillStartS, infillEndS] of [
      [2, 7],
      [2, 10],
      [9, 15.5],
      [8, 2],
    ]) {
      expect(await call('generate/replace-section', { ...section, infillStartS, infillEndS })).toMatchObject({
        code: 400,
      });
    }
    const within = { ...section, infillStartS: 2, infillEndS: 8 };
    for (const fault of [{ taskId: 'other' }, { fullLyrics: undefined }]) {
      expect(await call('generate/replace-section', { ...within, ...fault })).toMatchObject({ code: 400 });
    }
  });

  it('every stem has its field', async () => {
    const { taskId, first } = await made();
    const fields = { taskId, audioId: first.id, type: 'split_stem' };
    const { response } = await finish('vocal-removal/generate', fields, 'vocal-removal');
    const links = ['vocalUrl', 'backingVocalsUrl', 'drumsUrl', 'percussionUrl', 'bassUrl', 'keyboardUrl'];
    expect(links.map((field) => response[field])).toEqual(links.map(() => expect.stringMatching(/^http/)));
    expect([response['instrumentalUrl'], response['guitarUrl']]).toEqual([null, null]);
    const wrong = { ...fields, type: 'everything', callBackUrl: 'http://127.0.0.1/hook' };
    expect(await call('vocal-removal/generate', wrong)).toMatchObject({ code: 400 });
  });

  it('a WAV is one, and timed words are in the first answer', async () => {
    const { taskId, first } = await made();
    const { response } = await finish('wav/generate', { taskId, audioId: first.id }, 'wav');
    expect((await hear(response.audioWavUrl)).codec).toBe('pcm_s16le');
    const words = await call<{ alignedWords: { word: string }[] }>('generate/get-timestamped-lyrics', {
      taskId,
      audioId: first.id,
    });
    expect(words.data.alignedWords.map(({ word }) => word)).toEqual([
      '[Verse]\nShips ',
      'come ',
      'home\n',
      '[Chorus]\nLights ',
    ]);
    expect(await call('generate/get-timestamped-lyrics', { taskId, audioId: 'x' })).toMatchObject({ code: 400 });
  });
});

describe('sounds, lyrics and uploads', () => {
  it('a loop is whole bars', async () => {
    const loop = { prompt: 'a wooden beat', model: 'V5', soundLoop: true, soundTempo: 96, soundKey: 'E' };
    expect((await finish('generate/sounds', loop)).response.sunoData[0]).toMatchObject({ duration: 7.5, prompt: '' });
  });

  it.each<[string, object, number]>([
    ['an old model', { model: 'V4_5' }, 400],
    ['too fast', { soundTempo: 301 }, 400],
    ['an unknown key', { soundKey: 'H' }, 400],
    ['too many words', { prompt: 'x'.repeat(501) }, 413],
  ])('a sound with %s is refused', async (_what, fields, code) => {
    expect(await call('generate/sounds', { prompt: 'x', model: 'V5', ...fields })).toMatchObject({ code });
  });

  it('lyrics come in two versions', async () => {
    const { status, response } = await finish('lyrics', { prompt: 'lighthouse keepers' }, 'lyrics');
    expect(status).toBe('SUCCESS');
    expect(response.lyricsData.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\[Verse\][\s\S]*\[Chorus\]/),
      expect.stringMatching(/^\[Verse\][\s\S]*\[Chorus\]/),
    ]);
    const long = { prompt: 'word '.repeat(201), callBackUrl: 'http://127.0.0.1/hook' };
    expect(await call('lyrics', long)).toMatchObject({ code: 413 });
  });

  it('an upload is covered, and extended', async () => {
    const uploadUrl = `${files.url}own.mp3`;
    const [cover] = (await finish('generate/upload-cover', { ...music, uploadUrl })).response.sunoData;
    expect(cover?.duration).toBeCloseTo(8, 0);
    const more = { ...music, uploadUrl, defaultParamFlag: true, continueAt: 4, duration: undefined };
    const [extended] = (await finish('generate/upload-extend', more)).response.sunoData;
    expect((await hear(extended?.audioUrl)).seconds).toBeCloseTo(16, 0);
    const gone = { ...music, uploadUrl: `${files.url}gone.mp3` };
    expect(await call('generate/upload-cover', gone)).toMatchObject({
      code: 400,
      msg: expect.stringMatching(/^uploadUrl/),
    });
  });
});
