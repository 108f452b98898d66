import { join } from 'node:path';
import { askClient } from '@mediagate/testkit';
import { createAdapters, createHttpClient } from '../src';
import { type ReplayServer, replayReplies, replyWith, startReplayServer } from '../src/conformance/replay-server';
import { API_KEY, callContext, named, readFixtures, startRequest } from './fixtures';

/*
 * The vendor's own client as a judge of `fal-queue`: for the same input it must send what the adapter sends, to the same addresses, and
 * it must read the fixtures' answers as the adapter does.
 */

const CLIENT = join(__dirname, '../../../simulator/test/fal-client.mjs');
const fixtures = readFixtures('fal-queue');
const success = named(fixtures, 'success');
let server: ReplayServer;

afterEach(() => server.close());

async function judge(name: string, ...more: string[]) {
  const { wire = [] } = named(fixtures, name);
  const wish = [wire[0]?.path.slice(1) ?? '', JSON.stringify(wire[0]?.json)];
  return askClient<{ data: { video: { url: string } } }>(CLIENT, server.origin, API_KEY, ...wish, ...more);
}

const withoutQuery = (path = '') => path.replace(/\?.*/, '');

it.each(['success', 'frames'])('the client sends what the adapter sends, and gets the video: %s', async (name) => {
  server = await replayReplies(...named(fixtures, name).replies, ...named(fixtures, 'check-done').replies);
  expect((await judge(name)).data.video.url).toBe('https://v3b.fal.media/files/b/0a8d04e2/output.mp4');
  const sent = [...(named(fixtures, name).wire ?? []), ...(named(fixtures, 'check-done').wire ?? [])];
  expect(server.received).toHaveLength(sent.length);
  for (const [index, { method = 'POST', path, headers, json }] of sent.entries()) {
    const request = server.received[index];
    expect({ method: request?.method, path: withoutQuery(request?.path) }).toEqual({ method, path });
    expect(request?.headers['authorization']).toBe(headers['authorization']);
    if (json) expect(JSON.parse(String(request?.body))).toEqual(json);
  }
});

it('the client cancels where the adapter does, and reads the error that the adapter reads', async () => {
  const cancel = named(fixtures, 'cancel-queued');
  const asked = named(fixtures, 'check-cancelled').replies;
  server = await replayReplies(success.replies[0], cancel.replies[1], ...asked);
  expect(await judge('success', 'cancel')).toMatchObject({ error: { status: 499, requestId: 'r-1' } });
  expect(server.received[1]).toMatchObject({ method: 'PUT', path: cancel.wire?.[1]?.path });
});

describe('the address of a job that the vendor gives', () => {
  const http = createHttpClient();
  afterAll(() => http.close());

  const pathAfter = async (link: (origin: string) => string) => {
    server = await startReplayServer((response) => {
      replyWith(response, 200, {}, { request_id: 'id-1', response_url: link(server.origin) });
    });
    const context = callContext(server.origin, success.options, { model: success.model ?? '' });
    const outcome = await createAdapters({ http }).get('fal-queue')?.start(startRequest(success, success), context);
    return outcome?.kind === 'started' ? outcome.operation['path'] : outcome;
  };

  it('is asked where it is the channel’s own', async () => {
    expect(await pathAfter((origin) => `${origin}/another/name/requests/id-1`)).toBe('/another/name/requests/id-1');
  });

  it.each([
    ['another origin', () => 'https://evil.example/fal-ai/kling-video/requests/id-1'],
    ['an origin that begins alike', (origin: string) => `${origin}.evil.example/a/b/requests/id-1`],
    ['a path that leaves the queue', (origin: string) => `${origin}/a/../b/requests/id-1`],
    ['another job', (origin: string) => `${origin}/a/b/requests/id-2`],
    ['a query', (origin: string) => `${origin}/a/b/requests/id-1?to=x`],
  ])('is made of the ids where it is %s', async (_, link) => {
    expect(await pathAfter(link)).toBe('/fal-ai/kling-video/requests/id-1');
  });
});
