import { forAllTests } from '@mediagate/testkit';
import { keyOf, startUnderTest } from '../../test/simulator-under-test';

const VIDEO_MS = 60_000;

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
afterEach(() => simulator.reset());

const call = (path: string, method = 'GET', body?: object, key = keyOf('replicate')) =>
  fetch(`${simulator.url}/replicate/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const predict = async (input: object) => {
  const response = await call('/models/minimax/hailuo-02/predictions', 'POST', { input });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
};

it.each([
  [{ prompt: 'p', duration: 5 }, 'input.duration'],
  [{ prompt: 'p', first_frame_image: 'http://127.0.0.1:1/x.png' }, 'input.first_frame_image'],
  [{}, 'input'],
])('refuses %j at once, by its field', async (input, field) => {
  const response = await call('/models/minimax/hailuo-02/predictions', 'POST', { input });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ title: 'Input validation failed', invalid_fields: [{ field }] });
});

it('stops a prediction that waits or runs, and none that is over', async () => {
  const [waits, runs, ends] = [
    await predict({ prompt: 'a' }),
    await predict({ prompt: 'b' }),
    await predict({ prompt: 'c' }),
  ];
  expect(await (await call(`/predictions/${waits}/cancel`, 'POST')).json()).toMatchObject({ status: 'canceled' });
  await simulator.moveClock({ advanceMs: VIDEO_MS / 2 });
  expect(await (await call(`/predictions/${runs}/cancel`, 'POST')).json()).toMatchObject({ status: 'canceled' });
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  expect(await (await call(`/predictions/${ends}/cancel`, 'POST')).json()).toMatchObject({ status: 'succeeded' });
});

it('keeps of an input what can be read again, and no file', async () => {
  const file = `data:text/plain;base64,${'A'.repeat(200_000)}`;
  const id = await predict({ prompt: 'a heron', unknown: [file], many: Array.from({ length: 9_000 }, (_, n) => n) });
  const answer = await (await call(`/predictions/${id}`)).text();
  expect(answer.length).toBeLessThan(20_000);
  expect(JSON.parse(answer).input).toEqual({ prompt: 'a heron', unknown: [file.slice(0, 1_000)] });
});

it('refuses a wrong token, and a version or a prediction that is not there', async () => {
  expect((await call('/account')).status).toBe(200);
  expect((await call('/account', 'GET', undefined, 'x')).status).toBe(401);
  expect((await call('/predictions/none')).status).toBe(404);
  const response = await call('/predictions', 'POST', { version: 'f'.repeat(64), input: {} });
  expect(await response.json()).toMatchObject({ title: 'Invalid version or not permitted', status: 422 });
});
