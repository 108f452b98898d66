import { modelUnderTest } from './model-under-test';

const { input, warnings, refused, requested, media, reserved } = modelUnderTest('videod-02', { prompt: 'A kite' });

const FIRST = 'https://example.com/first.jpg';
const LAST = 'https://example.com/last.jpg';

it('has the defaults of the specification', () => {
  expect(input()).toEqual({
    prompt: 'A kite',
    nsfw_check: false,
    duration: 5,
    resolution: '768p',
    prompt_optimizer: true,
    fast_pretreatment: false,
    watermark: false,
  });
  expect(requested()).toEqual({
    prompt: 'A kite',
    resolution: '768p',
    seconds: 5,
    watermark: false,
    rewritePrompt: true,
    rewriteFast: false,
    inputs: [],
  });
});

it('prompt: required, also with images; at most 2000 characters', () => {
  expect(refused({ prompt: ' ', first_frame_image: FIRST }).message).toBe('prompt is required');
  expect(input({ prompt: 'x'.repeat(2000) })).toMatchObject({ duration: 5 });
  expect(refused({ prompt: 'x'.repeat(2001) }).param).toBe('prompt');
});

it('duration: 5 or 10, a JSON number; 1080p supports 5 only', () => {
  for (const duration of [5, 10]) expect(requested({ duration })).toMatchObject({ seconds: duration });
  for (const duration of [6, 1, -1, 15]) expect(refused({ duration }).message).toBe('duration must be one of 5, 10');
  expect(refused({ duration: '10' }).message).toBe('duration must be an integer');
  expect(requested({ resolution: '1080P' })).toMatchObject({ resolution: '1080p', seconds: 5 });
  expect(refused({ resolution: '1080p', duration: 10 }).message).toBe('duration must be 5 with resolution 1080p');
});

it('resolution: 512p, 768p, 1080p; 512p without an image is 400, and so is 512p with a last frame', () => {
  expect(requested({ resolution: '512P', first_frame_image: FIRST })).toMatchObject({ resolution: '512p' });
  expect(refused({ resolution: '720p' }).message).toBe('resolution must be one of 512p, 768p, 1080p');
  expect(refused({ resolution: '512p' }).message).toBe('resolution 512p requires first_frame_image');
  expect(refused({ resolution: '512p', first_frame_image: FIRST, last_frame_image: LAST }).param).toBe('resolution');
});

it('first_frame_image and last_frame_image; a last frame without a first is 400', () => {
  expect(requested({ first_frame_image: FIRST, last_frame_image: LAST })).toMatchObject({
    inputs: [
      { role: 'first_frame', url: FIRST },
      { role: 'last_frame', url: LAST },
    ],
  });
  expect(refused({ last_frame_image: LAST })).toMatchObject({ code: 'invalid_request', param: 'last_frame_image' });
});

it('frames are URLs or data URLs', () => {
  const url = 'data:image/png;base64,AAAA';
  expect(media({ first_frame_image: url })).toMatchObject([{ field: 'first_frame_image', url }]);
  for (const url of ['ftp://example.com/a.png', 'AAAA']) {
    expect(refused({ first_frame_image: url }).param).toBe('first_frame_image');
    expect(refused({ first_frame_image: FIRST, last_frame_image: url }).param).toBe('last_frame_image');
  }
});

it('its files: JPEG, PNG, WebP, short side above 300 px, from 2:5 to 5:2, at most 20 MB', () => {
  expect(media({ first_frame_image: FIRST })).toEqual([
    {
      field: 'first_frame_image',
      role: 'image',
      url: FIRST,
      inspectOnly: true,
      maxBytes: 20 * 1024 * 1024,
      contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
      limits: { minSide: 301, maxAspect: 2.5 },
    },
  ]);
});

it('fast_pretreatment shortens the optimization of the prompt, and is ignored without it', () => {
  expect(requested({ fast_pretreatment: true, watermark: true })).toMatchObject({ rewriteFast: true, watermark: true });
  const without = { fast_pretreatment: true, prompt_optimizer: false };
  expect(requested(without)).toMatchObject({ rewritePrompt: false, rewriteFast: false });
  expect(warnings(without)).toEqual(['fast_pretreatment was ignored: it only goes with prompt_optimizer']);
});

it('costs its seconds at its resolution', () => {
  const rates = { 'per_second.512p': 2n, 'per_second.768p': 3n, 'per_second.1080p': 7n };
  expect(reserved({ resolution: '512p', first_frame_image: FIRST }, rates)).toBe(10n);
  expect(reserved({ duration: 10 }, rates)).toBe(30n);
  expect(reserved({ resolution: '1080p' }, rates)).toBe(35n);
});
