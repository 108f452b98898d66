import { modelUnderTest } from './model-under-test';

const { input, refused, requested, media, reserved } = modelUnderTest('videof-3.1', { prompt: 'A kite' });
const lite = modelUnderTest('videof-3.1-lite', { prompt: 'A kite' });

const FIRST = 'https://example.com/first.jpg';
const LAST = 'https://example.com/last.jpg';
const SEEN = 'https://example.com/seen.jpg';

it('has eight seconds of 720p, wide, by default', () => {
  expect(input()).toEqual({
    prompt: 'A kite',
    nsfw_check: false,
    aspect_ratio: '16:9',
    duration: 8,
    resolution: '720p',
  });
  expect(requested()).toEqual({ prompt: 'A kite', resolution: '720p', aspectRatio: '16:9', seconds: 8, inputs: [] });
});

it('duration: 4, 6 or 8; above 720p and with references 8 alone', () => {
  for (const duration of [4, 6, 8]) expect(requested({ duration })).toMatchObject({ seconds: duration });
  expect(refused({ duration: 5 }).message).toBe('duration must be one of 4, 6, 8');
  expect(refused({ duration: 4, resolution: '1080p' }).message).toBe('duration must be 8 with resolution 1080p');
  expect(refused({ duration: 6, reference_images: [SEEN] }).message).toBe('duration must be 8 with reference_images');
  expect(requested({ duration: 4, first_frame_image: FIRST })).toMatchObject({ seconds: 4 });
});

it('takes frames or references, whose bytes are brought, and no last frame alone', () => {
  expect(media({ first_frame_image: FIRST, last_frame_image: LAST })).toMatchObject([
    { field: 'first_frame_image', inspectOnly: false },
    { field: 'last_frame_image', inspectOnly: false },
  ]);
  expect(refused({ last_frame_image: LAST }).param).toBe('last_frame_image');
  expect(refused({ first_frame_image: FIRST, reference_images: [SEEN] }).param).toBe('reference_images[0]');
  expect(refused({ reference_images: [SEEN, SEEN, SEEN, SEEN] }).param).toBe('reference_images');
});

it('costs by the second and resolution', () => {
  expect(reserved({ resolution: '4k' })).toBe(4_800_000_000n);
  expect(reserved({ duration: 4 })).toBe(1_600_000_000n);
});

it('the lite model has neither 4k nor references', () => {
  expect(lite.refused({ resolution: '4k' }).message).toBe('resolution must be one of 720p, 1080p');
  expect(lite.refused({ reference_images: [SEEN] })).toMatchObject({
    param: 'reference_images',
    reason: 'unsupported_parameter',
  });
});
