import { forAllTests } from '@mediagate/testkit';
import { keyOf, startUnderTest } from '../../test/simulator-under-test';

const VIDEO_MS = 60_000;
const KLING = 'fal-ai/kling-video/v3/standard';

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
afterEach(() => simulator.reset());

interface Answer {
  request_id: string;
  status: string;
  response_url: string;
  images: { url: string; width: number; content_type: string }[];
  video: { url: string };
  detail: string | { loc: unknown[]; type: string }[];
}

const call = (url: string, method = 'GET', body?: object, key = keyOf('fal')) =>
  fetch(url, {
    method,
    headers: { authorization: `Key ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const submit = async (endpoint: string, body: object): Promise<Answer> => {
  const response = await call(`${simulator.url}/fal/${endpoint}`, 'POST', body);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
};
const finished = async (endpoint: string, body: object) => {
  const queued = await submit(endpoint, body);
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  const response = await call(queued.response_url);
  return { response, answer: (await response.json()) as Answer };
};

describe('what is wrong with an input is the answer to the request, not to its submission', () => {
  it.each<[string, object, string, unknown[]]>([
    [`${KLING}/text-to-video`, { prompt: 'p', duration: 5 }, 'literal_error', ['body', 'duration']],
    [`${KLING}/image-to-video`, { prompt: 'p' }, 'missing', ['body', 'start_image_url']],
    ['fal-ai/nano-banana', { prompt: 'p', num_images: 9 }, 'less_than_equal', ['body', 'num_images']],
    ['fal-ai/nano-banana/edit', { prompt: 'p', image_urls: ['http://127.0.0.1:1/x.png'] }, 'file_download_error', []],
  ])('%s %j', async (endpoint, body, type, loc) => {
    const { response, answer } = await finished(endpoint, body);
    expect(response.status).toBe(422);
    const [fault] = answer.detail as { loc: unknown[]; type: string }[];
    expect(fault?.type).toBe(type);
    if (loc.length > 0) expect(fault?.loc).toEqual(loc);
  });

  it('a path that the application does not have, while an application that is not there is refused at once', async () => {
    const { response, answer } = await finished(`${KLING}/text-to-vide`, { prompt: 'p' });
    expect([response.status, answer.detail]).toEqual([404, 'Path /v3/standard/text-to-vide not found']);
    expect((await call(`${simulator.url}/fal/fal-ai/nothing`, 'POST', {})).status).toBe(404);
  });
});

it('refuses a wrong key, and a request of another application', async () => {
  const { request_id: id } = await submit('fal-ai/nano-banana', { prompt: 'p' });
  expect((await call(`${simulator.url}/fal/fal-ai/nano-banana`, 'POST', { prompt: 'p' }, 'x')).status).toBe(401);
  expect((await call(`${simulator.url}/fal/fal-ai/kling-video/requests/${id}`)).status).toBe(404);
});
