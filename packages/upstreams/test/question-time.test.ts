import type { HttpClient } from '../src';
import { createAdapters, ownProtocols } from '../src';
import { callContext, named, readFixtures, startRequest } from './fixtures';

/** A network that is never reached, and remembers how long it was given. */
function patience() {
  const given: number[] = [];
  const http: HttpClient = {
    async send({ timeoutMs }) {
      given.push(timeoutMs);
      return { kind: 'lost', sent: true, why: 'network' };
    },
    stream: async () => ({ kind: 'lost', sent: true, why: 'network' }),
    close: async () => undefined,
  };
  return { http, given };
}

/** Protocols whose starts are answered by a job. */
const PROTOCOLS = [...createAdapters({ http: patience().http }).values()]
  .filter(({ protocol, check }) => check !== undefined && ownProtocols().has(protocol))
  .map(({ protocol }) => protocol);

it('there are protocols of jobs', () => {
  expect(PROTOCOLS).toContain('kling-video');
});

async function timesOf(protocol: string, options: { timeout_seconds?: number }) {
  const fixtures = readFixtures(protocol);
  const success = named(fixtures, 'success');
  const { http, given } = patience();
  const adapter = createAdapters({ http }).get(protocol);
  const more = success.model === undefined ? {} : { model: success.model };
  const context = callContext('https://vendor.example', { ...success.options, ...options }, more);
  await adapter?.start(startRequest(success, success), context);
  if (adapter?.check) await adapter.check(named(fixtures, 'check-done').check ?? {}, context);
  await adapter?.lookup?.('attempt-1', context);
  return given;
}

it.each(['ark-images', 'gemini', 'openai-images'])(
  'each call of %s, which answers with images, has its option, or else ten minutes',
  async (protocol) => {
    expect(new Set(await timesOf(protocol, { timeout_seconds: 4 }))).toEqual(new Set([4000]));
    expect(new Set(await timesOf(protocol, {}))).toEqual(new Set([600_000]));
  },
);

describe.each(PROTOCOLS)('a channel of %s', (protocol) => {
  it('has its option for starts, and 10 seconds at most for questions: they are many and are asked again', async () => {
    const [start, ...questions] = await timesOf(protocol, { timeout_seconds: 600 });
    expect(start).toBe(600_000);
    expect(questions.length).toBeGreaterThan(0);
    expect(questions).toEqual(questions.map(() => 10_000));
  });

  it('has no longer for questions than its option', async () => {
    const [start, ...questions] = await timesOf(protocol, { timeout_seconds: 4 });
    expect([start, ...questions]).toEqual([4000, ...questions.map(() => 4000)]);
  });

  it('has a minute for starts where no option says otherwise', async () => {
    const [start, ...questions] = await timesOf(protocol, {});
    expect([start, ...questions]).toEqual([60_000, ...questions.map(() => 10_000)]);
  });
});
