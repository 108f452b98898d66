import { sharedSystem, stopSharedSystem } from './system/shared-system';

/**
 * Does what callers do to one running system. Each part has an account of its own and leaves the vendors' rules as it found them.
 * The last two stop services and start them again, and change the configuration.
 */
const PARTS = [
  ['image-job', 'an image job'],
  ['video-job', 'a video job'],
  ['music-job', 'music and what follows on it'],
  ['imgtool-chain', 'a chain of image-tool jobs'],
  ['text-job', 'a text'],
  ['speech-job', 'a speech'],
  ['openai-job', 'OpenAI’s client'],
  ['second-vendor', 'a task of two vendors'],
  ['vendor-trouble', 'vendors in trouble'],
  ['test-keys', 'a task of a test key'],
  ['metrics', 'metrics'],
  ['reload', 'a reload'],
];

beforeAll(() => sharedSystem());
afterAll(stopSharedSystem);

describe.each(PARTS)('%s: %s', (part) => {
  // Loading a part declares its tests.
  require(`./jobs/${part}`);

  it('leaves the books right', async () => {
    expect(await (await sharedSystem()).system.audit()).toEqual([]);
  });
});
