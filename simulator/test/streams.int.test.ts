import { forAllTests } from '@mediagate/testkit';
import { keyOf, post, startUnderTest } from './simulator-under-test';

const simulator = forAllTests(startUnderTest);
afterEach(() => simulator.reset());

const TEXT = 'The lamps along the quay come on one after the other.';

const speak = (input: string, { signal }: { signal?: AbortSignal } = {}) =>
  post(`${simulator.url}/openai/v1/audio/speech`, {
    key: keyOf('openai'),
    body: { model: 'gpt-4o-mini-tts', voice: 'coral', response_format: 'wav', input },
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
  sound: (fault: string) => speak(TEXT + fault),
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
});

describe('what an event stream says when something went wrong', () => {
  it('a refusal of an array of text is an array too', async () => {
    const body = await (await streams['an array of text']('[[sim:busy]]')).json();
    expect(body).toMatchObject([{ error: { status: 'UNAVAILABLE' } }]);
    expect(await (await streams['events of text']('[[sim:busy]]')).json()).toMatchObject({
      error: { status: 'UNAVAILABLE' },
    });
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
