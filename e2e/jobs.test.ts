import { sharedSystem, stopSharedSystem } from './system/shared-system';

/**
 * Does what callers do to one running system. Each part has an account of its own and leaves the vendors' rules as it found them.
 * The last two stop services and start them again, and change the configuration.
 */
const PARTS = [
  'image-job',
  'video-job',
  'music-chain',
  'music-follow-ups',
  'music-operations',
  'imgtool-chain',
  'text-job',
  'speech-job',
  'openai-job',
  'second-vendor',
  'vendor-trouble',
  'test-keys',
  'metrics',
  'reload',
];

beforeAll(() => sharedSystem());
afterAll(stopSharedSystem);

describe.each(PARTS)('%s', (part) => {
  // Loading a part declares its tests.
  require(`./jobs/${part}`);
});
