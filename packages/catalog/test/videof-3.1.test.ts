import { modelUnderTest } from './model-under-test';

const { refused, requested, media } = modelUnderTest('videof-3.1', { prompt: 'A kite' });

const FIRST = 'https://example.com/first.jpg';
const LAST = 'https://example.com/last.jpg';
const SEEN = 'https://example.com/seen.jpg';

it('duration: above 720p and with references 8 alone', () => {
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
});
