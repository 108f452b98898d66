import OpenAI, { APIError, toFile } from 'openai';
import { createHttpClient } from '../src';
import {
  type ReplayServer,
  readForm,
  replayReplies,
  replyWith,
  startReplayServer,
} from '../src/conformance/replay-server';
import createOpenAiVideos from '../src/openai-videos/adapter';
import { API_KEY, type Fixture, named, readFixtures } from './fixtures';

/*
 * The client of whom the wire is, as a judge of `openai-videos`: for the same wishes it must send what the adapter sends, part by part, and
 * read the fixtures' answers as the adapter does.
 */

const fixtures = readFixtures('openai-videos');
let server: ReplayServer;

afterEach(() => server.close());

async function clientOf(fixture: Fixture): Promise<OpenAI> {
  server = await replayReplies(...fixture.replies);
  return new OpenAI({ apiKey: API_KEY, baseURL: `${server.origin}/v1`, maxRetries: 0 });
}

/** Its types know the sizes and lengths of its own vendor alone; what stands beyond them it sends as it is. */
type Wish = OpenAI.VideoCreateParams;

it.each(['success', 'basic', 'sizes', 'frame-link', 'frame-upload'])(
  'sends what the adapter sends: %s',
  async (name) => {
    const fixture = named(fixtures, name);
    const [wire] = fixture.wire ?? [];
    const [file] = wire?.files ?? [];
    const reference =
      file && (await toFile(Buffer.from(file.base64, 'base64'), file.filename, { type: file.contentType }));
    const client = await clientOf(fixture);
    const wish = { ...wire?.fields, ...(reference && { input_reference: reference }) };
    const video = await client.videos.create(wish as unknown as Wish);
    const [sent] = server.received;
    if (!sent) throw new Error('nothing was sent');
    expect(sent).toMatchObject({ method: 'POST', path: wire?.path, headers: wire?.headers });
    expect(await readForm(sent)).toEqual({ fields: wire?.fields, files: wire?.files });
    expect(fixture.outcome).toMatchObject({ kind: 'started', externalId: video.id });
  },
);

it.each(fixtures.filter(({ name }) => /^check-(?:done|failed|policy|running|queued)$/.test(name)))(
  'reads $name as the adapter does',
  async (fixture) => {
    const client = await clientOf(fixture);
    const { status, progress, error } = await client.videos.retrieve(String(fixture.check?.['videoId']));
    expect(server.received[0]).toMatchObject(fixture.wire?.[0] ?? {});
    const { outcome } = fixture;
    switch (status) {
      case 'completed':
        return expect(outcome.kind).toBe('done');
      case 'failed':
        return expect([outcome.kind, error?.message]).toEqual(['refused', expect.any(String)]);
      default:
        return expect(outcome).toMatchObject({ kind: 'pending', progress });
    }
  },
);

it.each(fixtures.filter(({ check, replies }) => !check && (replies[0]?.status ?? 0) >= 400))(
  'reads the same refusal from $name',
  async (fixture) => {
    const client = await clientOf(fixture);
    const refusal = await client.videos.create({ prompt: 'p' }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ status: fixture.replies[0]?.status });
  },
);

it('downloads by the address that the adapter gives, with the same key', async () => {
  const done = named(fixtures, 'check-done');
  const [output] = done.outcome.kind === 'done' ? done.outcome.outputs : [];
  const client = await clientOf(done);
  await client.videos.downloadContent(String(done.check?.['videoId']));
  const [asked] = server.received;
  expect(asked?.path).toBe(new URL(output?.url ?? '').pathname);
  expect([output?.needsKey, asked?.headers.authorization]).toEqual([true, `Bearer ${API_KEY}`]);
});

it('offers no cancellation, because the answer to a deletion does not say whether the job had begun', async () => {
  server = await startReplayServer((response) =>
    replyWith(response, 200, {}, { id: 'video-1', object: 'video.deleted', deleted: true }),
  );
  const client = new OpenAI({ apiKey: API_KEY, baseURL: `${server.origin}/v1`, maxRetries: 0 });
  expect(Object.keys(await client.videos.delete('video-1'))).not.toContain('status');
  const http = createHttpClient();
  expect(createOpenAiVideos({ http })).not.toHaveProperty('cancel');
});
