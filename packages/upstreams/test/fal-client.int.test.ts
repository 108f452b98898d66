import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAdapters, createHttpClient } from '../src';
import { API_KEY, callContext, named, readFixtures, startRequest } from './fixtures';
import { type Replay, type ReplayServer, replyWith, startReplayServer } from './replay-server';

/*
 * The vendor's own client as a judge of `fal-queue`: for the same input it must send what the adapter sends, to the same addresses, and
 * it must read the fixtures' answers as the adapter does.
 */

const CLIENT = join(__dirname, '../../../simulator/test/fal-client.mjs');
const fixtures = readFixtures('fal-queue');
const success = named(fixtures, 'success');
let server: ReplayServer;

afterEach(() => server.close());

/** The answers of these fixtures, one after the other. */
async function replayed(...names: string[]): Promise<void> {
  const replies = names.flatMap((name) => named(fixtures, name).replies);
  const replay: Replay = (response, index) => {
    const { status = 500, headers = {}, body } = replies[index] ?? {};
    replyWith(response, status, { 'content-type': 'application/json', ...headers }, body);
  };
  server = await startReplayServer(replay);
}

async function judge(name: string, ...more: string[]) {
  const { wire = [] } = named(fixtures, name);
  const args = [CLIENT, server.origin, API_KEY, wire[0]?.path.slice(1) ?? '', JSON.stringify(wire[0]?.json), ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
  return JSON.parse(stdout);
}

const withoutQuery = (path = '') => path.replace(/\?.*/, '');

it.each(['success', 'frames'])('the client sends what the adapter sends, and gets the video: %s', async (name) => {
  await replayed(name, 'check-done');
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
  const answers = [success.replies[0], cancel.replies[1], ...named(fixtures, 'check-cancelled').replies];
  server = await startReplayServer((response, index) => {
    const { status = 500, headers = {}, body } = answers[index] ?? {};
    replyWith(response, status, { 'content-type': 'application/json', ...headers }, body);
  });
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
