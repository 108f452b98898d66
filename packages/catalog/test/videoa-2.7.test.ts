import { modelUnderTest, urls } from './model-under-test';

const { input, warnings, refused, requested, media, reserved } = modelUnderTest('videoa-2.7', { prompt: 'A boat' });
const bare = modelUnderTest('videoa-2.7');

const [FIRST = '', LAST = ''] = urls(2);
const VIDEO = 'https://example.com/a.mp4';
const SOUND = 'https://example.com/a.mp3';

it('has the defaults of the specification', () => {
  expect(input()).toEqual({
    prompt: 'A boat',
    nsfw_check: false,
    resolution: '1080P',
    duration: 5,
    size: '16:9',
    prompt_extend: true,
    watermark: false,
  });
});

it('prompt: up to 5000 characters; required for text-to-video, optional otherwise', () => {
  expect(input({ prompt: '🌊'.repeat(5000) })).toMatchObject({ prompt: '🌊'.repeat(5000) });
  expect(refused({ prompt: 'x'.repeat(5001) }).message).toBe('prompt must have at most 5000 characters');
  for (const body of [{}, { prompt: '  ' }, { audio_url: SOUND }]) {
    expect(bare.refused(body).message).toBe('prompt is required unless images or a video are given');
  }
  for (const body of [{ image_urls: [FIRST] }, { image_with_roles: [{ url: FIRST }] }, { video_urls: [VIDEO] }]) {
    expect(bare.requested(body)).not.toHaveProperty('prompt');
  }
});

it('negative_prompt: up to 500 characters', () => {
  expect(requested({ negative_prompt: 'x'.repeat(500) })).toMatchObject({ negativePrompt: 'x'.repeat(500) });
  expect(refused({ negative_prompt: 'x'.repeat(501) }).param).toBe('negative_prompt');
});

it('duration: 2 to 15 seconds, a JSON number', () => {
  for (const duration of [2, 15]) expect(requested({ duration })).toMatchObject({ seconds: duration });
  for (const duration of [1, 16, -1]) expect(refused({ duration }).message).toBe('duration must be from 2 to 15');
  for (const duration of ['5', 2.5]) expect(refused({ duration }).message).toBe('duration must be an integer');
});

it('resolution: 720P or 1080P, in any letter case', () => {
  expect(requested({ resolution: '720p' })).toMatchObject({ resolution: '720p' });
  expect(requested()).toMatchObject({ resolution: '1080p' });
  expect(refused({ resolution: '480P' }).message).toBe('resolution must be one of 720P, 1080P');
});

it('size: only in text-to-video, ignored otherwise', () => {
  for (const size of ['16:9', '9:16', '1:1', '4:3', '3:4']) {
    expect(requested({ size })).toMatchObject({ aspectRatio: size });
  }
  expect(refused({ size: 'adaptive' }).param).toBe('size');
  for (const media of [{ image_urls: [FIRST] }, { image_with_roles: [{ url: FIRST }] }, { video_urls: [VIDEO] }]) {
    expect(requested({ ...media, size: '1:1' })).not.toHaveProperty('aspectRatio');
    expect(warnings({ ...media, size: '1:1' })).toEqual(['size was ignored: it only goes with text-to-video']);
    expect(warnings(media)).toEqual([]);
  }
});

describe('images', () => {
  it('one is the first frame, two are the first and the last; three are 400', () => {
    const first = { role: 'first_frame', url: FIRST };
    expect(requested({ image_urls: [FIRST] })).toMatchObject({ inputs: [first] });
    expect(requested({ image_urls: [FIRST, LAST] })).toMatchObject({
      inputs: [first, { role: 'last_frame', url: LAST }],
    });
    expect(refused({ image_urls: urls(3) }).param).toBe('image_urls');
  });

  it('with roles: first_frame by default, in any letter case', () => {
    const images = [{ url: LAST, role: 'Last_Frame' }, { url: FIRST }];
    expect(requested({ image_with_roles: images })).toMatchObject({
      inputs: [
        { role: 'last_frame', url: LAST },
        { role: 'first_frame', url: FIRST },
      ],
    });
    expect(input({ image_with_roles: [{ url: FIRST, role: ' ' }] })).toMatchObject({
      image_with_roles: [{ url: FIRST, role: 'first_frame' }],
    });
    expect(refused({ image_with_roles: [{ url: FIRST, role: 'middle' }] }).message).toBe(
      'image_with_roles[0].role must be one of first_frame, last_frame',
    );
    expect(refused({ image_with_roles: [{ role: 'first_frame' }] }).message).toBe(
      'image_with_roles[0].url is required',
    );
  });

  it('two first frames, or a last frame without a first, are 400', () => {
    expect(refused({ image_with_roles: [{ url: FIRST }, { url: LAST }] }).param).toBe('image_with_roles[1].url');
    expect(refused({ image_with_roles: [{ url: LAST, role: 'last_frame' }] }).message).toBe(
      'image_with_roles[0].url is a last frame, which requires a first frame',
    );
  });

  it('image_urls with image_with_roles, or either with video_urls, are 400', () => {
    const roles = { image_with_roles: [{ url: FIRST }] };
    expect(refused({ image_urls: [FIRST], ...roles })).toMatchObject({
      code: 'invalid_request',
      param: 'image_with_roles',
    });
    expect(refused({ image_urls: [FIRST], video_urls: [VIDEO] }).param).toBe('video_urls');
    expect(refused({ ...roles, video_urls: [VIDEO] }).param).toBe('video_urls');
    expect(requested({ image_urls: [], video_urls: [], ...roles })).toMatchObject({ inputs: [{ url: FIRST }] });
  });
});

it('video_urls: only the first is used, and more get a warning', () => {
  const body = { video_urls: [VIDEO, 'not even an address'] };
  expect(requested(body)).toMatchObject({ inputs: [{ role: 'continued_video', url: VIDEO }] });
  expect(warnings(body)).toEqual(['video_urls[1] and later were ignored: only the first is used']);
  expect(media(body)).toHaveLength(1);
  expect(warnings({ video_urls: [VIDEO] })).toEqual([]);
});

it('audio_url: conflicts with video_urls, image_urls and image_with_roles', () => {
  expect(requested({ audio_url: SOUND })).toMatchObject({
    inputs: [{ role: 'sound', url: SOUND }],
    aspectRatio: '16:9',
  });
  for (const images of [{ image_urls: [FIRST] }, { image_with_roles: [{ url: FIRST }] }, { video_urls: [VIDEO] }]) {
    expect(refused({ audio_url: SOUND, ...images })).toMatchObject({ code: 'invalid_request', param: 'audio_url' });
  }
});

it('its images: JPEG, PNG, BMP or WebP, sides 240 to 8000, 8:1, 20 MB, whichever way they are named', () => {
  const image = {
    role: 'image',
    inspectOnly: true,
    maxBytes: 20 * 1024 * 1024,
    contentTypes: ['image/jpeg', 'image/png', 'image/bmp', 'image/webp'],
    limits: { minSide: 240, maxSide: 8000, maxAspect: 8 },
  };
  expect(media({ image_urls: [FIRST, LAST] })).toEqual([
    { ...image, field: 'image_urls[0]', url: FIRST },
    { ...image, field: 'image_urls[1]', url: LAST },
  ]);
  expect(media({ image_with_roles: [{ url: FIRST }] })).toEqual([
    { ...image, field: 'image_with_roles[0].url', url: FIRST },
  ]);
});

it('its files: video mp4/mov, 2 to 10 s, sides 240 to 4096, 8:1, 100 MB; audio wav/mp3, 2 to 30 s, 15 MB', () => {
  expect(media({ video_urls: [VIDEO] })).toEqual([
    {
      field: 'video_urls[0]',
      role: 'video',
      url: VIDEO,
      inspectOnly: true,
      maxBytes: 100 * 1024 * 1024,
      contentTypes: ['video/mp4', 'video/quicktime'],
      limits: { minSide: 240, maxSide: 4096, maxAspect: 8, minSeconds: 2, maxSeconds: 10 },
    },
  ]);
  expect(media({ audio_url: SOUND })).toEqual([
    {
      field: 'audio_url',
      role: 'audio',
      url: SOUND,
      inspectOnly: true,
      maxBytes: 15 * 1024 * 1024,
      contentTypes: ['audio/wav', 'audio/mpeg'],
      limits: { minSeconds: 2, maxSeconds: 30 },
    },
  ]);
});

it('prompt_extend, watermark and seed reach the request', () => {
  expect(requested({ prompt_extend: false, watermark: true, seed: 7 })).toMatchObject({
    rewritePrompt: false,
    watermark: true,
    seed: 7,
  });
  expect(refused({ seed: 2_147_483_648 }).message).toBe('seed must be from 0 to 2147483647');
});

it('text-to-video and image-to-video are billed identically', () => {
  const bodies = [{}, { image_urls: [FIRST, LAST] }, { video_urls: [VIDEO] }, { audio_url: SOUND }];
  for (const resolution of ['720P', '1080P']) {
    const amounts = bodies.map((body) => reserved({ ...body, resolution, duration: 9 }));
    expect(new Set(amounts).size).toBe(1);
  }
});
