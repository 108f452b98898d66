import { join } from 'node:path';
import { askClient, forAllTests } from '@mediagate/testkit';
import { inspectImage } from '../src/media/inspect-image';
import { keyOf, startUnderTest } from './simulator-under-test';
import { dataUrl, inspectVideo } from './videos';

const simulator = forAllTests(() => startUnderTest({ videoMs: 100 }));

interface Verdict {
  started: string;
  ended: { status: string; output: unknown; metrics: { predict_time: number }; error: string };
  error?: { message: string; status: number };
}

const judge = async (model: string, input: object, ...more: string[]): Promise<Verdict> => {
  const args = [`${simulator.url}/replicate/v1`, keyOf('replicate'), model, JSON.stringify(input), ...more];
  return askClient(join(__dirname, 'replicate-client.mjs'), ...args);
};
const bytesAt = async (url: unknown) => Buffer.from(await (await fetch(String(url))).arrayBuffer());

describe("the vendor's own client", () => {
  it('gets one link to a video of an official model', async () => {
    const first_frame_image = await dataUrl(400, 400, '#20aa20');
    const input = { prompt: 'a heron', duration: 6, resolution: '512p', first_frame_image };
    const { started, ended, error } = await judge('minimax/hailuo-02', input);
    expect({ error, started, status: ended?.status }).toEqual({
      error: undefined,
      started: 'starting',
      status: 'succeeded',
    });
    expect(ended.metrics.predict_time).toBeGreaterThan(0);
    expect(await inspectVideo(await bytesAt(ended.output))).toMatchObject({ width: 512, height: 512, seconds: 6 });
    expect((await simulator.journal()).flatMap((entry) => entry.warnings)).toEqual([]);
  });

  it('gets a list of images of a version', async () => {
    const version = '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa';
    const { ended } = await judge(version, { prompt: 'a heron', num_outputs: 2 });
    const links = ended.output as string[];
    expect(links).toHaveLength(2);
    expect(await inspectImage(await bytesAt(links[1]))).toMatchObject({ width: 1024, height: 1024 });
  });

  it('understands refusals, failures and a cancellation', async () => {
    const seedream = 'bytedance/seedream-4';
    expect((await judge(seedream, { prompt: 'x [[sim:balance]]' })).error).toMatchObject({ status: 402 });
    expect((await judge(seedream, { prompt: 'x', size: '8K' })).error).toMatchObject({
      status: 422,
      message: expect.stringContaining('"field":"input.size"'),
    });
    expect((await judge('nobody/nothing', { prompt: 'x' })).error).toMatchObject({ status: 404 });
    expect((await judge(seedream, { prompt: 'x [[sim:policy-result]]' })).error).toMatchObject({
      message: expect.stringContaining('(E005)'),
    });
    expect((await judge(seedream, { prompt: 'y [[sim:latency=10m]]' }, 'cancel')).ended).toMatchObject({
      status: 'canceled',
    });
  });
});
