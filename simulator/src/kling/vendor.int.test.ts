import { createHmac } from 'node:crypto';
import { forAllTests } from '@mediagate/testkit';
import { flatPng } from '../../test/images';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';
import { dataUrl } from '../../test/videos';

const VIDEO_MS = 60_000;
let image: string;

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
beforeAll(async () => {
  image = (await flatPng(900, 600, '#20aaaa')).toString('base64');
});
afterEach(() => simulator.reset());

interface Video {
  id: string;
  url: string;
  watermark_url: string;
  duration: string;
}

interface Task {
  task_id: string;
  task_status: string;
  task_status_msg: string;
  task_result: { videos: Video[]; elements: { element_id: string }[] };
  id: string;
  status: string;
  outputs: Video[];
}

interface Answer<Data = Task> {
  httpStatus: number;
  code: number;
  message: string;
  request_id: string;
  data: Data;
}

const answerOf = async <Data>(response: Response): Promise<Answer<Data>> => ({
  httpStatus: response.status,
  // A long as text: a double would round it.
  ...(JSON.parse((await response.text()).replace(/"element_id":(\d+)/g, '"element_id":"$1"')) as Omit<
    Answer<Data>,
    'httpStatus'
  >),
});
const send = async (path: string, body: object, key = keyOf('kling')) =>
  answerOf<Task>(await post(`${simulator.url}/kling${path}`, { key, body }));
const read = async <Data = Task>(path: string, key = keyOf('kling')) =>
  answerOf<Data>(await fetch(`${simulator.url}/kling${path}`, { headers: { authorization: `Bearer ${key}` } }));
const text = { model_name: 'kling-v3', prompt: 'a heron' };
const submit = (family: string, fields: object) => send(`/v1/videos/${family}`, { model_name: 'kling-v3', ...fields });
const makeElement = async (fields: object = {}) => {
  const created = await send('/v1/general/advanced-custom-elements', {
    element_name: 'fox',
    element_description: 'a red fox',
    reference_type: 'image_refer',
    element_image_list: { frontal_image: image, refer_images: [{ image_url: image }] },
    ...fields,
  });
  return created;
};

describe('the older wire', () => {
  it('keeps an external id for one task alone, and finds the task by it', async () => {
    const first = await submit('text2video', { ...text, external_task_id: 'mine-1' });
    expect(await submit('text2video', { ...text, external_task_id: 'mine-1' })).toMatchObject({
      httpStatus: 400,
      code: 1201,
    });
    expect(await submit('image2video', { image: image, external_task_id: 'mine-1' })).toMatchObject({ code: 1201 });
    const { task_id: id } = first.data;
    expect((await read('/v1/videos/text2video/mine-1')).data.task_id).toBe(id);
    expect((await read<Task[]>('/tasks?external_task_ids=mine-1,mine-2')).data).toMatchObject([
      { id, status: 'submitted', external_id: 'mine-1' },
    ]);
    expect((await simulator.tasks()).tasks).toMatchObject([{ id, externalTaskId: 'mine-1' }]);
  });
});

describe('elements', () => {
  /** @param id as it stands in the JSON */
  async function show(family: string, fields: object, id: string) {
    const body = JSON.stringify({ ...fields, element_list: [{ element_id: 0 }] }).replace(
      '"element_id":0',
      `"element_id":${id}`,
    );
    const headers = { authorization: `Bearer ${keyOf('kling')}`, 'content-type': 'application/json' };
    return answerOf(await fetch(`${simulator.url}/kling/v1/videos/${family}`, { method: 'POST', headers, body }));
  }

  it('are not known before, nor under the id of their task', async () => {
    const { data } = await makeElement();
    const video = { model_name: 'kling-v3-omni', prompt: 'x' };
    expect(await show('omni-video', video, `829${data.task_id.slice(1)}`)).toMatchObject({
      httpStatus: 400,
      code: 1201,
    });
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    expect(await show('omni-video', video, data.task_id)).toMatchObject({ code: 1201 });
  });

  it.each<[string, object]>([
    ['a long name', { element_name: 'x'.repeat(21) }],
    ['no description', { element_description: undefined }],
    ['no further image', { element_image_list: { frontal_image: 'x', refer_images: [] } }],
    ['a tag it does not have', { tag_list: [{ tag_id: 'o_109' }] }],
  ])('are refused with %s', async (_what, fields) => {
    expect(await makeElement(fields)).toMatchObject({ httpStatus: 400, code: 1201 });
  });
});

describe('the older wire refuses as strictly as the vendor', () => {
  const shot = { index: 1, prompt: 'x', duration: '5' };
  const cut = { multi_shot: true, shot_type: 'customize' };
  it.each<[string, string, object]>([
    ['a length that is a number', 'text2video', { ...text, duration: 5 }],
    ['a length of two seconds', 'text2video', { ...text, duration: '2' }],
    ['no prompt', 'text2video', {}],
    ['a ratio it does not have', 'text2video', { ...text, aspect_ratio: '4:3' }],
    ['a mode it does not have', 'text2video', { ...text, mode: '720p' }],
    ['sound as a boolean', 'text2video', { ...text, sound: true }],
    ['elements without images', 'text2video', { ...text, element_list: [{ element_id: '1' }] }],
    [
      'an element it does not know',
      'omni-video',
      { model_name: 'kling-v3-omni', prompt: 'x', element_list: [{ element_id: 1 }] },
    ],
    ['shots of no kind', 'text2video', { ...text, multi_shot: true }],
    ['shots without words', 'text2video', { ...text, ...cut }],
    ['shots that do not sum up', 'text2video', { ...text, ...cut, multi_prompt: [shot], duration: '6' }],
    ['shots out of order', 'text2video', { ...cut, multi_prompt: [{ ...shot, index: 2 }] }],
    ['a shot with a length that is a number', 'text2video', { ...cut, multi_prompt: [{ ...shot, duration: 5 }] }],
    ['a last frame beside shots', 'image2video', { ...cut, image: 'x', image_tail: 'x', multi_prompt: [shot] }],
    [
      'what is not to be seen for omni',
      'omni-video',
      { model_name: 'kling-v3-omni', prompt: 'x', negative_prompt: 'y' },
    ],
    ['a last frame alone', 'image2video', { image_tail: 'http://127.0.0.1/x.png' }],
    ['an image that cannot be had', 'image2video', { image: 'http://127.0.0.1:1/x.png' }],
  ])('%s with 1201', async (_what, family, fields) => {
    expect(await submit(family, fields)).toMatchObject({ httpStatus: 400, code: 1201, request_id: expect.any(String) });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('images that are too small, too long, or a data URL with 1201', async () => {
    const bare = async (width: number, height: number) => (await flatPng(width, height)).toString('base64');
    for (const image of [await bare(299, 400), await bare(300, 760), await dataUrl(400, 400)]) {
      expect(await submit('image2video', { image })).toMatchObject({ code: 1201 });
    }
  });

  it('a model of another path with 1203, and a path it does not have with 1202', async () => {
    expect(await submit('omni-video', text)).toMatchObject({ httpStatus: 404, code: 1203 });
    expect(await submit('text3video', text)).toMatchObject({ httpStatus: 404, code: 1202 });
  });

  it('more jobs at once than the account has slots for with 1303, until one ends', async () => {
    const small = await startUnderTest({ videoMs: VIDEO_MS });
    await small.setLimits('kling', { concurrentJobs: 2 });
    const ask = async () => {
      const response = await post(`${small.url}/kling/v1/videos/text2video`, { key: keyOf('kling'), body: text });
      return [response.status, ((await response.json()) as Answer).code];
    };
    expect([await ask(), await ask(), await ask()]).toEqual([
      [200, 0],
      [200, 0],
      [429, 1303],
    ]);
    await small.moveClock({ advanceMs: VIDEO_MS });
    expect(await ask()).toEqual([200, 0]);
    await small.close();
  });
});

describe('credentials', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sign = (claims: object, { header = {}, secret = 'sim-kling-secret-key' } = {}) => {
    const signed = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(claims)}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };
  const now = Math.floor(Date.now() / 1_000);
  const good = { iss: 'sim-kling-access-key', exp: now + 1_800, nbf: now - 5 };

  it('may be a token signed with the secret key', async () => {
    expect(await send('/v1/videos/text2video', text, sign(good))).toMatchObject({ httpStatus: 200, code: 0 });
  });

  it.each<[string, string, number]>([
    ['another issuer', sign({ ...good, iss: 'other' }), 1002],
    ['another secret', sign(good, { secret: 'other' }), 1002],
    ['no algorithm', sign(good, { header: { alg: 'none' } }), 1002],
    ['no times', sign({ iss: good.iss }), 1002],
    ['a time to come', sign({ ...good, nbf: now + 60 }), 1003],
    ['a time past', sign({ ...good, exp: now - 1 }), 1004],
    ['no token', 'other', 1002],
  ])('with %s are refused', async (_what, token, code) => {
    expect(await send('/v1/videos/text2video', text, token)).toMatchObject({ httpStatus: 401, code });
    expect(await read('/tasks?task_ids=1', token)).toMatchObject({ httpStatus: 401, code });
  });

  it('that are missing are refused with 1001', async () => {
    expect(await answerOf(await fetch(`${simulator.url}/kling/tasks?task_ids=1`))).toMatchObject({ code: 1001 });
  });
});
