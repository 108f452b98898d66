import type { Json } from './job-wires';
import { keyOf, post, type SimulatorUnderTest, startUnderTest } from './simulator-under-test';
import { decode } from './sounds';

const JOB_MS = 60_000;
let simulator: SimulatorUnderTest;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: JOB_MS });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

interface MusicWire {
  start(prompt: string): Promise<Response>;
  idOf(body: Json): string;
  check(id: string): Promise<Response>;
  wordOf(body: Json): unknown;
  /** The link to the first track, or what stands in its place. */
  linkOf(body: Json): unknown;
  words: { queued: string; running: string; done: string; refused: string; failed: string };
}

const wires: Record<'ttapi' | 'sunoapi', MusicWire> = {
  ttapi: {
    start: (prompt) =>
      post(`${simulator.url}/ttapi/suno/v1/music`, {
        key: '',
        headers: { 'tt-api-key': keyOf('ttapi') },
        body: { mv: 'chirp-v5', custom: false, instrumental: true, gpt_description_prompt: prompt },
      }),
    idOf: (body) => body.data.jobId,
    check: (id) =>
      fetch(`${simulator.url}/ttapi/suno/v2/fetch?jobId=${id}`, { headers: { 'tt-api-key': keyOf('ttapi') } }),
    wordOf: (body) => body.status,
    linkOf: (body) => body.data.musics[0]?.audioUrl,
    words: { queued: 'ON_QUEUE', running: 'ON_QUEUE', done: 'SUCCESS', refused: 'FAILED', failed: 'FAILED' },
  },
  sunoapi: {
    start: (prompt) =>
      post(`${simulator.url}/sunoapi/api/v1/generate`, {
        key: keyOf('sunoapi'),
        body: { customMode: false, instrumental: true, model: 'V5', prompt, callBackUrl: 'http://127.0.0.1/hook' },
      }),
    idOf: (body) => body.data.taskId,
    check: (id) =>
      fetch(`${simulator.url}/sunoapi/api/v1/generate/record-info?taskId=${id}`, {
        headers: { authorization: `Bearer ${keyOf('sunoapi')}` },
      }),
    wordOf: (body) => body.data.status,
    linkOf: (body) => body.data.response.sunoData[0]?.audioUrl,
    words: {
      queued: 'PENDING',
      running: 'FIRST_SUCCESS',
      done: 'SUCCESS',
      refused: 'SENSITIVE_WORD_ERROR',
      failed: 'GENERATE_AUDIO_FAILED',
    },
  },
};
const names = Object.keys(wires) as (keyof typeof wires)[];

const bodyOf = async (response: Response) => (await response.json()) as Json;
const started = async (name: keyof typeof wires, prompt: string) =>
  wires[name].idOf(await bodyOf(await wires[name].start(prompt)));
const finished = async (name: keyof typeof wires, prompt: string): Promise<Json> => {
  const id = await started(name, prompt);
  await simulator.moveClock({ advanceMs: JOB_MS });
  return bodyOf(await wires[name].check(id));
};

describe('refusals of a start leave no job behind', () => {
  it.each<[keyof typeof wires, string, number, object]>([
    ['ttapi', 'rate-limit', 429, { status: 'FAILED' }],
    ['ttapi', 'quota', 402, { status: 'FAILED' }],
    ['ttapi', 'auth', 401, { status: 'FAILED' }],
    ['ttapi', '5xx=502', 502, { status: 'FAILED' }],
    ['ttapi', 'busy', 503, { status: 'FAILED' }],
    ['ttapi', 'policy-submit', 400, { message: expect.stringMatching(/moderation/) }],
    ['sunoapi', 'rate-limit', 200, { code: 430 }],
    ['sunoapi', 'balance', 200, { code: 429 }],
    ['sunoapi', 'auth', 200, { code: 401 }],
    ['sunoapi', '5xx=500', 500, { code: 500 }],
    ['sunoapi', 'busy', 200, { code: 455 }],
    ['sunoapi', 'policy-submit', 200, { code: 400 }],
  ])('%s %s', async (name, scenario, status, body) => {
    const response = await wires[name].start(`x [[sim:${scenario}]]`);
    expect({ status: response.status, body: await bodyOf(response) }).toMatchObject({ status, body });
    expect(await simulator.lastEntry()).toMatchObject({ operation: 'start', accepted: false, externalId: null });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });
});

describe.each(names)('%s', (name) => {
  const { check, wordOf, linkOf, words } = wires[name];

  it('a start whose answer is lost is a job all the same', async () => {
    await expect(wires[name].start('x [[sim:reset-after]]')).rejects.toThrow();
    const [task] = (await simulator.tasks()).tasks;
    expect(task).toMatchObject({ wire: name, state: 'queued' });
    expect(await simulator.lastEntry()).toMatchObject({ accepted: true, ending: 'cut', externalId: task?.id });
  });

  it('goes from the queue over the first track to the end', async () => {
    const id = await started(name, 'x');
    const seen = [];
    for (const advanceMs of [0, JOB_MS * 0.7, JOB_MS]) {
      await simulator.moveClock({ advanceMs });
      seen.push(wordOf(await bodyOf(await check(id))));
    }
    expect(seen).toEqual([words.queued, words.running, words.done]);
  });

  it('a stuck job has no track, however long one waits', async () => {
    const id = await started(name, 'x [[sim:stuck]]');
    await simulator.moveClock({ advanceMs: 20 * 3_600_000 });
    expect(wordOf(await bodyOf(await check(id)))).toBe(words.queued);
  });

  it.each([
    ['policy-result', 'refused'],
    ['failed-result', 'failed'],
  ] as const)('%s ends in its words', async (scenario, word) => {
    expect(wordOf(await finished(name, `x [[sim:${scenario}]]`))).toBe(words[word]);
  });

  it('missing-url, empty-result and wrong-type are successes without a track, while they last', async () => {
    for (const scenario of ['missing-url', 'empty-result', 'wrong-type']) {
      const id = await started(name, `${scenario} [[sim:${scenario}*1]]`);
      await simulator.moveClock({ advanceMs: JOB_MS });
      const spoilt = await bodyOf(await check(id));
      expect(wordOf(spoilt)).toBe(words.done);
      expect(linkOf(spoilt)).not.toEqual(expect.stringMatching(/^http/));
      expect(linkOf(await bodyOf(await check(id)))).toMatch(/^http/);
    }
  });

  it('checks meet the faults that the start asked for', async () => {
    const id = await started(name, 'x [[sim:check-gateway-html*1,check-malformed*1]]');
    expect((await check(id)).status).toBe(502);
    await expect((await check(id)).json()).rejects.toThrow();
    expect(wordOf(await bodyOf(await check(id)))).toBe(words.queued);
    const other = await started(name, 'x [[sim:new-status-word*1]]');
    expect(wordOf(await bodyOf(await check(other)))).toBe('REVIEWING');
    expect(wordOf(await bodyOf(await check(other)))).toBe(words.queued);
  });

  it('wrong-media is a track of one second', async () => {
    const link = String(linkOf(await finished(name, 'x [[sim:wrong-media]]')));
    const { seconds } = await decode(Buffer.from(await (await fetch(link)).arrayBuffer()));
    expect(seconds).toBeCloseTo(1, 0);
  });

  it('downloads can be spoilt, as often as asked', async () => {
    const link = String(linkOf(await finished(name, 'x [[sim:asset-403*1]]')));
    expect([(await fetch(link)).status, (await fetch(link)).status]).toEqual([403, 200]);
    const cut = String(linkOf(await finished(name, 'y [[sim:asset-truncated]]')));
    await expect((await fetch(cut)).arrayBuffer()).rejects.toThrow();
  });

  it('a track can be fetched only when it is there, and not for ever', async () => {
    const id = await started(name, 'x');
    expect((await fetch(`${simulator.url}/assets/${name}-${id}-1.mp3?exp=1`)).status).toBe(404);
    await simulator.moveClock({ advanceMs: JOB_MS });
    const link = String(linkOf(await bodyOf(await check(id))));
    expect((await fetch(link)).status).toBe(200);
    await simulator.moveClock({ advanceMs: 16 * 24 * 3_600_000 });
    expect((await fetch(link)).status).toBe(403);
  });
});
