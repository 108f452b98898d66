import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalogue } from '@mediagate/catalog';
import type { CheckOutcome, JsonObject, StartOutcome } from '@mediagate/contracts';
import {
  checkChannelOptions,
  createAdapters,
  createHttpClient,
  createProbes,
  type Endpoint,
} from '@mediagate/upstreams';
import { parse } from 'yaml';
import { type SimulatorUnderTest, startUnderTest } from '../../simulator/test/simulator-under-test';

/* The examples of docs/http-job.md, as they stand there, against vendors that know nothing of them. */

const VIDEO_MS = 1_000;
const GUIDE = readFileSync(join(__dirname, '../../docs/http-job.md'), 'utf8');
let simulator: SimulatorUnderTest;
const http = createHttpClient();
const adapter = createAdapters({ http }).get('http-job');

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: VIDEO_MS });
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await http.close();
  await simulator.close();
});

interface Written {
  id: string;
  models: Record<string, string>;
  options: JsonObject;
}

const CHANNELS = [...GUIDE.matchAll(/^```yaml\n(channels:\n.*?)^```/gms)].flatMap(
  ([, text = '']): Written[] => parse(text).channels,
);

/** Where each example's vendor is simulated, and a request that its template can say. */
const PLACES: Readonly<Record<string, { path: string; key: string; request: JsonObject }>> = {
  render: {
    path: '/studio/v1',
    key: 'sim-studio-key',
    request: { resolution: '720p', seconds: 5, aspectRatio: '16:9', audio: false, rewritePrompt: true, inputs: [] },
  },
  'minimax-described': {
    path: '/minimax/v1',
    key: 'sim-minimax-key',
    request: { resolution: '768p', seconds: 5, rewritePrompt: true, rewriteFast: false, watermark: false, inputs: [] },
  },
};

describe.each(CHANNELS)('the example $id', ({ id, models, options }) => {
  const place = PLACES[id];
  const [model = ''] = Object.values(models);
  const endpoint = (apiKey = place?.key ?? ''): Endpoint => ({
    channelId: id,
    baseUrl: `${simulator.url}${place?.path}`,
    apiKey,
    model,
    options,
  });
  const contextOf = (key?: string) => ({ endpoint: endpoint(key), signal: new AbortController().signal });

  async function start(words: string, { key, more = {} }: { key?: string; more?: JsonObject } = {}) {
    const request = { prompt: `a heron ${words}`, ...place?.request, ...more };
    const outcome = await adapter?.start({ attemptId: 'att-1', request, media: [] }, contextOf(key));
    if (!outcome) throw new Error('no adapter');
    return outcome;
  }

  async function check({ operation }: { operation: JsonObject }): Promise<CheckOutcome> {
    const outcome = await adapter?.check?.(operation, contextOf());
    if (!outcome) throw new Error('no job');
    return outcome;
  }

  async function accepted(words: string) {
    const outcome = await start(words);
    if (outcome.kind !== 'started') throw new Error(JSON.stringify(outcome));
    return outcome;
  }

  /** A job as it stands when its time is over. */
  async function ended(words: string): Promise<CheckOutcome> {
    const job = await accepted(words);
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    return check(job);
  }

  const codeOf = (outcome: StartOutcome | CheckOutcome) => ('fault' in outcome ? outcome.fault.code : outcome.kind);

  it('is one that the gateway takes', () => {
    expect(checkChannelOptions('http-job', options, [model])).toBeUndefined();
  });

  it('makes a video, and says meanwhile that it waits or is under way', async () => {
    const job = await accepted('');
    expect(await check(job)).toMatchObject({ kind: 'pending', phase: 'queued' });
    await simulator.moveClock({ advanceMs: VIDEO_MS / 2 });
    expect(await check(job)).toMatchObject({ kind: 'pending', phase: 'running' });
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    const done = await check(job);
    if (done.kind !== 'done') throw new Error(JSON.stringify(done));
    const [video] = done.outputs;
    const file = await fetch(video?.url ?? '');
    expect([video?.role, file.headers.get('content-type')]).toEqual(['video', 'video/mp4']);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    expect((await simulator.journal()).flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it.each([
    ['5xx', id === 'render' ? 'upstream_fault' : 'outcome_unknown'],
    ['rate-limit', 'rate_limited'],
    ['malformed', 'outcome_unknown'],
    ['reset-after', 'outcome_unknown'],
    ['gateway-html=503', 'not_accepted'],
    ['retired', 'operator'],
  ])('a start that meets %s', async (fault, code) => {
    expect(codeOf(await start(`[[sim:${fault}]]`))).toBe(code);
  });

  it('tells a refusal for content from other failures, where it has rules for that', async () => {
    const expected = id === 'render' ? ['bad_request', 'generation_failed'] : ['content_policy', 'content_policy'];
    const codes = [codeOf(await start('[[sim:policy-submit]]')), codeOf(await ended('[[sim:policy-result]]'))];
    expect(codes).toEqual(expected);
  });

  it('hears how long a vendor wants it to wait', async () => {
    const outcome = await start('[[sim:rate-limit,retry-after=30s]]');
    expect(outcome).toMatchObject({ fault: { code: 'rate_limited', retryAfterMs: 30_000 } });
  });

  it('a key that is refused is the operator’s matter, at a start and at a probe', async () => {
    expect(codeOf(await start('', { key: 'other' }))).toBe('operator');
    const probe = createProbes({ http }).get('http-job');
    const seen = (key?: string) =>
      probe?.({ endpoint: endpoint(key), models: [model], signal: new AbortController().signal });
    const has = 'probe' in ((options['http_job'] ?? {}) as JsonObject);
    expect(await seen()).toMatchObject({ reachable: true, key: has ? 'taken' : 'unproved' });
    expect(await seen('other')).toMatchObject({ reachable: true, key: has ? 'refused' : 'unproved' });
  });

  it('a job that failed is over, and one whose question failed is not', async () => {
    expect(codeOf(await ended('[[sim:failed-result]]'))).toBe('generation_failed');
    const job = await accepted('[[sim:check-malformed*1]]');
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    expect(codeOf(await check(job))).toBe('outcome_unknown');
    expect(codeOf(await check(job))).toBe('done');
  });

  it('a job that the vendor has lost is asked about on, and nothing is started for it', async () => {
    const job = await accepted('');
    await simulator.reset();
    const lost = await check(job);
    expect(lost.kind).toBe('refused');
    expect(['bad_request', 'content_policy', 'generation_failed']).not.toContain(codeOf(lost));
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('does not send what its template has no words for', async () => {
    expect(codeOf(await start('', { more: { seed: 7 } }))).toBe('cannot_carry');
    expect(await simulator.journal()).toEqual([]);
  });
});

type VendorRequest = Parameters<typeof http.send>[0];

const SIGNED = 'sim-studio-id:sim-studio-secret';
const NEXT = 'sim-studio-next-id:sim-studio-next-secret';
const SIGNINGS = [...GUIDE.matchAll(/^```yaml\n(auth:.*?)^```/gms)].map(([, text = '']): [string, JsonObject] => {
  const { auth } = parse(text);
  return [String(Object.keys(auth)), auth];
});

it('the guide has an example of each way to sign', () => {
  expect(SIGNINGS.map(([way]) => way)).toEqual(['aws4', 'hmac']);
});

describe.each(SIGNINGS)('the example of %s, at a vendor that checks signatures', (_, auth) => {
  const { models = {}, options = {} }: Partial<Written> = CHANNELS.find(({ id }) => id === 'render') ?? {};
  const [model = ''] = Object.values(models);
  const { request } = PLACES['render'] ?? { request: {} };
  const { status, ...more } = options['http_job'] as { status: { words: JsonObject } };
  const described = {
    ...options,
    http_job: {
      ...more,
      status: { ...status, words: { ...status.words, stopped: 'cancelled' } },
      auth,
      headers: { 'x-team': 'a  b' },
      cancel: { path: '/jobs/{id}?why=no%20more&at=1', method: 'DELETE' },
      probe: { path: '/models' },
    },
  };
  const contextOf = (apiKey: string) => ({
    endpoint: { channelId: 'signed', baseUrl: `${simulator.url}/studio/v1`, apiKey, model, options: described },
    signal: new AbortController().signal,
  });
  const startWith = (apiKey: string, by = adapter) =>
    by?.start({ attemptId: 'att-1', request: { prompt: 'a heron – über', ...request }, media: [] }, contextOf(apiKey));

  async function started() {
    const outcome = await startWith(SIGNED);
    if (outcome?.kind !== 'started') throw new Error(JSON.stringify(outcome));
    return outcome;
  }

  it('is one that the gateway takes', () => {
    expect(checkChannelOptions('http-job', described, [model])).toBeUndefined();
  });

  it('makes a video; a key that has been replaced meanwhile asks about it', async () => {
    const { operation } = await started();
    expect(await adapter?.check?.(operation, contextOf(SIGNED))).toMatchObject({ kind: 'pending' });
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    expect(await adapter?.check?.(operation, contextOf(NEXT))).toMatchObject({ kind: 'done' });
  });

  it('cancels and probes', async () => {
    const { operation } = await started();
    expect(await adapter?.cancel?.(operation, contextOf(SIGNED))).toMatchObject({ kind: 'cancelled' });
    const probe = createProbes({ http }).get('http-job');
    const seen = (apiKey: string) => probe?.({ ...contextOf(apiKey), models: [model] });
    expect(await seen(SIGNED)).toMatchObject({ reachable: true, key: 'taken' });
    expect(await seen('sim-studio-id:other-secret')).toMatchObject({ reachable: true, key: 'refused' });
    expect(await seen('sim-studio-secret')).toMatchObject({
      key: 'refused',
      detail: expect.stringContaining('api_key'),
    });
  });

  it.each<[string, (sent: VendorRequest) => VendorRequest]>([
    ['body', (sent) => ({ ...sent, body: { json: { model: 'clips-2', prompt: 'another', seconds: 5 } } })],
    ['path', (sent) => ({ ...sent, url: `${sent.url}?more=1` })],
    ['time', (sent) => ({ ...sent, headers: { ...sent.headers, ...later(sent.headers) } })],
  ])('is refused with another %s than was signed, and starts nothing', async (_part, change) => {
    const send: typeof http.send = (sent) => http.send(change(sent));
    const outcome = await startWith(SIGNED, createAdapters({ http: { ...http, send } }).get('http-job'));
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'operator' } });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('is refused when it comes late, and for a key that is not known', async () => {
    const url = `${simulator.url}/studio/v1/models`;
    const statusAt = async (agoMs: number, apiKey = SIGNED) => {
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - agoMs);
      const call = { method: 'GET', url, headers: {}, body: () => [] } as const;
      const shown = await adapter?.credentials?.show(contextOf(apiKey), call);
      now.mockRestore();
      if (!shown?.ok) throw new Error('no signature');
      return (
        await fetch(url, { headers: { accept: 'application/json', 'user-agent': 'mediagate', ...shown.headers } })
      ).status;
    };
    expect(await statusAt(0)).toBe(200);
    expect(await statusAt(600_000)).toBe(401);
    expect(await statusAt(0, 'other-id:sim-studio-secret')).toBe(401);
  });
});

/** The times of a signed call, a minute later. */
function later(headers: Readonly<Record<string, string>>): Record<string, string> {
  const seconds = Number(headers['x-timestamp']) + 60;
  const date = new Date(Date.now() + 60_000).toISOString().replace(/[-:]|\.\d+/g, '');
  return 'x-amz-date' in headers ? { 'x-amz-date': date } : { 'x-timestamp': String(seconds) };
}

describe('the templates of sound', () => {
  const [text = ''] = /^ +templates:\n {8}sounds:.*?(?=^```)/ms.exec(GUIDE) ?? [];
  const { templates }: { templates: JsonObject } = parse(text);
  const options = { http_job: { result: { files: 'body' } }, templates };

  it.each([
    ['soundfx-2', 'sounds'],
    ['musictrack-2', 'tracks'],
  ])('carry every example of %s', (id, model) => {
    expect(checkChannelOptions('http-job', options, [model])).toBeUndefined();
    const endpoint = { channelId: 'sound', baseUrl: 'http://sound.internal', apiKey: 'k', model, options };
    const lacks = loadCatalogue()
      .entries.filter((entry) => entry.id === id)
      .flatMap((entry) => entry.examples.map((example) => ({ entry, parsed: entry.parse(example) })))
      .map(({ entry, parsed }) => {
        if (!parsed.ok) throw new Error(`an example of ${id} is refused`);
        return adapter?.lacks?.({ request: entry.request(parsed.input, []), files: [], endpoint });
      });
    expect(lacks.length).toBeGreaterThan(1);
    expect(new Set(lacks)).toEqual(new Set([undefined]));
  });
});
