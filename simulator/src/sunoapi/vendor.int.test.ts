import { type FileServer, serveFiles } from '../../test/file-server';
import { keyOf, post, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
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
});
