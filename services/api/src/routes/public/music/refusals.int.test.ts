import { createFinisher, type FinishRequest } from '@mediagate/billing';
import type { JsonObject, Reason, TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { startTestApi } from '../../../../test/test-api';

/** A finished track. */
let taskId: string;

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());
beforeAll(async () => {
  const { body } = await send('', { gpt_description: 'a waltz' });
  taskId = body.data[0].task_id;
  const track = { audio_id: 'clip-1', title: 'Harbour', duration: 60, audio_url: 'https://media.example/1.mp3' };
  const outcome: FinishRequest['outcome'] = { kind: 'completed', costNano: 1n, result: { music: [track] } };
  await createFinisher(api.database)({ taskId: taskId as TaskId, accountId: caller.accountId, fence: 'any', outcome });
});

const send = (suffix: string, body: object) => api.post(`/v1/music/generations${suffix}`, body, { key: caller.key });
const balance = async () => (await api.get('/v1/user/balance', { key: caller.key })).body;

describe('parameters that are wrong', () => {
  it.each<[suffix: string, why: string, body: JsonObject, names: RegExp]>([
    ['/sounds', 'prompt is required', {}, /^prompt/],
    ['/sounds', 'prompt is blank, which is missing', { prompt: ' ' }, /^prompt/],
    ['/sounds', 'bpm is 1 to 300', { prompt: 'a gong', bpm: 0 }, /^bpm/],
    ['/sounds', 'bpm is 1 to 300', { prompt: 'a gong', bpm: 301 }, /^bpm/],
    ['/sounds', 'bpm is an integer', { prompt: 'a gong', bpm: '120' }, /^bpm/],
    ['/sounds', 'type is one-shot or loop', { prompt: 'a gong', type: 'song' }, /^type/],
    ['/sounds', 'version is v5 or v5.5', { prompt: 'a gong', version: 'v4.5' }, /^version/],
    ['/sounds', 'key is one of the keys', { prompt: 'a gong', key: 'Bb' }, /^key/],
    ['/lyrics', 'prompt is required', { lyrics_model: 'remi' }, /^prompt/],
    ['/lyrics', 'lyrics_model is a string', { prompt: 'a ferry', lyrics_model: 1 }, /^lyrics_model/],
    ['/adjustSpeed', 'speed is required', { task_id: true }, /^speed/],
    ['/adjustSpeed', 'speed is at most 4', { task_id: true, speed: 4.01 }, /^speed/],
    ['/stems', 'task_id is required', {}, /^task_id/],
    ['/stems', 'stem_type is one of the parts', { task_id: true, stem_type: 'kazoo' }, /^stem_type/],
    ['/stems', 'audio_index is counted from 1', { task_id: true, audio_index: 0 }, /^audio_index/],
    ['/stems', 'audio_index is one of the source’s', { task_id: true, audio_index: 2 }, /^audio_index/],
    ['/remaster', 'version is v5 or v5.5', { task_id: true, version: 'v4' }, /^version/],
    ['/crop', 'both bounds are needed', { task_id: true, start_s: 1 }, /^end_s/],
    ['/crop', 'the end is after the start', { task_id: true, start_s: 9, end_s: 9 }, /^end_s/],
    ['/crop', 'the end is within the track', { task_id: true, start_s: 0, end_s: 60.1 }, /^end_s/],
    ['/extend', 'continue_at is above 0', { task_id: true, continue_at: 0, tags: 'a' }, /^continue_at/],
    ['/fade', 'a side is needed', { task_id: true }, /^fade_in_s/],
    ['/upload', 'audio_url is required', {}, /^audio_url/],
    ['/upload', 'audio_url is public', { audio_url: 'http://127.0.0.1/a.mp3' }, /^audio_url/],
    ['', 'a length is 10 to 360 seconds', { tags: 'a', duration: 9 }, /^duration/],
    ...['', '/sample', '/cover', '/extend'].map((suffix): [string, string, JsonObject, RegExp] => [
      ...([suffix, 'gpt_description is required when custom is false'] as const),
      ...([{ task_id: true, continue_at: 5, custom: false, prompt: 'La' }, /^gpt_description/] as const),
    ]),
    [
      '/sample',
      'without a field of either mode it is not custom, and the description is missing',
      { task_id: true },
      /^gpt_description/,
    ],
  ])('%s: %s is 400 by the name of the field, creates no task and costs nothing', async (suffix, why, body, names) => {
    const [rows, before] = [await api.countRows(), await balance()];
    const answer = await send(suffix, body['task_id'] === true ? { ...body, task_id: taskId } : body);
    const fault = {
      reason: reasonBy(why),
      param: expect.stringMatching(names),
      message: expect.stringMatching(names),
    };
    const errors = expect.arrayContaining([fault]);
    const error = { code: 400, type: 'invalid_request_error', ...fault, errors, request_id: expect.any(String) };
    expect([answer.status, answer.body]).toEqual([400, { error }]);
    expect([await api.countRows(), await balance()]).toEqual([rows, before]);
  });
});

function reasonBy(why: string): Reason {
  if (why.includes('is public')) return 'bad_media';
  return /required|missing|needed/.test(why) ? 'missing_parameter' : 'invalid_parameter';
}

describe('the mode of a sample', () => {
  const sample = async (body: JsonObject) => {
    const { status, body: answer } = await send('/sample', { task_id: taskId, start_s: 1, end_s: 9, ...body });
    if (status !== 200) throw new Error(JSON.stringify(answer));
    const [{ task_id: id, warnings = [] }] = answer.data;
    const { input } = await api.database.task.findUniqueOrThrow({ where: { id } });
    return { input: input as JsonObject, warnings };
  };

  it.each<[why: string, body: JsonObject, custom: boolean]>([
    ['prompt present gives true', { prompt: 'La', gpt_description: 'a march' }, true],
    ['else gpt_description present gives false', { gpt_description: 'a march', tags: 'march', title: 'A' }, false],
    ['a blank prompt is not present', { prompt: ' ', gpt_description: 'a march' }, false],
    ['else tags present gives true', { tags: 'march' }, true],
    ['else title present gives true', { title: 'A' }, true],
    ['custom itself decides', { custom: false, prompt: 'La', gpt_description: 'a march' }, false],
  ])('%s', async (_why, body, custom) => {
    expect((await sample(body)).input['custom']).toBe(custom);
  });

  it('reads vocal_gender and instrumental in both, and drops what belongs to the other mode silently', async () => {
    const both = { vocal_gender: 'F', instrumental: true, version: 'V5' };
    const described = await sample({ ...both, gpt_description: 'a march', tags: 'march', style_weight: 0.5 });
    expect(described.input).toMatchObject({ vocal_gender: 'f', instrumental: true, version: 'v5' });
    expect(described.warnings).toEqual([]);
    expect(described.input).not.toHaveProperty('tags');
    const written = await sample({ ...both, custom: true, gpt_description: 'a march', audio_weight: 0 });
    expect(written.input).toMatchObject({ vocal_gender: 'f', instrumental: true, audio_weight: 0 });
    expect(written.warnings).toEqual([]);
    expect(written.input).not.toHaveProperty('gpt_description');
  });
});

it.each(['/adjustSpeed', '/stems'])('%s discards a version, says so, and is billed without it', async (suffix) => {
  const { body } = await send(suffix, { task_id: taskId, speed: 2, version: 'v5' });
  const [{ task_id: id, warnings }] = body.data;
  expect(warnings).toContain('version was ignored: the model has no such field');
  const { input, rates } = await api.database.task.findUniqueOrThrow({ where: { id } });
  expect(input).not.toHaveProperty('version');
  expect(Object.keys(rates as object)[0]).not.toContain('v5');
});
