import { modelUnderTest, urls } from './model-under-test';

const { input, warnings, refused, requested, media, reserved } = modelUnderTest('videoa-2.6', { prompt: 'A boat' });
const bare = modelUnderTest('videoa-2.6');

it('has its defaults', () => {
  expect(input()).toEqual({
    prompt: 'A boat',
    nsfw_check: false,
    aspect_ratio: '16:9',
    resolution: '720p',
    duration: 5,
    prompt_extend: true,
    audio: true,
  });
  expect(requested()).toEqual({
    prompt: 'A boat',
    resolution: '720p',
    aspectRatio: '16:9',
    seconds: 5,
    audio: true,
    rewritePrompt: true,
    inputs: [],
  });
});

it('duration: 5, 10 or 15 seconds, a JSON number', () => {
  for (const duration of [5, 10, 15]) expect(requested({ duration })).toMatchObject({ seconds: duration });
  for (const duration of [0, 4, 6, 20, -1, 5.5]) expect(refused({ duration }).param).toBe('duration');
  expect(refused({ duration: '5' }).message).toBe('duration must be an integer');
  expect(refused({ duration: 7 }).message).toBe('duration must be one of 5, 10, 15');
});

it('resolution: 720p or 1080p, in any letter case', () => {
  expect(requested({ resolution: '1080P' })).toMatchObject({ resolution: '1080p' });
  for (const resolution of ['480p', '4k']) expect(refused({ resolution }).param).toBe('resolution');
});

it('aspect_ratio: 16:9, 9:16, 1:1, 4:3, 3:4; ignored with an image', () => {
  for (const ratio of ['16:9', '9:16', '1:1', '4:3', '3:4']) {
    expect(requested({ aspect_ratio: ratio })).toMatchObject({ aspectRatio: ratio });
  }
  expect(refused({ aspect_ratio: '21:9' }).param).toBe('aspect_ratio');
  const withImage = { image_urls: urls(1), aspect_ratio: '9:16' };
  expect(requested(withImage)).not.toHaveProperty('aspectRatio');
  expect(warnings(withImage)).toEqual(['aspect_ratio was ignored: the video has the ratio of the image']);
  expect(warnings({ image_urls: urls(1) })).toEqual([]);
});

it('image_urls: at most one, the first frame', () => {
  expect(requested({ image_urls: urls(1) })).toMatchObject({
    inputs: [{ role: 'first_frame', url: 'https://example.com/0.png' }],
  });
  expect(media({ image_urls: urls(1) })).toEqual([
    {
      field: 'image_urls[0]',
      role: 'image',
      url: 'https://example.com/0.png',
      inspectOnly: true,
      contentTypes: ['image/jpeg', 'image/png', 'image/bmp', 'image/webp'],
      maxBytes: 20 * 1024 * 1024,
      limits: { minSide: 240, maxSide: 8000, maxAspect: 8 },
    },
  ]);
  expect(refused({ image_urls: urls(2) }).message).toBe('image_urls must have at most 1 item');
});

it('needs a prompt or an image', () => {
  expect(bare.requested({ image_urls: urls(1) })).not.toHaveProperty('prompt');
  for (const body of [{}, { prompt: ' ' }, { image_urls: [] }]) {
    expect(bare.refused(body).message).toBe('prompt is required unless media is given');
  }
});

it('prompt_extend, audio, seed and negative_prompt reach the request', () => {
  expect(requested({ prompt_extend: false, audio: false, seed: 0, negative_prompt: 'rain' })).toMatchObject({
    rewritePrompt: false,
    audio: false,
    seed: 0,
    negativePrompt: 'rain',
  });
  for (const seed of [-1, 2_147_483_648, 1.5, '1']) expect(refused({ seed }).param).toBe('seed');
  expect(input({ seed: 2_147_483_647 })).toMatchObject({ seed: 2_147_483_647 });
});

it('costs its seconds at its resolution', () => {
  const rates = { 'per_second.720p': 3n, 'per_second.1080p': 7n };
  expect(reserved({ duration: 15 }, rates)).toBe(45n);
  expect(reserved({ duration: 10, resolution: '1080p' }, rates)).toBe(70n);
});
