import { type JobWire, type JobWireName, type Json, jobWires } from './job-wires';
import { type SimulatorUnderTest, startUnderTest } from './simulator-under-test';
import { inspectVideo } from './videos';

const VIDEO_MS = 60_000;
let simulator: SimulatorUnderTest;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: VIDEO_MS });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const wires = jobWires(() => simulator.url);
const names = Object.keys(wires) as JobWireName[];
const videoWires = names.filter((name) => name !== 'mj');

const bodyOf = async (response: Response) => (await response.json()) as Json;
const started = async (wire: JobWire, prompt: string): Promise<string> =>
  wire.idOf(await bodyOf(await wire.start(prompt)));
const finished = async (wire: JobWire, prompt: string): Promise<Json> => {
  const id = await started(wire, prompt);
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  return bodyOf(await wire.check(id));
};
const jobs = async () => (await simulator.tasks()).tasks.length;

describe('refusals of a start leave no job behind', () => {
  it.each<[JobWireName, string, number, object]>([
    ['dashscope', 'rate-limit', 429, { code: 'Throttling.RateQuota' }],
    ['dashscope', 'quota', 403, { code: 'AccessDenied.Unpurchased' }],
    ['dashscope', 'balance', 400, { code: 'Arrearage' }],
    ['dashscope', 'auth', 401, { code: 'InvalidApiKey' }],
    ['dashscope', '5xx=504', 504, { code: 'InternalError' }],
    ['dashscope', 'busy', 503, { code: 'ServiceUnavailable' }],
    ['dashscope', 'policy-submit', 400, { code: 'DataInspectionFailed' }],
    ['gemini', 'rate-limit', 429, { error: { status: 'RESOURCE_EXHAUSTED' } }],
    ['gemini', 'balance', 403, { error: { status: 'PERMISSION_DENIED' } }],
    ['gemini', 'auth', 400, { error: { status: 'INVALID_ARGUMENT' } }],
    ['gemini', '5xx', 500, { error: { status: 'INTERNAL' } }],
    ['gemini', 'busy', 503, { error: { status: 'UNAVAILABLE' } }],
    ['gemini', 'policy-submit', 400, { error: { status: 'INVALID_ARGUMENT' } }],
    ['minimax', 'rate-limit', 200, { base_resp: { status_code: 1002 } }],
    ['minimax', 'balance', 200, { base_resp: { status_code: 1008 } }],
    ['minimax', 'auth', 200, { base_resp: { status_code: 2049 } }],
    ['minimax', '5xx', 200, { base_resp: { status_code: 1000 } }],
    ['minimax', '5xx=503', 503, { base_resp: { status_code: 1000 } }],
    ['minimax', 'busy', 200, { base_resp: { status_code: 1033 } }],
    ['minimax', 'policy-submit', 200, { base_resp: { status_code: 1026 } }],
    ['kling', 'rate-limit', 429, { code: 1302 }],
    ['kling', 'quota', 429, { code: 1102 }],
    ['kling', 'balance', 429, { code: 1101 }],
    ['kling', 'auth', 401, { code: 1002 }],
    ['kling', '5xx', 500, { code: 5000 }],
    ['kling', 'busy', 503, { code: 5001 }],
    ['kling', 'policy-submit', 400, { code: 1301 }],
    ['skyreels', 'rate-limit', 200, { code: 429 }],
    ['skyreels', 'balance', 200, { code: 480 }],
    ['skyreels', 'auth', 200, { code: 401 }],
    ['skyreels', '5xx', 500, { code: 500 }],
    ['skyreels', 'busy', 200, { code: 481 }],
    ['skyreels', 'policy-submit', 200, { code: 482 }],
    ['fal', 'rate-limit', 429, { detail: 'Too many requests' }],
    ['fal', 'balance', 403, { detail: expect.stringContaining('Exhausted balance') }],
    ['fal', 'auth', 401, { detail: expect.stringContaining('Authentication') }],
    ['fal', '5xx=503', 503, { detail: 'Internal server error' }],
    ['fal', 'policy-submit', 422, { detail: [{ loc: ['body', 'prompt'], type: 'content_policy_violation' }] }],
    ['replicate', 'rate-limit', 429, { status: 429 }],
    ['replicate', 'balance', 402, { title: 'Insufficient credit' }],
    ['replicate', 'auth', 401, { title: 'Unauthenticated' }],
    ['replicate', '5xx=503', 503, { status: 503 }],
    ['replicate', 'policy-submit', 422, { detail: expect.stringContaining('E005') }],
    ['vllm', 'rate-limit', 429, { error: { code: 'rate_limit_exceeded' } }],
    ['vllm', 'balance', 402, { error: { code: 'insufficient_balance' } }],
    ['vllm', 'auth', 401, { error: 'Unauthorized' }],
    ['vllm', '5xx', 500, { error: { type: 'InternalServerError' } }],
    ['vllm', 'busy', 503, { detail: expect.any(String) }],
    ['vllm', 'policy-submit', 400, { error: { code: 'moderation_blocked' } }],
    ['mj', 'rate-limit', 429, { code: 23 }],
    ['mj', 'balance', 200, { code: 3 }],
    ['mj', 'auth', 401, { code: 9 }],
    ['mj', '5xx', 200, { code: 9 }],
    ['mj', '5xx=502', 502, { code: 9 }],
    ['mj', 'busy', 200, { code: 23 }],
    ['mj', 'policy-submit', 200, { code: 24, properties: { bannedWord: expect.any(String) } }],
  ])('%s %s', async (name, scenario, status, body) => {
    const response = await wires[name].start(`x [[sim:${scenario}]]`);
    expect({ status: response.status, body: await bodyOf(response) }).toMatchObject({ status, body });
    expect(await simulator.lastEntry()).toMatchObject({ operation: 'start', accepted: false, externalId: null });
    expect(await jobs()).toBe(0);
  });

  it.each(names)('%s gateway-html is a page', async (name) => {
    const response = await wires[name].start('x [[sim:gateway-html]]');
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await jobs()).toBe(0);
  });

  it.each(names)('%s reset-before', async (name) => {
    await expect(wires[name].start('x [[sim:reset-before]]')).rejects.toThrow();
    expect(await simulator.lastEntry()).toMatchObject({ accepted: false, ending: 'cut' });
    expect(await jobs()).toBe(0);
  });

  it.each(names)('%s refuses twice, then starts', async (name) => {
    const accepted: boolean[] = [];
    for (let call = 0; call < 3; call += 1) {
      await wires[name].start('x [[sim:rate-limit*2]]');
      accepted.push((await simulator.lastEntry()).accepted);
    }
    expect(accepted).toEqual([false, false, true]);
  });
});

describe('a start whose answer is lost is a job all the same', () => {
  it.each(names)('%s reset-after', async (name) => {
    await expect(wires[name].start('x [[sim:reset-after]]')).rejects.toThrow();
    const [task] = (await simulator.tasks()).tasks;
    expect(task).toMatchObject({ wire: name, state: 'queued' });
    expect(await simulator.lastEntry()).toMatchObject({ accepted: true, ending: 'cut', externalId: task?.id });
  });

  it.each(names)('%s malformed and truncated-json', async (name) => {
    for (const scenario of ['malformed', 'truncated-json']) {
      const response = await wires[name].start(`x [[sim:${scenario}]]`);
      expect(response.ok).toBe(true);
      await expect(response.json()).rejects.toMatchObject({ name: 'SyntaxError' });
    }
    expect(await jobs()).toBe(2);
  });

  it('start-latency holds the answer back, and nothing else', async () => {
    const answer = wires.kling.start('x [[sim:start-latency=60m]]');
    await fetch(`${simulator.url}/__sim/journal?atLeast=1`);
    await simulator.moveClock({ advanceMs: 3_600_000 });
    expect((await answer).status).toBe(200);
  });
});

describe('how a job goes', () => {
  it.each(names)('%s stuck never leaves the running state', async (name) => {
    const id = await started(wires[name], 'x [[sim:stuck]]');
    await simulator.moveClock({ advanceMs: 20 * 3_600_000 });
    expect(wires[name].wordOf(await bodyOf(await wires[name].check(id)))).toBe(wires[name].words.running);
    expect((await simulator.tasks('?state=running')).tasks).toMatchObject([{ id, endsAt: null }]);
  });

  it.each(names)('%s latency makes the work that much longer, not the answer', async (name) => {
    const { words, wordOf, check } = wires[name];
    const id = await started(wires[name], 'x [[sim:latency=10m]]');
    await simulator.moveClock({ advanceMs: 600_000 });
    expect(wordOf(await bodyOf(await check(id)))).toBe(words.running);
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    expect(wordOf(await bodyOf(await check(id)))).toBe(words.done);
  });

  it.each<[JobWireName, string, object]>([
    ['dashscope', 'policy-result', { output: { task_status: 'FAILED', code: 'DataInspectionFailed' } }],
    ['dashscope', 'failed-result', { output: { task_status: 'FAILED', code: 'InternalError' } }],
    ['gemini', 'policy-result', { response: { generateVideoResponse: { raiMediaFilteredCount: 1 } } }],
    ['gemini', 'failed-result', { done: true, error: { code: 13 } }],
    ['minimax', 'policy-result', { status: 'Fail', base_resp: { status_code: 1027 } }],
    ['minimax', 'failed-result', { status: 'Fail', base_resp: { status_code: 1000 } }],
    [
      'kling',
      'policy-result',
      { code: 0, data: { task_status: 'failed', task_status_msg: expect.stringMatching(/risk/) } },
    ],
    [
      'kling',
      'failed-result',
      { code: 0, data: { task_status: 'failed', task_status_msg: expect.stringMatching(/Internal/) } },
    ],
    ['skyreels', 'policy-result', { status: 'failed', code: 482 }],
    ['skyreels', 'failed-result', { status: 'failed', code: 500 }],
    ['fal', 'policy-result', { detail: [{ type: 'content_policy_violation' }] }],
    ['fal', 'failed-result', { detail: [{ type: 'no_media_generated' }] }],
    ['replicate', 'policy-result', { status: 'failed', error: expect.stringContaining('E005') }],
    ['replicate', 'failed-result', { status: 'failed', error: expect.stringContaining('CUDA') }],
    ['vllm', 'policy-result', { status: 'failed', error: { code: 'moderation_blocked' } }],
    ['vllm', 'failed-result', { status: 'failed', error: { code: 500 } }],
    ['mj', 'policy-result', { status: 'FAILURE', failReason: expect.stringMatching(/Banned/) }],
    ['mj', 'failed-result', { status: 'FAILURE', failReason: expect.stringMatching(/Internal/) }],
  ])('%s %s is told by every check', async (name, scenario, body) => {
    const id = await started(wires[name], `x [[sim:${scenario}*1]]`);
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    for (let look = 0; look < 2; look += 1) expect(await bodyOf(await wires[name].check(id))).toMatchObject(body);
    // Counted: the next job for the same words succeeds.
    expect(wires[name].wordOf(await finished(wires[name], `x [[sim:${scenario}*1]]`))).toBe(wires[name].words.done);
  });
});

describe('checks', () => {
  it.each(names)('%s meet the faults that the start asked for with check-', async (name) => {
    const wire = wires[name];
    const id = await started(wire, 'x [[sim:check-5xx=503*1,check-gateway-html*1,check-malformed*1,check-reset*1]]');
    const seen: unknown[] = [];
    for (let look = 0; look < 5; look += 1) {
      const outcome = await wire.check(id).then(
        async (response) => [response.ok ? 'ok' : response.status, await response.text().then(isJson)],
        () => 'cut',
      );
      seen.push(outcome);
    }
    expect(seen).toEqual(['cut', [502, false], [503, true], ['ok', false], ['ok', true]]);
    const entries = (await simulator.journal()).filter(({ operation }) => operation === 'check');
    expect(entries.map(({ scenarios }) => scenarios)).toEqual([
      ['check-reset'],
      ['check-gateway-html'],
      ['check-5xx'],
      ['check-malformed'],
      [],
    ]);
    expect(entries.every(({ externalId, accepted }) => externalId === id && !accepted)).toBe(true);
  });

  it.each(names)('%s meet the faults of a rule about their path', async (name) => {
    const wire = wires[name];
    const id = await started(wire, 'plain');
    await simulator.setRules([{ match: { wire: name, prompt: '^plain$' }, scenario: 'busy*1' }]);
    await wire.check(id);
    expect(await simulator.lastEntry()).toMatchObject({ operation: 'check', scenarios: ['busy'], rule: 'rule:r1' });
    expect(wire.wordOf(await bodyOf(await wire.check(id)))).toEqual(expect.any(String));
    expect((await simulator.lastEntry()).scenarios).toEqual([]);
  });

  it.each(names)('%s new-status-word is a word that nobody knows, while it lasts', async (name) => {
    const wire = wires[name];
    const id = await started(wire, 'x [[sim:new-status-word*1]]');
    const first = wire.wordOf(await bodyOf(await wire.check(id)));
    expect(first).toMatch(/^reviewing$/i);
    expect(wire.wordOf(await bodyOf(await wire.check(id)))).not.toBe(first);
  });

  it.each(names)('%s missing-url, empty-result and wrong-type are successes without a video', async (name) => {
    const wire = wires[name];
    for (const scenario of ['missing-url', 'empty-result', 'wrong-type']) {
      const id = await started(wire, `${scenario} [[sim:${scenario}*1]]`);
      await simulator.moveClock({ advanceMs: VIDEO_MS });
      const body = await bodyOf(await wire.check(id));
      expect(wire.wordOf(body)).toBe(wire.words.done);
      expect(await wire.linkOf(body)).not.toEqual(expect.stringMatching(/^http/));
      expect(await wire.linkOf(await bodyOf(await wire.check(id)))).toMatch(/^http/);
    }
  });
});

describe('videos', () => {
  const linkWith = async (name: JobWireName, scenario: string) =>
    String(await wires[name].linkOf(await finished(wires[name], `x [[sim:${scenario}]]`)));

  it.each(names)('%s asset-403 and asset-404 refuse the download, as often as asked', async (name) => {
    for (const [scenario, status] of [
      ['asset-403', 403],
      ['asset-404', 404],
    ] as const) {
      const link = await linkWith(name, `${scenario}*1`);
      expect([(await fetch(link)).status, (await fetch(link)).status]).toEqual([status, 200]);
    }
  });

  it('asset-truncated, asset-slow, asset-html and asset-huge spoil the download', async () => {
    const whole = Buffer.from(await (await fetch(await linkWith('dashscope', 'asset-slow=200ms'))).arrayBuffer());
    expect((await inspectVideo(whole)).seconds).toBe(2);
    await expect((await fetch(await linkWith('dashscope', 'asset-truncated'))).arrayBuffer()).rejects.toThrow();
    expect(await (await fetch(await linkWith('dashscope', 'asset-html'))).text()).toContain('<!doctype html>');
    const huge = await fetch(await linkWith('dashscope', 'asset-huge'));
    let received = 0;
    for await (const chunk of huge.body ?? []) {
      received += chunk.length;
      if (received > whole.length + 8 * 1024 * 1024) break;
    }
    expect(received).toBeGreaterThan(whole.length + 8 * 1024 * 1024);
  });

  it.each(videoWires)('%s wrong-media is a video of half the size and a second', async (name) => {
    const video = async (scenario: string) =>
      inspectVideo(Buffer.from(await (await fetch(await linkWith(name, scenario))).arrayBuffer()));
    const [right, wrong] = [await video('latency=1ms'), await video('wrong-media')];
    expect(wrong.seconds).toBe(1);
    expect(Math.abs(wrong.width - right.width / 2)).toBeLessThanOrEqual(1);
  });

  it('are refused before the job is done', async () => {
    const id = await started(wires.dashscope, 'x');
    const response = await fetch(`${simulator.url}/assets/dashscope-${id}.mp4?exp=1`);
    expect(response.status).toBe(404);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
