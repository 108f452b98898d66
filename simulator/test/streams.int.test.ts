import { keyOf, post, type SimulatorUnderTest, startUnderTest } from './simulator-under-test';

let simulator: SimulatorUnderTest;

beforeAll(async () => {
  simulator = await startUnderTest();
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const TEXT = 'The lamps along the quay come on one after the other.';

const speak = (input: string, { signal, ...more }: { signal?: AbortSignal; stream_format?: string } = {}) =>
  post(`${simulator.url}/openai/v1/audio/speech`, {
    key: keyOf('openai'),
    body: { model: 'gpt-4o-mini-tts', voice: 'coral', response_format: 'wav', input, ...more },
    ...(signal && { signal }),
  });
const write = (prompt: string, { method = 'generateContent', query = '' } = {}) =>
  post(`${simulator.url}/gemini/v1beta/models/gemini-2.5-flash:${method}${query}`, {
    key: '',
    headers: { 'x-goog-api-key': keyOf('gemini') },
    body: { contents: [{ role: 'user', parts: [{ text: prompt }] }] },
  });

/** Every streamed answer, with the same words. */
const streams = {
  sound: (fault: string, signal?: AbortSignal) => speak(TEXT + fault, signal ? { signal } : {}),
  'events of sound': (fault: string) => speak(TEXT + fault, { stream_format: 'sse' }),
  'events of text': (fault: string) => write(TEXT + fault, { method: 'streamGenerateContent', query: '?alt=sse' }),
  'an array of text': (fault: string) => write(TEXT + fault, { method: 'streamGenerateContent' }),
};
type StreamName = keyof typeof streams;
const names = Object.keys(streams) as StreamName[];

/** The bytes of a body, and whether it came to a proper end. */
async function drain(response: Response): Promise<{ bytes: Buffer; whole: boolean }> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of response.body ?? []) pieces.push(piece);
    return { bytes: Buffer.concat(pieces), whole: true };
  } catch (error) {
    // fetch throws an error of another realm than Jest's own when the other side breaks off.
    if ((error as Error).name !== 'TypeError') throw error;
    return { bytes: Buffer.concat(pieces), whole: false };
  }
}

interface Open {
  calls: { path: string; sentBytes: number }[];
  connections: number;
}
const openWork = async (query = '') => (await (await fetch(`${simulator.url}/__sim/open${query}`)).json()) as Open;
/** The last entry once its call is over. */
const lastEntry = async () => {
  await openWork('?atMost=0');
  return simulator.lastEntry();
};

describe.each(names)('%s', (name) => {
  const whole = async () => (await drain(await streams[name](''))).bytes;

  it('is counted to the byte', async () => {
    const { length } = await whole();
    expect(await lastEntry()).toMatchObject({ accepted: true, ending: 'replied', sentBytes: length, replyStatus: 200 });
  });

  it('stream-cut breaks off half-way under status 200, and nothing sent before is lost', async () => {
    const all = await whole();
    const { bytes, whole: ended } = await drain(await streams[name]('[[sim:stream-cut]]'));
    expect(ended).toBe(false);
    expect(bytes.length).toBe(Math.floor(all.length / 2));
    expect(await lastEntry()).toMatchObject({ accepted: true, ending: 'cut', sentBytes: bytes.length });
  });

  it('stream-cut=0/1 breaks off after the headers', async () => {
    const response = await streams[name]('[[sim:stream-cut=0/1]]');
    expect(response.status).toBe(200);
    expect(await drain(response)).toMatchObject({ whole: false, bytes: Buffer.alloc(0) });
    expect(await lastEntry()).toMatchObject({ ending: 'cut', sentBytes: 0 });
  });

  it('stream-stall goes silent until the caller gives up', async () => {
    const response = await streams[name]('[[sim:stream-stall=1/4]]');
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    expect((await openWork()).calls).toHaveLength(1);
    await reader?.cancel();
    expect(await lastEntry()).toMatchObject({ accepted: true, ending: 'left', sentBytes: expect.any(Number) });
  });

  it('slow-body sends the same over the time given', async () => {
    const all = await whole();
    const startedAt = Date.now();
    const { bytes } = await drain(await streams[name]('[[sim:slow-body=400ms]]'));
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(380);
    expect(comparable(bytes).equals(comparable(all))).toBe(true);
    expect(await lastEntry()).toMatchObject({ ending: 'replied', sentBytes: all.length });
  });

  it('truncated-json comes to an end before all of it is there', async () => {
    const all = await whole();
    const { bytes, whole: ended } = await drain(await streams[name]('[[sim:truncated-json]]'));
    expect([bytes.length, ended]).toEqual([Math.floor(all.length / 2), true]);
  });

  it('stuck accepts, and never answers', async () => {
    const caller = new AbortController();
    const answer = streams.sound('[[sim:stuck]]', caller.signal);
    await fetch(`${simulator.url}/__sim/journal?atLeast=1&accepted=true`);
    expect((await openWork()).calls).toHaveLength(1);
    caller.abort();
    await expect(answer).rejects.toThrow();
    expect(await lastEntry()).toMatchObject({ accepted: true, ending: 'left', replyStatus: null, sentBytes: 0 });
  });

  it.each([
    ['rate-limit', 429],
    ['quota', 429],
    ['5xx=503', 503],
    ['busy', 503],
    ['gateway-html', 502],
  ])('%s comes before anything is accepted', async (fault, status) => {
    const response = await streams[name](`[[sim:${fault}]]`);
    expect(response.status).toBe(status);
    await response.text();
    expect(await lastEntry()).toMatchObject({ accepted: false, replyStatus: status });
  });

  it('reset-before cuts with nothing accepted, reset-after with everything', async () => {
    await expect(streams[name]('[[sim:reset-before]]')).rejects.toThrow();
    expect(await lastEntry()).toMatchObject({ accepted: false, ending: 'cut' });
    await expect(streams[name]('[[sim:reset-after]]')).rejects.toThrow();
    expect(await lastEntry()).toMatchObject({ accepted: true, ending: 'cut', sentBytes: 0 });
  });
});

describe('what an event stream says when something went wrong', () => {
  const eventsOf = async (response: Response) => {
    const events = (await response.text()).split(/\r?\n\r?\n/).filter((event) => event !== '');
    return events.map((event) => JSON.parse(event.replace(/^data: /, '')) as Record<string, unknown>);
  };

  it.each(['events of sound', 'events of text'] as const)('malformed is no JSON in %s', async (name) => {
    await expect(eventsOf(await streams[name]('[[sim:malformed]]'))).rejects.toThrow(SyntaxError);
  });

  it('a refusal of an array of text is an array too', async () => {
    const body = await (await streams['an array of text']('[[sim:busy]]')).json();
    expect(body).toMatchObject([{ error: { status: 'UNAVAILABLE' } }]);
    expect(await (await streams['events of text']('[[sim:busy]]')).json()).toMatchObject({
      error: { status: 'UNAVAILABLE' },
    });
  });
});

describe('results of speech that are none', () => {
  it('policy-submit refuses before, policy-result after it was accepted', async () => {
    for (const [fault, accepted] of [
      ['policy-submit', false],
      ['policy-result', true],
    ]) {
      const response = await streams.sound(`[[sim:${fault}]]`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'content_policy_violation' } });
      expect(await lastEntry()).toMatchObject({ accepted });
    }
  });

  it('empty-result has no byte, wrong-type is JSON', async () => {
    expect(await drain(await streams.sound('[[sim:empty-result]]'))).toEqual({ bytes: Buffer.alloc(0), whole: true });
    const json = await streams.sound('[[sim:wrong-type]]');
    expect(json.headers.get('content-type')).toContain('application/json');
    expect(await json.json()).toEqual({ audio: 42 });
  });
});

describe('a caller who hangs up', () => {
  /** Minutes of sound, which do not fit into the buffers on the way. */
  const long = (word: string) => `${word} and all the other boats come home. `.repeat(100).slice(0, 4_096);

  it('takes nothing from another who listens to the same', async () => {
    const caller = new AbortController();
    const leaving = await speak(long('That one'), { signal: caller.signal });
    const staying = speak(long('That one'));
    await leaving.body?.getReader().read();
    caller.abort();
    const { bytes, whole } = await drain(await staying);
    expect(whole).toBe(true);
    expect(bytes.length).toBeGreaterThan(5_000_000);
    expect(bytes.equals((await drain(await speak(long('That one')))).bytes)).toBe(true);
  });
});

/** Ids of answers differ from call to call. */
function comparable(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/"responseId":"[^"]*"/g, ''), 'latin1');
}
