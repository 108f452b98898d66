import { modelUnderTest, urls } from './model-under-test';

const { input, warnings, refused, requested, media, reserved } = modelUnderTest('videoa-2.7', { prompt: 'A boat' });
const bare = modelUnderTest('videoa-2.7');

const [FIRST = '', LAST = ''] = urls(2);
const VIDEO = 'https://example.com/a.mp4';
const SOUND = 'https://example.com/a.mp3';

it('prompt: required for text-to-video, optional otherwise', () => {
  for (const body of [{}, { prompt: '  ' }, { audio_url: SOUND }]) {
    expect(bare.refused(body).message).toBe('prompt is required unless images or a video are given');
  }
  for (const body of [{ image_urls: [FIRST] }, { image_with_roles: [{ url: FIRST }] }, { video_urls: [VIDEO] }]) {
    expect(bare.requested(body)).not.toHaveProperty('prompt');
  }
});

it('size: only in text-to-video, ignored otherwise', () => {
  for (const media of [{ image_urls: [FIRST] }, { image_with_roles: [{ url: FIRST }] }, { video_urls: [VIDEO] }]) {
    expect(requested({ ...media, size: '1:1' })).not.toHaveProperty('aspectRatio');
    expect(warnings({ ...media, size: '1:1' })).toEqual(['size was ignored: it only goes with text-to-video']);
    expect(warnings(media)).toEqual([]);
  }
});

describe('images', () => {
  it('one is the first frame, two are the first and the last', () => {
    const first = { role: 'first_frame', url: FIRST };
    expect(requested({ image_urls: [FIRST] })).toMatchObject({ inputs: [first] });
    expect(requested({ image_urls: [FIRST, LAST] })).toMatchObject({
      inputs: [first, { role: 'last_frame', url: LAST }],
    });
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

it('prompt_extend, watermark and seed reach the request', () => {
  expect(requested({ prompt_extend: false, watermark: true, seed: 7 })).toMatchObject({
    rewritePrompt: false,
    watermark: true,
    seed: 7,
  });
});

it('text-to-video and image-to-video are billed identically', () => {
  const bodies = [{}, { image_urls: [FIRST, LAST] }, { video_urls: [VIDEO] }, { audio_url: SOUND }];
  for (const resolution of ['720P', '1080P']) {
    const amounts = bodies.map((body) => reserved({ ...body, resolution, duration: 9 }));
    expect(new Set(amounts).size).toBe(1);
  }
});
