import { join } from 'node:path';
import { askClient, forAllTests } from '@mediagate/testkit';
import { keyOf, startUnderTest } from './simulator-under-test';
import { dataUrl, inspectVideo } from './videos';

const simulator = forAllTests(() => startUnderTest({ videoMs: 100 }));

interface Verdict {
  operation: { taskId: string };
  status: {
    status: string;
    error: string;
    videos: { url: string; mediaType: string }[];
    providerMetadata: { alibaba: { usage: { outputVideoDuration: number } } };
  };
  error: { message: string; statusCode: number };
}

const judge = async (model: string, options: object): Promise<Verdict> => {
  const args = [`${simulator.url}/dashscope`, keyOf('dashscope'), model, JSON.stringify(options)];
  return askClient(join(__dirname, 'alibaba-client.mjs'), ...args);
};

describe("the vendor's own client", () => {
  it.each([
    ['wan2.6-t2v', { resolution: '1280x720', duration: 5 }, { width: 1280, height: 720, seconds: 5 }],
    [
      'wan2.7-t2v',
      { resolution: '1280x720', aspectRatio: '16:9', duration: 3 },
      { width: 1280, height: 720, seconds: 3 },
    ],
    ['wan3.0-video', { duration: 2 }, { width: 1920, height: 1080, seconds: 2 }],
  ])('gets a video of %s', async (model, options, expected) => {
    const { operation, status, error } = await judge(model, { prompt: 'a heron', ...options });
    expect({ error, status }).toMatchObject({
      error: undefined,
      status: {
        status: 'completed',
        videos: [{ mediaType: 'video/mp4' }],
        providerMetadata: { alibaba: { usage: { outputVideoDuration: expected.seconds } } },
      },
    });
    expect((await simulator.journal()).flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(status.videos[0]?.url).toContain(operation.taskId);
    const video = Buffer.from(await (await fetch(status.videos[0]?.url ?? '')).arrayBuffer());
    expect(await inspectVideo(video)).toMatchObject(expected);
  });

  it('gets a video from an image, of the models that begin with one', async () => {
    const image = { type: 'url', url: await dataUrl(400, 400, '#20aa20') };
    const media = [{ type: 'first_frame', url: image.url }];
    for (const [model, options, size] of [
      ['wan2.6-i2v', { image, resolution: '1280x720', duration: 2 }, { width: 960, height: 960, seconds: 2 }],
      [
        'wan2.6-i2v-flash',
        { image, resolution: '1280x720', duration: 2, generateAudio: false },
        { width: 960, height: 960, seconds: 2, audioCodec: undefined },
      ],
      [
        'wan3.0-video',
        { resolution: '1280x720', duration: 2, providerOptions: { alibaba: { media } } },
        { seconds: 2 },
      ],
    ] as const) {
      const { status, error } = await judge(model, { prompt: 'a heron', ...options });
      expect({ model, error, status }).toMatchObject({ model, error: undefined, status: { status: 'completed' } });
      const video = Buffer.from(await (await fetch(status.videos[0]?.url ?? '')).arrayBuffer());
      expect(await inspectVideo(video)).toMatchObject(size);
    }
    expect((await simulator.journal()).flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('understands a refusal and a failure', async () => {
    expect(await judge('wan3.0-video', { prompt: 'x [[sim:balance]]' })).toMatchObject({
      error: { statusCode: 400, message: expect.stringContaining('good standing') },
    });
    const { status, error } = await judge('wan3.0-video', { prompt: 'x [[sim:policy-result]]', duration: 2 });
    expect(error?.message ?? status.error).toContain('inappropriate content');
  });
});
