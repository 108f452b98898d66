import { forAllTests } from '@mediagate/testkit';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';
import { dataUrl } from '../../test/videos';

const VIDEO_MS = 60_000;
const model = 'MiniMax-Hailuo-02';

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
afterEach(() => simulator.reset());

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
});
