import { forAllTests } from '@mediagate/testkit';
import { keyOf, post, startUnderTest } from './simulator-under-test';

const VIDEO_MS = 1_000;

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
afterEach(() => simulator.reset());

const image = (prompt: string) =>
  post(`${simulator.url}/openai/v1/images/generations`, {
    key: keyOf('openai'),
    body: { model: 'gpt-image-2', prompt, size: '1024x1024', quality: 'low' },
  });

/** Read whole, so that the connection is free for the next call. */
async function answered(call: Promise<Response>) {
  const response = await call;
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const statusOf = async (call: Promise<Response>) => (await answered(call)).status;

describe('the limit of an account', () => {
  it('is the one that a test sets, of starts in a minute of the clock', async () => {
    await simulator.setLimit('openai', 2);
    expect([await statusOf(image('1')), await statusOf(image('2'))]).toEqual([200, 200]);
    const third = await answered(image('3'));
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(50);
    await simulator.moveClock({ advanceMs: 60_000 });
    expect(await statusOf(image('3'))).toBe(200);
  });
});

describe('callbacks', () => {
  const startWith = (callbackUrl: string, list: string) =>
    post(`${simulator.url}/ark/api/v3/contents/generations/tasks`, {
      key: keyOf('ark'),
      body: {
        model: 'dreamina-seedance-2-0-260128',
        content: [{ type: 'text', text: `x [[sim:${list}]]` }],
        resolution: '480p',
        duration: 4,
        callback_url: callbackUrl,
      },
    });
  const received = async (token: string, atLeast: number) => {
    const answer = await fetch(`${simulator.url}/__receiver/${token}?atLeast=${atLeast}&timeoutMs=5000`);
    return ((await answer.json()) as { requests: { body: string }[] }).requests;
  };

  it('come as often as asked, all alike, when the job is over and not before', async () => {
    await answered(startWith(`${simulator.url}/__receiver/thrice/callback`, 'callbacks=3'));
    expect(await received('thrice', 0)).toEqual([]);
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    const bodies = (await received('thrice', 3)).map(({ body }) => JSON.parse(body));
    const [task] = (await simulator.tasks()).tasks;
    expect(bodies).toEqual(Array(3).fill({ id: task?.id, model: 'dreamina-seedance-2-0-260128', status: 'succeeded' }));
  });

  it('do not come of a job that a reset has dropped', async () => {
    await answered(startWith(`${simulator.url}/__receiver/dropped/callback`, 'callbacks=1'));
    await simulator.reset();
    await answered(startWith(`${simulator.url}/__receiver/kept/callback`, 'callbacks=1'));
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    expect(await received('kept', 1)).toHaveLength(1);
    expect(await received('dropped', 0)).toEqual([]);
  });

  it('are no fault that struck where nobody asked to be called', async () => {
    await answered(startWith('', 'callbacks=3'));
    expect((await simulator.lastEntry()).scenarios).toEqual([]);
  });

  it('go to the hosts that the simulator may reach alone', async () => {
    await answered(startWith('https://callers.example/', 'callbacks=1'));
    expect((await simulator.lastEntry()).warnings).toEqual([expect.stringContaining('SIM_FETCH_HOSTS')]);
  });
});
