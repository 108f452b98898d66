import { modelUnderTest, urls } from './model-under-test';

const { warnings, requested, reserved } = modelUnderTest('videoa-2.6', { prompt: 'A boat' });
const bare = modelUnderTest('videoa-2.6');

it('aspect_ratio is ignored with an image', () => {
  const withImage = { image_urls: urls(1), aspect_ratio: '9:16' };
  expect(requested(withImage)).not.toHaveProperty('aspectRatio');
  expect(warnings(withImage)).toEqual(['aspect_ratio was ignored: the video has the ratio of the image']);
  expect(warnings({ image_urls: urls(1) })).toEqual([]);
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
});

it('costs its seconds at its resolution', () => {
  const rates = { 'per_second.720p': 3n, 'per_second.1080p': 7n };
  expect(reserved({ duration: 15 }, rates)).toBe(45n);
  expect(reserved({ duration: 10, resolution: '1080p' }, rates)).toBe(70n);
});
