import { modelUnderTest } from './model-under-test';

const { warnings, refused, requested, media, reserved } = modelUnderTest('videod-02', { prompt: 'A kite' });

const FIRST = 'https://example.com/first.jpg';
const LAST = 'https://example.com/last.jpg';

it('duration: 1080p supports 5 only', () => {
  expect(requested({ resolution: '1080P' })).toMatchObject({ resolution: '1080p', seconds: 5 });
  expect(refused({ resolution: '1080p', duration: 10 }).message).toBe('duration must be 5 with resolution 1080p');
});

it('512p without an image is 400, and so is 512p with a last frame', () => {
  expect(requested({ resolution: '512P', first_frame_image: FIRST })).toMatchObject({ resolution: '512p' });
  expect(refused({ resolution: '512p' }).message).toBe('resolution 512p requires first_frame_image');
  expect(refused({ resolution: '512p', first_frame_image: FIRST, last_frame_image: LAST }).param).toBe('resolution');
});

it('a last frame without a first is 400', () => {
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
