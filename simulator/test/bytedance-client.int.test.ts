import { join } from 'node:path';
import { askClient, forAllTests } from '@mediagate/testkit';
import { keyOf, startUnderTest } from './simulator-under-test';
import { dataUrl, inspectVideo } from './videos';

const simulator = forAllTests(() => startUnderTest({ videoMs: 100 }));

interface Verdict {
  videos: { url: string; mediaType: string }[];
  warnings: unknown[];
  providerMetadata: { bytedance: { taskId: string; usage: { completion_tokens: number } } };
  error: { message: string; statusCode: number };
}

const judge = async (model: string, options: object): Promise<Verdict> => {
  const args = [`${simulator.url}/ark/api/v3`, keyOf('ark'), model, JSON.stringify(options)];
  return askClient(join(__dirname, 'bytedance-client.mjs'), ...args);
};

describe("the vendor's own client", () => {
  it.each([
    [
      'dreamina-seedance-2-0-260128',
      { resolution: '864x496', aspectRatio: '16:9', duration: 4, seed: 7 },
      { width: 864, height: 496, seconds: 4 },
    ],
    ['seedance-1-5-pro-251215', { resolution: '480p', duration: 5 }, { width: 864, height: 496, seconds: 5 }],
  ])('gets a video of %s', async (model, options, expected) => {
    const { videos, warnings, providerMetadata, error } = await judge(model, { prompt: 'a heron', ...options });
    expect({ error, warnings }).toEqual({ error: undefined, warnings: [] });
    expect(providerMetadata.bytedance.usage.completion_tokens).toBeGreaterThan(0);
    expect((await simulator.journal()).flatMap((entry) => entry.warnings)).toEqual([]);
    const video = Buffer.from(await (await fetch(videos[0]?.url ?? '')).arrayBuffer());
    expect(await inspectVideo(video)).toMatchObject(expected);
  });

  it('gets a video between two frames', async () => {
    const [first, last] = [await dataUrl(400, 400, '#20aa20'), await dataUrl(400, 400, '#aa2020')];
    const image = { type: 'url', url: first };
    const bytedance = { lastFrameImage: last, generateAudio: false };
    const verdict = await judge('dreamina-seedance-2-0-260128', { prompt: 'p', image, bytedance, duration: 4 });
    expect(verdict).toMatchObject({ videos: [{ mediaType: 'video/mp4' }], warnings: [] });
  });

  it('understands a refusal and a failure', async () => {
    const model = 'dreamina-seedance-2-0-260128';
    expect(await judge(model, { prompt: 'x [[sim:balance]]' })).toMatchObject({
      error: { statusCode: 403, message: expect.stringContaining('overdue') },
    });
    const { error } = await judge(model, { prompt: 'x [[sim:policy-result]]', duration: 4 });
    expect(error.message).toContain('"status":"failed"');
  });
});
