import { createHash } from 'node:crypto';
import { forAllTests } from '@mediagate/testkit';
import { flatPng } from './images';
import { keyOf, post, startUnderTest } from './simulator-under-test';

const simulator = forAllTests(startUnderTest);
afterEach(() => simulator.reset());

const generate = (prompt: string) =>
  post(`${simulator.url}/openai/v1/images/generations`, {
    key: keyOf('openai'),
    body: { model: 'gpt-image-2', prompt, quality: 'low' },
  });
const read = async (path: string) => (await (await fetch(`${simulator.url}${path}`)).json()) as Record<string, unknown>;
const put = (path: string, body: unknown) =>
  fetch(`${simulator.url}${path}`, { method: 'PUT', body: JSON.stringify(body) });

describe('the journal', () => {
  it('holds each request with what a test matches on, and the id the vendor answered with', async () => {
    const response = await generate('a fox');
    expect(await simulator.journal()).toEqual([
      {
        seq: expect.any(Number),
        at: expect.any(Number),
        wire: 'openai',
        operation: 'start',
        method: 'POST',
        path: '/openai/v1/images/generations',
        model: 'gpt-image-2',
        prompt: 'a fox',
        accepted: true,
        externalId: response.headers.get('x-request-id'),
        replyStatus: 200,
        sentBytes: expect.any(Number),
        ending: expect.stringMatching(/^(open|replied)$/),
        rule: null,
        scenarios: [],
        warnings: [],
        request: { model: 'gpt-image-2', prompt: 'a fox', quality: 'low' },
      },
    ]);
  });

  it('keeps images as length and digest, links without their query, and no key', async () => {
    const image = await flatPng(64, 64);
    const sha256 = createHash('sha256').update(image).digest('hex');
    const link = `${simulator.url}/assets/x.png?signature=secret`;
    const images = [`data:image/png;base64,${image.toString('base64')}`, link];
    await post(`${simulator.url}/ark/api/v3/images/generations`, {
      key: keyOf('ark'),
      body: { model: 'seedream-4-0-250828', prompt: 'p', image: images },
    });
    const drawn = (await simulator.journal()).find(({ wire }) => wire === 'ark');
    expect(drawn?.request).toMatchObject({
      image: [{ bytes: image.length, sha256 }, `${simulator.url}/assets/x.png?…`],
    });
    expect(JSON.stringify(await simulator.journal())).not.toMatch(/sim-ark-key|secret/);
  });

  it('waits until there is enough', async () => {
    const waiting = read('/__sim/journal?atLeast=2');
    await generate('one');
    await generate('two');
    expect(await waiting).toMatchObject({ entries: [{ prompt: 'one' }, { prompt: 'two' }] });
    expect(await read('/__sim/journal?atLeast=3&timeoutMs=20')).toMatchObject({ entries: [{}, {}] });
  });
});

describe('what is open', () => {
  it('is each call until it is answered', async () => {
    const caller = new AbortController();
    const stuck = post(`${simulator.url}/openai/v1/images/generations`, {
      key: keyOf('openai'),
      body: { model: 'gpt-image-2', prompt: 'x [[sim:stuck]]' },
      signal: caller.signal,
    });
    await read('/__sim/journal?atLeast=1&accepted=true');
    expect((await read('/__sim/open'))['calls']).toEqual([
      expect.objectContaining({ wire: 'openai', accepted: true, ending: 'open' }),
    ]);
    caller.abort();
    await expect(stuck).rejects.toThrow();
    expect(await read('/__sim/open?atMost=0')).toMatchObject({ calls: [] });
  });
});

describe('rules', () => {
  it.each([
    ['a scenario that does not exist', { rules: [{ scenario: 'nope' }] }],
    ['a field that does not exist', { rules: [{ scenario: 'busy', when: 'always' }] }],
    ['a pattern that is none', { rules: [{ scenario: 'busy', match: { prompt: '(' } }] }],
    ['more than a hundred', { rules: Array.from({ length: 101 }, () => ({ scenario: 'busy' })) }],
    ['something else', 'busy'],
  ])('are refused with %s', async (_what, body) => {
    const response = await put('/__sim/rules', body);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: { error: expect.any(String) },
    });
  });

  it('end with a reset, as everything else does', async () => {
    await simulator.setRules([{ scenario: 'busy' }]);
    expect((await generate('x')).status).toBe(503);
    await simulator.reset();
    expect((await generate('x')).status).toBe(200);
    expect(await simulator.journal()).toHaveLength(1);
  });
});

describe('the clock', () => {
  it('moves forward', async () => {
    const before = (await read('/__sim/health'))['now'] as number;
    await simulator.moveClock({ advanceMs: 1_000_000 });
    const after = await read('/__sim/health');
    expect(after).toMatchObject({ status: 'ok' });
    expect(after['now']).toBeGreaterThanOrEqual(before + 1_000_000);
  });
});

describe('the callback receiver', () => {
  const deliver = (token: string, body = '{"a": 1}', init: RequestInit = {}) =>
    fetch(`${simulator.url}/__receiver/${token}/callback`, {
      method: 'POST',
      headers: { 'webhook-id': 'msg_1' },
      body,
      ...init,
    });

  it('keeps the raw body, the headers and the time of each callback', async () => {
    const before = Date.now();
    expect((await deliver('raw', '{"b":  "ü"}')).status).toBe(200);
    const { requests } = (await read('/__receiver/raw')) as { requests: { at: number }[] };
    expect(requests).toEqual([
      {
        at: expect.any(Number),
        method: 'POST',
        path: '/raw/callback',
        headers: expect.objectContaining({ 'webhook-id': 'msg_1' }),
        body: '{"b":  "ü"}',
        answer: 200,
      },
    ]);
    expect(requests[0]?.at).toBeGreaterThanOrEqual(before);
  });

  it('answers by its script, whose last answer stays', async () => {
    await put('/__receiver/scripted/script', [500, 404, 204]);
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await deliver('scripted')).status);
    expect(statuses).toEqual([500, 404, 204, 204]);
  });

  it('tells a waiting reader when enough callbacks have come', async () => {
    const waiting = read('/__receiver/awaited?atLeast=2');
    await deliver('awaited');
    await deliver('awaited');
    expect((await waiting)['requests']).toHaveLength(2);
    expect(await read('/__receiver/silent?atLeast=1&timeoutMs=20')).toEqual({ requests: [] });
  });

  it('refuses a script it cannot play', async () => {
    for (const script of [{ answers: [200] }, ['explode'], [99]]) {
      expect((await put('/__receiver/x/script', script)).status).toBe(400);
    }
  });
});
