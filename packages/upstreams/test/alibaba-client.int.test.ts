import { join } from 'node:path';
import type { JsonObject } from '@mediagate/contracts';
import { askClient } from '@mediagate/testkit';
import { type ReplayServer, replayReplies } from '../src/conformance/replay-server';
import { API_KEY, named, readFixtures } from './fixtures';

/*
 * The vendor's own client as a judge of `dashscope-video`: for the same wishes it must send what the adapter sends, from text and from
 * images, and it must read the fixtures' answers as the adapter does. It is an ES module, which the simulator's tests run, too.
 */

const CLIENT = join(__dirname, '../../../simulator/test/alibaba-client.mjs');
const fixtures = readFixtures('dashscope-video');
const done = named(fixtures, 'check-done');
let server: ReplayServer;

afterEach(() => server.close());

const prompt = 'a lighthouse on a cliff at dusk, waves below';
const image = { type: 'url', url: 'https://callers.example/1.png' };
const last = { type: 'url', url: 'https://callers.example/2.png' };
const alibaba = (options: JsonObject) => ({ providerOptions: { alibaba: { watermark: false, ...options } } });

it.each<[string, string, JsonObject]>([
  [
    'success',
    'wan2.6-t2v',
    {
      resolution: '1280x720',
      duration: 5,
      seed: 7,
      generateAudio: true,
      ...alibaba({ negativePrompt: 'blur', promptExtend: true }),
    },
  ],
  ['image', 'wan2.6-i2v', { image, resolution: '1080P', duration: 10, ...alibaba({}) }],
  ['image-model', 'wan2.6-i2v-flash', { image, resolution: '720P', duration: 5, generateAudio: false, ...alibaba({}) }],
  [
    'frames-3-0',
    'wan3.0-video',
    {
      frameImages: [
        { frameType: 'first_frame', image },
        { frameType: 'last_frame', image: last },
      ],
      resolution: '720P',
      duration: 5,
      ...alibaba({ ratio: 'adaptive' }),
    },
  ],
])('the client sends what the adapter sends, and reads the answers: %s', async (name, model, options) => {
  const fixture = named(fixtures, name);
  server = await replayReplies(fixture.replies[0], done.replies[0]);
  const wish = JSON.stringify({ prompt, ...options });
  expect(await askClient(CLIENT, server.origin, API_KEY, model, wish)).toMatchObject({
    operation: { taskId: '86ecf553-d340-4e21-af6e-a0c6a421c010' },
    status: {
      status: 'completed',
      videos: [{ url: 'https://results.example/v.mp4?Signature=1' }],
      providerMetadata: { alibaba: { usage: { outputVideoDuration: 5 } } },
    },
  });
  const [start, look] = server.received;
  expect(start).toMatchObject({ method: 'POST', path: fixture.wire?.[0]?.path });
  expect(start?.headers).toMatchObject(fixture.wire?.[0]?.headers ?? {});
  expect(JSON.parse(String(start?.body))).toEqual(fixture.wire?.[0]?.json);
  expect(look).toMatchObject({ method: 'GET', path: done.wire?.[0]?.path });
});
