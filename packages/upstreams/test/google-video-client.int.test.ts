import { join } from 'node:path';
import type { JsonObject } from '@mediagate/contracts';
import { askClient } from '@mediagate/testkit';
import { GoogleGenAI, type VideoGenerationReferenceType } from 'google-genai-2';
import { type ReplayServer, replayReplies } from '../src/conformance/replay-server';
import { API_KEY, type Fixture, named, readFixtures } from './fixtures';

/*
 * Two outside clients as judges of `gemini-video`: for the same wishes they must send what the adapter sends, and read the fixtures' answers
 * as the adapter does. The AI SDK's is an ES module, which the simulator's tests run, too; of the vendor's own, version 3 speaks of videos to
 * another service alone, and 2.32.0 is the last that does here.
 */

const AI_SDK = join(__dirname, '../../../simulator/test/google-video-client.mjs');
const fixtures = readFixtures('gemini-video');
const done = named(fixtures, 'check-done');
const [LINK] = done.outcome.kind === 'done' ? done.outcome.outputs : [];
let server: ReplayServer;

afterEach(() => server.close());

/** Answers the first request with one fixture, and all others with another. */
async function replay(first: Fixture, then: Fixture = done): Promise<string> {
  server = await replayReplies(first.replies[0], then.replies[0]);
  return server.origin;
}

function expectSent({ wire, replies }: Fixture): void {
  const [start, look] = server.received;
  expect(start).toMatchObject({ method: 'POST', path: wire?.[0]?.path });
  expect(start?.headers['x-goog-api-key']).toBe(API_KEY);
  expect(JSON.parse(String(start?.body))).toEqual(wire?.[0]?.json);
  expect(look).toMatchObject({ method: 'GET', path: `/v1beta/${replies[0]?.body?.['name']}` });
}

const prompt = 'a lighthouse on a cliff at dusk, waves below';
const file = (data: string, mediaType: string) => ({ type: 'file', mediaType, data });
const image = (imageBytes: string, mimeType: string) => ({ imageBytes, mimeType });

it.each<[string, string, JsonObject]>([
  [
    'success',
    'veo-3.1-generate-preview',
    {
      aspectRatio: '16:9',
      resolution: '1280x720',
      duration: 8,
      providerOptions: { google: { negativePrompt: 'blur' } },
    },
  ],
  [
    'frames',
    'veo-3.1-fast-generate-preview',
    {
      resolution: '720p',
      duration: 4,
      frameImages: [
        { frameType: 'first_frame', image: file('AQID', 'image/png') },
        { frameType: 'last_frame', image: file('BAUG', 'image/jpeg') },
      ],
    },
  ],
  [
    'references',
    'veo-3.1-generate-preview',
    {
      aspectRatio: '9:16',
      resolution: '3840x2160',
      duration: 8,
      inputReferences: [file('AQID', 'image/png'), file('BAUG', 'image/webp')],
    },
  ],
])('the AI SDK sends what the adapter sends, and reads the answers: %s', async (name, model, options) => {
  const fixture = named(fixtures, name);
  const wish = JSON.stringify({ prompt, ...options });
  const verdict = await askClient(AI_SDK, `${await replay(fixture)}/v1beta`, API_KEY, model, wish);
  expect(verdict).toMatchObject({ status: 'completed', videos: [{ url: LINK?.url }], warnings: [] });
  expectSent(fixture);
});

describe("the vendor's own client", () => {
  const clientOf = (baseUrl: string) => new GoogleGenAI({ apiKey: API_KEY, httpOptions: { baseUrl, fetch } });
  const asset = 'asset' as VideoGenerationReferenceType;
  type Wish = Parameters<GoogleGenAI['models']['generateVideos']>[0];

  it.each<[string, Wish]>([
    [
      'success',
      {
        model: 'veo-3.1-generate-preview',
        source: { prompt },
        config: { aspectRatio: '16:9', resolution: '720p', durationSeconds: 8, negativePrompt: 'blur' },
      },
    ],
    [
      'frames',
      {
        model: 'veo-3.1-fast-generate-preview',
        source: { prompt, image: image('AQID', 'image/png') },
        config: { resolution: '720p', durationSeconds: 4, lastFrame: image('BAUG', 'image/jpeg') },
      },
    ],
    [
      'references',
      {
        model: 'veo-3.1-generate-preview',
        source: { prompt },
        config: {
          aspectRatio: '9:16',
          resolution: '4k',
          durationSeconds: 8,
          referenceImages: [
            { image: image('AQID', 'image/png'), referenceType: asset },
            { image: image('BAUG', 'image/webp'), referenceType: asset },
          ],
        },
      },
    ],
  ])('sends what the adapter sends, and reads the answers: %s', async (name, wish) => {
    const fixture = named(fixtures, name);
    const client = clientOf(await replay(fixture));
    const started = await client.models.generateVideos({ ...wish, config: { ...wish.config, numberOfVideos: 1 } });
    const operation = await client.operations.getVideosOperation({ operation: started });
    expect(operation.response?.generatedVideos?.[0]?.video?.uri).toBe(LINK?.url);
    expectSent(fixture);
  });

  it.each(['check-policy', 'check-failed', 'check-running'])('reads %s as the adapter does', async (name) => {
    const fixture = named(fixtures, name);
    const client = clientOf(await replay(named(fixtures, 'success'), fixture));
    const started = await client.models.generateVideos({ model: 'veo-3.1-generate-preview', source: { prompt } });
    const {
      done: isDone = false,
      error,
      response,
    } = await client.operations.getVideosOperation({ operation: started });
    const withheld = response?.raiMediaFilteredCount ?? 0;
    const { outcome } = fixture;
    const code = outcome.kind === 'refused' ? outcome.fault.code : undefined;
    expect([isDone, withheld > 0, error !== undefined]).toEqual([
      outcome.kind === 'refused',
      code === 'content_policy',
      code === 'generation_failed',
    ]);
  });
});
