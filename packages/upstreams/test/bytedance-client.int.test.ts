import { join } from 'node:path';
import type { JsonObject } from '@mediagate/contracts';
import { askClient } from '@mediagate/testkit';
import { type ReplayServer, replayReplies } from '../src/conformance/replay-server';
import { API_KEY, named, readFixtures } from './fixtures';

/*
 * The vendor's own client as a judge of `ark-video`: for the same wishes it must send what the adapter sends, and it must read the
 * fixtures' answers as the adapter does. It is an ES module, which the simulator's tests run, too.
 */

const CLIENT = join(__dirname, '../../../simulator/test/bytedance-client.mjs');
const fixtures = readFixtures('ark-video');
const done = named(fixtures, 'check-done');
let server: ReplayServer;

afterEach(() => server.close());

const prompt = 'a lighthouse on a cliff at dusk, waves below';
const address = (file: string) => `https://callers.example/${file}`;
const shape = { resolution: '720p', duration: 5, aspectRatio: 'adaptive' };

it.each<[string, string, JsonObject]>([
  [
    'success',
    'dreamina-seedance-2-0-260128',
    { ...shape, aspectRatio: '16:9', seed: 7, bytedance: { generateAudio: true, watermark: false } },
  ],
  [
    'frames',
    'seedance-1-5-pro-251215',
    {
      ...shape,
      duration: -1,
      image: { type: 'url', url: address('1.png') },
      bytedance: { lastFrameImage: address('2.png'), generateAudio: false, watermark: false },
    },
  ],
  [
    'references',
    'dreamina-seedance-2-0-260128',
    {
      ...shape,
      bytedance: {
        referenceImages: [address('1.png')],
        referenceVideos: [address('2.mp4')],
        referenceAudio: [address('3.mp3')],
        watermark: false,
      },
    },
  ],
])('the client sends what the adapter sends, and reads the answers: %s', async (name, model, options) => {
  const fixture = named(fixtures, name);
  server = await replayReplies(fixture.replies[0], done.replies[0]);
  const wish = JSON.stringify({ prompt, ...options });
  expect(await askClient(CLIENT, `${server.origin}/api/v3`, API_KEY, model, wish)).toMatchObject({
    videos: [{ url: 'https://results.example/v.mp4?X-Tos-Signature=1' }],
    providerMetadata: { bytedance: { taskId: 'cgt-20261109160000-k7w2p', usage: { completion_tokens: 108_900 } } },
  });
  const [start, look] = server.received;
  expect(start).toMatchObject({ method: 'POST', path: fixture.wire?.[0]?.path });
  expect(JSON.parse(String(start?.body))).toEqual(fixture.wire?.[0]?.json);
  expect(look).toMatchObject({ method: 'GET', path: done.wire?.[0]?.path });
});
