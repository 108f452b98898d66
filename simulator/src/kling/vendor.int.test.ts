import { forAllTests } from '@mediagate/testkit';
import { flatPng } from '../../test/images';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';

const VIDEO_MS = 60_000;
let image: string;

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
beforeAll(async () => {
  image = (await flatPng(900, 600, '#20aaaa')).toString('base64');
});
afterEach(() => simulator.reset());

interface Task {
  task_id: string;
}

interface Answer<Data = Task> {
  httpStatus: number;
  code: number;
  data: Data;
}

const answerOf = async <Data>(response: Response): Promise<Answer<Data>> => ({
  httpStatus: response.status,
  ...((await response.json()) as Omit<Answer<Data>, 'httpStatus'>),
});
const send = async (path: string, body: object) =>
  answerOf<Task>(await post(`${simulator.url}/kling${path}`, { key: keyOf('kling'), body }));
const read = async <Data = Task>(path: string) =>
  answerOf<Data>(
    await fetch(`${simulator.url}/kling${path}`, { headers: { authorization: `Bearer ${keyOf('kling')}` } }),
  );
const text = { model_name: 'kling-v3', prompt: 'a heron' };
const submit = (family: string, fields: object) => send(`/v1/videos/${family}`, { model_name: 'kling-v3', ...fields });
const makeElement = () =>
  send('/v1/general/advanced-custom-elements', {
    element_name: 'fox',
    element_description: 'a red fox',
    reference_type: 'image_refer',
    element_image_list: { frontal_image: image, refer_images: [{ image_url: image }] },
  });

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
});
