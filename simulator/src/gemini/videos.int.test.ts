import { forAllTests } from '@mediagate/testkit';
import { flatPng } from '../../test/images';
import { keyOf, startUnderTest } from '../../test/simulator-under-test';

const VIDEO_MS = 60_000;
const model = 'veo-3.1-generate-preview';

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
afterEach(() => simulator.reset());

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
