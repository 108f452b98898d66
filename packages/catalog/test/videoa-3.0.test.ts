import type { JsonObject } from '@mediagate/contracts';
import { loaded, modelUnderTest, urls } from './model-under-test';

const IMAGE = 'https://example.com/0.png';
const FILE_ID = `file_${'0'.repeat(26)}`;
const VIDEO = 'https://example.com/0.mp4';
const AUDIO = 'https://example.com/0.mp3';
const FILE = 'https://example.com/plan.pdf';
const PAGE = 'https://example.com/news';

describe.each(['videoa-3.0-video', 'videoa-3.0-video-prime'])('%s', (id) => {
  const { input, warnings, refused, requested, media, checked } = modelUnderTest(id, { prompt: 'A boat' });
  const bare = modelUnderTest(id);
  const roles = (...named: string[]) => ({ image_with_roles: named.map((role) => ({ url: IMAGE, role })) });
  const inputsOf = (body: JsonObject) =>
    (requested(body) as { inputs: { role: string }[] }).inputs.map(({ role }) => role);

  it('prompt: required unless media of any kind is given', () => {
    for (const body of [{}, { prompt: ' \n' }, { image_urls: [], video_urls: [] }]) {
      expect(bare.refused(body)).toMatchObject({ code: 'invalid_request', param: 'prompt' });
    }
    const alone = [{ image_urls: [IMAGE] }, roles('first'), { video_urls: [VIDEO] }, { audio_urls: [AUDIO] }];
    for (const body of [...alone, { audio_url: AUDIO }, { file_url: FILE }, { link_url: PAGE }]) {
      expect(bare.requested(body)).not.toHaveProperty('prompt');
    }
  });

  it('prompt: max 20,000 characters, overflow truncated without error and with a warning', () => {
    expect(warnings({ prompt: '🌊'.repeat(20_000) })).toEqual([]);
    const long = { prompt: `${'🌊'.repeat(20_000)}x` };
    expect(input(long)).toMatchObject({ prompt: '🌊'.repeat(20_000) });
    expect(warnings(long)).toEqual(['prompt was truncated to 20000 characters']);
  });

  it('aspect_ratio is another name of size', () => {
    for (const size of ['16:9', '4:3', '1:1', '3:4', '9:16']) {
      for (const body of [{ size }, { aspect_ratio: size }, { size, aspect_ratio: size }]) {
        expect(input(body)).toEqual(input({ size }));
        expect(requested(body)).toMatchObject({ aspectRatio: size });
        expect(warnings(body)).toEqual([]);
      }
    }
    expect(requested({ aspect_ratio: 'Adaptive' })).not.toHaveProperty('aspectRatio');
    expect(refused({ size: 'adaptive', aspect_ratio: '1:1' }).message).toContain('must not differ');
  });

  it('duration -1 leaves the length to the model', () => {
    expect(requested({ duration: -1 })).toMatchObject({ seconds: 'auto' });
    expect(refused({ duration: 1 }).message).toBe('duration must be from 2 to 30, or -1');
  });

  it('audio and watermark reach the request', () => {
    expect(requested({ audio: false, watermark: true })).toMatchObject({ audio: false, watermark: true });
  });

  describe('bare image_urls are classified', () => {
    it('(1) by generation_type if set', () => {
      expect(inputsOf({ image_urls: urls(2), generation_type: 'frame' })).toEqual(['first_frame', 'last_frame']);
      expect(inputsOf({ image_urls: urls(2), generation_type: 'Reference' })).toEqual([
        'reference_image',
        'reference_image',
      ]);
      expect(refused({ image_urls: [IMAGE], generation_type: 'other' }).param).toBe('generation_type');
      expect(refused({ image_urls: [IMAGE], generation_type: 'frame', video_urls: [VIDEO] }).param).toBe(
        'video_urls[0]',
      );
    });

    it.each([
      { video_urls: [VIDEO] },
      { audio_urls: [AUDIO] },
      { audio_url: AUDIO },
      { file_url: FILE },
      { link_url: PAGE },
    ])('(2) else as reference images with %j', (other) => {
      expect(inputsOf({ image_urls: urls(3), ...other }).slice(0, 3)).toEqual(Array(3).fill('reference_image'));
    });

    it('(3) else as frames: first item first frame, second item last frame', () => {
      expect(inputsOf({ image_urls: urls(1) })).toEqual(['first_frame']);
      expect(inputsOf({ image_urls: urls(2) })).toEqual(['first_frame', 'last_frame']);
      expect(inputsOf({ image_urls: urls(2), video_urls: [], audio_urls: [], link_url: ' ' })).toEqual([
        'first_frame',
        'last_frame',
      ]);
    });

    it('and generation_type without them is ignored, with a warning', () => {
      expect(warnings({ generation_type: 'frame' })).toEqual([
        'generation_type was ignored: it only goes with image_urls',
      ]);
      expect(input({ generation_type: 'frame' })).toEqual(input());
    });
  });

  it.each([
    ['first', 'first_frame'],
    ['START', 'first_frame'],
    [' head ', 'first_frame'],
    ['First_Frame', 'first_frame'],
  ])('the role %j is %s', (alias, role) => {
    expect(inputsOf(roles(alias))).toEqual([role]);
  });

  it('the roles last, end, tail are last_frame; reference, ref are reference_image; others are 400', () => {
    for (const alias of ['last', 'end', 'Tail', 'last_frame']) {
      expect(inputsOf(roles('first', alias))).toEqual(['first_frame', 'last_frame']);
    }
    for (const alias of ['reference', 'REF', 'reference_image'])
      expect(inputsOf(roles(alias))).toEqual(['reference_image']);
    expect(refused(roles('first', 'middle')).message).toBe(
      'image_with_roles[1].role must be one of first_frame, last_frame, reference_image',
    );
    expect(refused({ image_with_roles: [{ url: IMAGE }] }).message).toBe('image_with_roles[0].role is required');
  });

  describe('media families are not mixed', () => {
    const references = [roles('ref'), { video_urls: [VIDEO] }, { audio_urls: [AUDIO] }, { audio_url: AUDIO }];

    it.each([...references, { file_url: FILE }, { link_url: PAGE }])('a frame with %j is 400', (reference) => {
      const frame = { image_urls: [IMAGE], generation_type: 'frame' };
      expect(refused({ ...frame, ...reference })).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('cannot be combined with image_urls[0] (first_frame)'),
      });
    });

    it('nor within image_with_roles', () => {
      expect(refused(roles('first', 'ref')).message).toBe(
        'image_with_roles[1].url (reference_image) cannot be combined with image_with_roles[0].url (first_frame)',
      );
    });

    it('members of one family go together', () => {
      expect(inputsOf({ image_urls: [IMAGE], ...roles('last') })).toEqual(['first_frame', 'last_frame']);
      const all = { image_urls: [IMAGE], ...roles('ref'), video_urls: [VIDEO], audio_urls: [AUDIO], file_url: FILE };
      expect(inputsOf(all)).toEqual([
        'reference_image',
        'reference_image',
        'reference_video',
        'reference_audio',
        'document',
      ]);
    });
  });

  it('file_url cannot be combined with link_url', () => {
    expect(refused({ file_url: FILE, link_url: PAGE })).toMatchObject({
      code: 'invalid_request',
      message: 'link_url cannot be combined with file_url',
    });
    expect(inputsOf({ file_url: FILE })).toEqual(['document']);
    expect(inputsOf({ link_url: PAGE })).toEqual(['web_page']);
  });

  it('first and last frame at most 1 each, and no last frame without a first', () => {
    expect(refused({ image_urls: urls(3) }).param).toBe('image_urls[2]');
    expect(refused(roles('first', 'start')).param).toBe('image_with_roles[1].url');
    expect(refused({ image_urls: urls(2), ...roles('last') }).param).toBe('image_with_roles[0].url');
    expect(refused(roles('last')).message).toContain('requires a first frame');
  });

  it('reference images at most 10, over both fields', () => {
    expect(inputsOf({ image_urls: urls(10), generation_type: 'reference' })).toHaveLength(10);
    const both = (bareCount: number) => ({
      image_urls: urls(bareCount),
      generation_type: 'reference',
      ...roles('ref', 'ref'),
    });
    expect(inputsOf(both(8))).toHaveLength(10);
    expect(refused(both(9)).message).toContain('at most 10');
  });

  it('audio_url counts among the five audio_urls', () => {
    expect(inputsOf({ audio_urls: urls(4, 'mp3'), audio_url: AUDIO })).toHaveLength(5);
    expect(refused({ audio_urls: urls(5, 'mp3'), audio_url: AUDIO }).message).toContain('at most 5');
  });

  it('files are named by addresses, data URLs or ids, pages by addresses alone', () => {
    for (const body of [
      { link_url: 'data:text/html;base64,AAAA' },
      { link_url: FILE_ID },
      { file_url: 'ftp://a.example' },
    ]) {
      expect(refused(body).message).toContain('must be an http or https URL');
    }
    for (const url of ['data:application/pdf;base64,AAAA', FILE_ID]) {
      expect(media({ file_url: url })).toMatchObject([{ field: 'file_url', role: 'document', url }]);
    }
    expect(refused({ image_urls: [IMAGE, ''] }).param).toBe('image_urls[1]');
  });

  describe('all files together', () => {
    const clips = (...lengths: number[]) =>
      lengths.map((length, index) => loaded(`video_urls[${index}]`, 'video', length));
    const sounds = (...lengths: number[]) =>
      lengths.map((length, index) => loaded(`audio_urls[${index}]`, 'audio', length));

    it('clips of a kind last at most 15 s', () => {
      expect(checked({}, [...clips(5.1, 4.9, 5), ...sounds(15)])).toBeUndefined();
      expect(checked({}, clips(8, 7.2))).toEqual({
        param: 'video_urls[0]',
        message: 'video_urls[0], video_urls[1]: together they last 15.2 s; at most 15 s are accepted.',
      });
      expect(checked({}, [...clips(1), ...sounds(9, 9)])).toMatchObject({
        param: 'audio_urls[0]',
        message: expect.stringContaining('18 s'),
      });
    });

    it('input videos and the output last at most 30 s', () => {
      expect(checked({ duration: 15 }, clips(15.04))).toBeUndefined();
      expect(checked({ duration: 30 }, sounds(15))).toBeUndefined();
      expect(checked({ duration: 16 }, clips(10, 4.5))).toEqual({
        param: 'video_urls',
        message: 'video_urls: they last 14.5 s and the output 16 s; together at most 30 s are accepted.',
      });
      expect(checked({ duration: -1 }, clips(15))).toBeUndefined();
    });
  });
});

describe('what it costs', () => {
  const { reserved, settled } = modelUnderTest('videoa-3.0-video', { prompt: 'A boat' });
  const UNIT = 1_000_000_000n;

  it('billable seconds are the requested duration, whatever came out', () => {
    for (const usage of [{}, { seconds: 3 }, { seconds: 12 }])
      expect(settled({ duration: 10 }, usage)).toBe(12n * UNIT);
  });

  it('-1 reserves 30 seconds and settles actual seconds, never more than reserved', () => {
    expect(reserved({ duration: -1 })).toBe(36n * UNIT);
    expect(settled({ duration: -1 }, { seconds: 8 })).toBe(9_600_000_000n);
    expect(settled({ duration: -1 }, { seconds: 7.5 })).toBe(9n * UNIT);
    expect(settled({ duration: -1 }, { seconds: 31 })).toBe(36n * UNIT);
    expect(settled({ duration: -1 }, {})).toBe(36n * UNIT);
  });

  it('audio does not change the price', () => {
    expect(reserved({ audio: false })).toBe(reserved({ audio: true }));
  });
});
