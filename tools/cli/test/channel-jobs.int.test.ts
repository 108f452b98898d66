import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorld, runIn, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const CHANNELS = `
channels:
  - { id: draining, protocol: openai-images, base_url: 'https://v.example/v1', api_key: '\${IMAGES_KEY}',
      models: { imagegen-2: two }, state: draining }
  - { id: idle, protocol: openai-images, base_url: 'https://v.example/v1', api_key: '\${IMAGES_KEY}',
      models: { imagegen-2: two } }
`;

it('channel jobs names every channel with jobs under way, also one that the file has no more', async () => {
  const path = join(String(world.env['MEDIAGATE_HOME']), 'channels.yaml');
  writeFileSync(path, CHANNELS);
  const states = [
    ['draining', 'accepted'],
    ['draining', 'starting'],
    ['removed', 'accepted'],
    ['idle', 'succeeded'],
  ] as const;
  for (const [index, [channelId, state]] of states.entries()) {
    const ids = { id: `att_${index}`, taskId: `task_${index}`, externalId: `job-${index}` };
    await world.database.taskAttempt.create({
      data: { ...ids, number: 1, channelId, protocol: 'openai-images', state },
    });
  }
  const env = { ...world.env, MEDIAGATE_CONFIG: path, IMAGES_KEY: 'sk-very-secret' };
  const { code, out, err } = await runIn(env, 'channel', 'jobs', '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out).channels).toEqual([
    { id: 'draining', state: 'draining', open_jobs: 2 },
    { id: 'removed', state: 'not in the file', open_jobs: 1 },
  ]);
  expect((await runIn(env, 'channel', 'jobs')).out).toMatch(/^removed +not in the file +1$/m);
});
