import { flatPng } from '../../test/images';
import { keyOf, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
import { inspectVideo } from '../../test/videos';

const VIDEO_MS = 60_000;
const model = 'veo-3.1-generate-preview';
let simulator: SimulatorUnderTest;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: VIDEO_MS });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

interface Operation {
  name: string;
  done?: boolean;
  response?: { generateVideoResponse: { generatedSamples: { video: { uri: string } }[] } };
  error?: { code: number; status: string; message: string };
}

const withKey = { 'x-goog-api-key': keyOf('gemini') };
const start = (body: object, of = model) =>
  fetch(`${simulator.url}/gemini/v1beta/models/${of}:predictLongRunning`, {
    method: 'POST',
    headers: withKey,
    body: JSON.stringify(body),
  });
const ask = async (prompt: string, parameters: object = {}) =>
  ((await (await start({ instances: [{ prompt }], parameters })).json()) as Operation).name;
const look = async (name: string) =>
  (await (await fetch(`${simulator.url}/gemini/v1beta/${name}`, { headers: withKey })).json()) as Operation;

it('an operation says nothing until it is done, and its link needs the key and lives for two days', async () => {
  const name = await ask('a heron', { durationSeconds: 4, aspectRatio: '9:16' });
  expect(name).toMatch(/^models\/veo-3\.1-generate-preview\/operations\/\w+$/);
  expect(await look(name)).toEqual({ name });
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  const { done, response } = await look(name);
  const link = response?.generateVideoResponse.generatedSamples[0]?.video.uri ?? '';
  expect([done, link]).toEqual([true, expect.stringMatching(/\/gemini\/v1beta\/files\/\w+:download\?alt=media$/)]);
  expect((await fetch(link)).status).toBe(403);
  expect((await fetch(link, { headers: { 'x-goog-api-key': 'wrong' } })).status).toBe(400);
  const video = Buffer.from(await (await fetch(link, { headers: withKey })).arrayBuffer());
  expect(await inspectVideo(video)).toMatchObject({ width: 720, height: 1_280, seconds: 4, audioCodec: 'aac' });
  await simulator.moveClock({ advanceMs: 2 * 24 * 3_600_000 + 10_000 });
  expect((await fetch(link, { headers: withKey })).status).toBe(403);
  expect((await look(name)).error?.status).toBe('NOT_FOUND');
});

describe('refuses as strictly as the vendor', () => {
  const prompt = 'p';
  const image = async (colour: string) => ({
    bytesBase64Encoded: (await flatPng(64, 64, colour)).toString('base64'),
    mimeType: 'image/png',
  });

  it.each<[string, object, string?]>([
    ['a model it does not have', { instances: [{ prompt }] }, 'veo-3.0-generate-001'],
    ['no prompt', { instances: [{}] }],
    ['a seed', { instances: [{ prompt }], parameters: { seed: 7 } }],
    ['a choice of sound', { instances: [{ prompt }], parameters: { generateAudio: false } }],
    ['five seconds', { instances: [{ prompt }], parameters: { durationSeconds: 5 } }],
    ['four seconds of 1080p', { instances: [{ prompt }], parameters: { durationSeconds: 4, resolution: '1080p' } }],
    ['a square', { instances: [{ prompt }], parameters: { aspectRatio: '1:1' } }],
    ['two videos', { instances: [{ prompt }], parameters: { sampleCount: 2 } }],
    [
      '4k of the lite model',
      { instances: [{ prompt }], parameters: { resolution: '4k' } },
      'veo-3.1-lite-generate-preview',
    ],
    ['adults alone without an image', { instances: [{ prompt }], parameters: { personGeneration: 'allow_adult' } }],
    [
      'an image in the wire of generateContent',
      { instances: [{ prompt, image: { inlineData: { mimeType: 'image/png', data: 'AAAA' } } }] },
    ],
    [
      'an image that is none',
      { instances: [{ prompt, image: { mimeType: 'image/png', bytesBase64Encoded: 'AAAA' } }] },
    ],
  ])('%s', async (_what, body, of = model) => {
    const response = await start(body, of);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(((await response.json()) as Operation).error?.status).toMatch(/^(INVALID_ARGUMENT|NOT_FOUND)$/);
    expect((await simulator.tasks()).tasks).toEqual([]);
  });

  it('a last frame alone, references beside a frame, and of less than eight seconds', async () => {
    const [first, last] = [await image('#20aa20'), await image('#aa2020')];
    const referenceImages = [{ image: first, referenceType: 'asset' }];
    const bodies = [
      { instances: [{ prompt, lastFrame: last }] },
      { instances: [{ prompt, image: first, referenceImages }] },
      { instances: [{ prompt, referenceImages }], parameters: { durationSeconds: 6 } },
    ];
    for (const body of bodies) expect((await start(body)).status).toBe(400);
    expect((await start({ instances: [{ prompt, image: first, lastFrame: last }] })).status).toBe(200);
    expect((await start({ instances: [{ prompt, referenceImages }] })).status).toBe(200);
  });
});
