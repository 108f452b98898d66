import { forAllTests } from '@mediagate/testkit';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';

const VIDEO_MS = 60_000;
const model = 'dreamina-seedance-2-0-260128';
const TASKS = '/ark/api/v3/contents/generations/tasks';

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
afterEach(() => simulator.reset());

interface Task {
  id: string;
  status: string;
  content: { video_url: string };
  usage: { completion_tokens: number };
  duration: number;
  error: { code: string; param: string };
}

const words = (text: string) => ({ type: 'text', text });
const image = (url: string, role?: string) => ({ type: 'image_url', image_url: { url }, ...(role && { role }) });
const ask = (body: object) => post(`${simulator.url}${TASKS}`, { key: keyOf('ark'), body: { model, ...body } });
const submit = async (body: object): Promise<string> => {
  const response = await ask(body);
  expect(response.status).toBe(200);
  return ((await response.json()) as Task).id;
};
const call = (method: string, id: string) =>
  fetch(`${simulator.url}${TASKS}/${id}`, { method, headers: { authorization: `Bearer ${keyOf('ark')}` } });
const look = async (id: string) => (await (await call('GET', id)).json()) as Task;

it('stops a task that waits, not one that runs, and forgets one that has ended', async () => {
  const content = [words('a heron')];
  const [waits, runs] = [await submit({ content }), await submit({ content })];
  expect((await call('DELETE', waits)).status).toBe(200);
  expect((await look(waits)).status).toBe('cancelled');
  await simulator.moveClock({ advanceMs: VIDEO_MS / 2 });
  expect((await call('DELETE', runs)).status).toBe(400);
  await simulator.moveClock({ advanceMs: VIDEO_MS / 2 });
  expect((await look(runs)).status).toBe('succeeded');
  expect((await call('DELETE', runs)).status).toBe(200);
  expect((await call('GET', runs)).status).toBe(404);
});

describe('refuses as strictly as the vendor', () => {
  it.each<[string, object, string]>([
    ['a model it does not have', { model: 'seedance-9', content: [words('p')] }, 'InvalidEndpointOrModel.NotFound'],
    ['nothing to go by', { content: [] }, 'InvalidParameter'],
    ['three seconds', { content: [words('p')], duration: 3 }, 'InvalidParameter'],
    ['a length as text', { content: [words('p')], duration: '5' }, 'InvalidParameter'],
    ['a resolution in capitals', { content: [words('p')], resolution: '720P' }, 'InvalidParameter'],
    [
      '1080p of the fast model',
      { model: `${model.replace('260128', 'fast-260128')}`, content: [words('p')], resolution: '1080p' },
      'InvalidParameter',
    ],
    ['an image that cannot be had', { content: [image('http://127.0.0.1:1/x.png')] }, 'InvalidParameter'],
    [
      'references of 1.5',
      { model: 'seedance-1-5-pro-251215', content: [image('http://127.0.0.1:1/x.png', 'reference_image')] },
      'InvalidParameter',
    ],
    [
      'a sound alone',
      { content: [words('p'), { type: 'audio_url', audio_url: { url: 'http://127.0.0.1:1/x.mp3' } }] },
      'InvalidParameter',
    ],
    ['a last frame alone', { content: [image('http://127.0.0.1:1/x.png', 'last_frame')] }, 'InvalidParameter'],
  ])('%s', async (_what, body, code) => {
    const response = await ask(body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(((await response.json()) as Task).error.code).toBe(code);
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('but lets unknown fields pass, and warns of them', async () => {
    await submit({ content: [words('p')], prompt_optimizer: true });
    expect((await simulator.lastEntry()).warnings).toEqual(["unknown field 'prompt_optimizer'"]);
  });
});
