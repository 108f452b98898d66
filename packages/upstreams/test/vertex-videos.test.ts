import { GoogleGenAI } from '@google/genai';
import type { CheckOutcome, JsonObject } from '@mediagate/contracts';
import { createAdapters } from '../src';
import { type ReplayServer, replyWith, startReplayServer } from '../src/conformance/replay-server';
import type { Adapter, Endpoint } from '../src/contract';
import { createHttpClient, type HttpClient } from '../src/http-client';
import { API_KEY } from './fixtures';

/*
 * `gemini-video` at Vertex, with version 3 of the vendor's own client as the judge: the adapter must send the same as the client
 * for the same wish, and read the same from the same answers.
 */

const MODEL = 'veo-3.1-fast-generate-001';
const PROJECT = '/projects/a-project/locations/us-central1';
const BASE = `/v1beta1${PROJECT}/publishers/google`;
const OPERATION = `${PROJECT.slice(1)}/publishers/google/models/${MODEL}/operations/0f8a1b2c-3d4e`;
const VIDEO = Buffer.from('the bytes of a video');
const PROMPT = 'a lighthouse on a cliff at dusk, waves below';

const done = (response: JsonObject): JsonObject => ({ name: OPERATION, done: true, response });
const made = done({ videos: [{ bytesBase64Encoded: VIDEO.toString('base64'), mimeType: 'video/mp4' }] });

let server: ReplayServer | undefined;
let http: HttpClient;
beforeEach(() => {
  http = createHttpClient();
});
afterEach(async () => {
  await http.close();
  await server?.close();
});

/** Answers one request after the other. */
async function replay(...bodies: JsonObject[]): Promise<string> {
  server = await startReplayServer((response, index) => replyWith(response, 200, {}, bodies[index] ?? bodies.at(-1)));
  return server.origin;
}

function adapter(): Adapter {
  const found = createAdapters({ http }).get('gemini-video');
  if (found === undefined) throw new Error('no adapter');
  return found;
}

function sent() {
  return (server?.received ?? []).map(({ method, path, headers, body }) => {
    return { method, path, key: headers['x-goog-api-key'], json: JSON.parse(String(body)) };
  });
}

function endpointAt(origin: string): Endpoint {
  return { channelId: 'channel-1', baseUrl: `${origin}${BASE}`, apiKey: API_KEY, model: MODEL, options: {} };
}

const contextAt = (origin: string) => ({ endpoint: endpointAt(origin), signal: new AbortController().signal });

async function startAndCheck(adapter: Adapter, origin: string): Promise<CheckOutcome | undefined> {
  const request = { prompt: PROMPT, resolution: '720p', seconds: 4, aspectRatio: '16:9', inputs: [], audio: true };
  const started = await adapter.start({ attemptId: 'att_1', request, media: [] }, contextAt(origin));
  if (started.kind !== 'started') throw new Error(JSON.stringify(started));
  return adapter.check?.(started.operation, contextAt(origin));
}

it("a start and a question are sent as the vendor's own client sends them", async () => {
  await startAndCheck(adapter(), await replay({ name: OPERATION }, made));
  const ours = sent();
  await server?.close();

  const baseUrl = await replay({ name: OPERATION }, made);
  const client = new GoogleGenAI({ vertexai: true, apiKey: API_KEY, httpOptions: { baseUrl, fetch } });
  const config = {
    durationSeconds: 4,
    resolution: '720p',
    aspectRatio: '16:9',
    generateAudio: true,
    numberOfVideos: 1,
  };
  const operation = await client.models.generateVideos({ model: MODEL, source: { prompt: PROMPT }, config });
  const read = await client.operations.getVideosOperation({ operation });
  // With a key alone the client starts without naming a project.
  const [start, question] = sent();
  expect(ours).toEqual([{ ...start, path: start?.path.replace('/v1beta1', `/v1beta1${PROJECT}`) }, question]);
  expect(read.response?.generatedVideos?.[0]?.video?.videoBytes).toBe(VIDEO.toString('base64'));
});

describe('a probe', () => {
  const publisherModels = [{ name: `publishers/google/models/${MODEL}`, versionId: 'default' }];

  async function probed(answer: JsonObject, models: string[]) {
    const origin = await replay(answer);
    return adapter().probe?.({ ...contextAt(origin), models });
  }

  it("asks for the list that the vendor's own client asks for, and finds the models in it", async () => {
    const sighting = await probed({ publisherModels }, [MODEL, 'veo-9']);
    expect(sighting).toMatchObject({
      key: 'taken',
      models: [
        { name: MODEL, known: true },
        { name: 'veo-9', known: false },
      ],
    });
    const baseUrl = server?.origin ?? '';
    await new GoogleGenAI({ vertexai: true, apiKey: API_KEY, httpOptions: { baseUrl, fetch } }).models.list();
    const [ours, theirs] = (server?.received ?? []).map(({ method, path }) => [method, path.split('?')[0]]);
    expect(ours).toEqual(theirs);
  });

  it('says nothing of a model where the list goes on', async () => {
    const sighting = await probed({ publisherModels, nextPageToken: 'more' }, [MODEL, 'veo-9']);
    expect(sighting).toMatchObject({ reachable: true, key: 'taken' });
    expect(sighting).not.toHaveProperty('models');
  });
});

it.each<[string, JsonObject, object]>([
  ['a video, which stands in the answer', made, { kind: 'done', outputs: [{ role: 'video', bytes: VIDEO }] }],
  ['nothing yet', { name: OPERATION }, { kind: 'pending' }],
  [
    'a video that is withheld',
    done({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['58061214'] }),
    { kind: 'refused', fault: { code: 'content_policy' } },
  ],
  [
    'a failure',
    { name: OPERATION, done: true, error: { code: 13, message: 'Internal error.' } },
    { kind: 'refused', fault: { code: 'generation_failed' } },
  ],
  [
    'a video in a bucket, which nobody asked for: it is asked about again',
    done({ videos: [{ gcsUri: 'gs://a/b.mp4' }] }),
    { kind: 'pending' },
  ],
])('an operation holds %s', async (_, answer, outcome) => {
  expect(await startAndCheck(adapter(), await replay({ name: OPERATION }, answer))).toMatchObject(outcome);
});
