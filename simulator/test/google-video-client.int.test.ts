import { join } from 'node:path';
import { GoogleGenAI as GoogleAtVertex } from '@google/genai';
import { askClient, forAllTests } from '@mediagate/testkit';
import { flatPng } from './images';
import { keyOf, startUnderTest } from './simulator-under-test';
import { inspectVideo } from './videos';

const model = 'veo-3.1-fast-generate-preview';

const simulator = forAllTests(() => startUnderTest({ videoMs: 100 }));

interface Verdict {
  status: string;
  videos: { url: string; mediaType: string }[];
  warnings: unknown[];
  error: string | { message: string; statusCode: number };
}

async function judge(options: object): Promise<Verdict> {
  const args = [`${simulator.url}/gemini/v1beta`, keyOf('gemini'), model, JSON.stringify(options)];
  return askClient(join(__dirname, 'google-video-client.mjs'), ...args);
}

describe('the client of the AI SDK', () => {
  it('gets a video between two frames, by its key alone', async () => {
    const frame = async (frameType: string, colour: string) => ({
      frameType,
      image: { type: 'file', mediaType: 'image/png', data: (await flatPng(64, 64, colour)).toString('base64') },
    });
    const frameImages = [await frame('first_frame', '#20aa20'), await frame('last_frame', '#aa2020')];
    const verdict = await judge({ prompt: 'a heron', frameImages, duration: 4, aspectRatio: '16:9' });
    expect(verdict).toMatchObject({ status: 'completed', warnings: [] });
    const video = await fetch(verdict.videos[0]?.url ?? '');
    expect(await inspectVideo(Buffer.from(await video.arrayBuffer()))).toMatchObject({ width: 1_280, seconds: 4 });
  });

  it('understands a refusal, a failure and a video that is withheld', async () => {
    const refused = { error: { statusCode: 400, message: expect.stringContaining('Responsible AI') } };
    expect(await judge({ prompt: 'x [[sim:policy-submit]]' })).toMatchObject(refused);
    expect(await judge({ prompt: 'x [[sim:failed-result]]', duration: 4 })).toMatchObject({
      status: 'error',
      error: expect.stringContaining('internal server issue'),
    });
    const { error } = await judge({ prompt: 'x [[sim:policy-result]]', duration: 4 });
    expect((error as { message: string }).message).toContain('No videos in response');
  });
});

/* Version 3 of the vendor's own client speaks of videos to Vertex alone; 2.32.0 is the last that does here. */

describe("version 3 of the vendor's own client, at Vertex", () => {
  const atVertex = 'veo-3.1-fast-generate-001';
  let client: GoogleAtVertex;
  beforeAll(() => {
    const httpOptions = { baseUrl: `${simulator.url}/gemini`, fetch };
    client = new GoogleAtVertex({ vertexai: true, apiKey: keyOf('gemini'), httpOptions });
  });

  async function generate(prompt: string, config: object = {}) {
    let operation = await client.models.generateVideos({
      model: atVertex,
      source: { prompt },
      config: { durationSeconds: 4, ...config },
    });
    while (!operation.done) operation = await client.operations.getVideosOperation({ operation });
    return operation;
  }

  it('gets a video in the answer, with sound or without', async () => {
    const soundOf = async (generateAudio: boolean) => {
      const { response } = await generate('a heron', { generateAudio, aspectRatio: '9:16', seed: 7 });
      const [made] = response?.generatedVideos ?? [];
      return inspectVideo(Buffer.from(made?.video?.videoBytes ?? '', 'base64'));
    };
    expect(await soundOf(true)).toMatchObject({ width: 720, height: 1_280, seconds: 4, audioCodec: 'aac' });
    expect((await soundOf(false)).audioCodec).not.toBe('aac');
  });

  it('reads how many videos are withheld, a failure and refusals', async () => {
    const { response } = await generate('x [[sim:policy-result]]');
    expect(response).toMatchObject({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: [expect.any(String)] });
    expect((await generate('x [[sim:failed-result]]')).error).toMatchObject({ code: 13 });
    await expect(generate('x', { durationSeconds: 5 })).rejects.toMatchObject({ status: 400 });
    const preview = client.models.generateVideos({ model, source: { prompt: 'x' } });
    await expect(preview).rejects.toMatchObject({ status: 404 });
  });
});
