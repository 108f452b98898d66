import type { JsonObject } from '@mediagate/contracts';
import { type CatalogueEntry, createPriceBook, loadCatalogue } from '../src';
import { loaded, modelUnderTest, urls } from './model-under-test';

const IMAGE = 'https://example.com/0.png';
const VIDEO = 'https://example.com/0.mp4';
const VOICE = 'https://example.com/0.mp3';

const mid = (tag: string, time_stamp?: number) => ({
  tag,
  image_url: IMAGE,
  ...(time_stamp === undefined ? {} : { time_stamp }),
});
const subject = (tag: string, image_urls: string[] = [IMAGE], type = 'image') => ({ tag, type, image_urls });
const video = (type: string, tag = '@v') => ({ ref_videos: [{ tag, type, video_url: VIDEO }] });

describe.each(['videoc-v4-fast', 'videoc-v4-std'])('%s', (id) => {
  const prompt = 'With @a, @b, @c and @v';
  const { input, warnings, refused, requested } = modelUnderTest(id, { prompt });
  const inputsOf = (body: JsonObject) => (requested(body) as { inputs: JsonObject[] }).inputs;

  it('prompt: max 1280 tokens (UTF-8 bytes / 4, rounded up)', () => {
    expect(input({ prompt: 'x'.repeat(5120) })).toMatchObject({ prompt: 'x'.repeat(5120) });
    expect(input({ prompt: '🌊'.repeat(1280) })).toMatchObject({ prompt: '🌊'.repeat(1280) });
    for (const long of ['x'.repeat(5121), `${'🌊'.repeat(1280)}x`]) {
      expect(refused({ prompt: long })).toMatchObject({
        param: 'prompt',
        message: expect.stringContaining('at most 1280 tokens; it has 1281'),
      });
    }
  });

  describe('modes', () => {
    const frames: JsonObject[] = [
      { first_frame_image: IMAGE },
      { end_frame_image: IMAGE },
      { mid_frame_images: [mid('@a')] },
    ];
    const references: JsonObject[] = [{ ref_images: [subject('@b')] }, video('reference'), video('extend')];

    it('only prompt and general fields: text-to-video', () => {
      expect(inputsOf({ mid_frame_images: [], ref_images: [], ref_videos: [] })).toEqual([]);
    });

    it.each(frames.flatMap((frame) => references.map((reference) => [frame, reference])))(
      'image-to-video and Omni fields together are 422: %j and %j',
      (frame, reference) => {
        expect(refused({ ...frame, ...reference })).toMatchObject({ ok: false, code: 'conflicting_parameters' });
      },
    );

    it('any frame alone makes image-to-video, with the frames in their order', () => {
      for (const frame of frames) expect(inputsOf(frame)).toHaveLength(1);
      const all = { first_frame_image: IMAGE, end_frame_image: IMAGE, mid_frame_images: [mid('@a', 2), mid('@b')] };
      expect(inputsOf(all)).toEqual([
        { role: 'first_frame', url: IMAGE },
        { role: 'mid_frame', url: IMAGE, tag: '@a', atSeconds: 2 },
        { role: 'mid_frame', url: IMAGE, tag: '@b' },
        { role: 'last_frame', url: IMAGE },
      ]);
    });

    it('aspect_ratio is ignored in image-to-video and with ref_videos, and kept with ref_images alone', () => {
      for (const body of [...frames, video('reference'), video('extend')]) {
        expect(requested({ ...body, aspect_ratio: '1:1' })).not.toHaveProperty('aspectRatio');
        expect(warnings({ ...body, aspect_ratio: '1:1' })).toEqual([
          expect.stringContaining('aspect_ratio was ignored'),
        ]);
        expect(warnings(body)).toEqual([]);
      }
      expect(requested({ ref_images: [subject('@a')], aspect_ratio: '1:1' })).toMatchObject({ aspectRatio: '1:1' });
    });
  });

  describe('tags', () => {
    it.each([
      ['mid_frame_images', { mid_frame_images: [mid('@missing')] }],
      ['ref_images', { ref_images: [subject('@missing')] }],
      ['ref_videos', video('extend', '@missing')],
    ])('of %s must appear in the prompt', (field, body) => {
      expect(refused(body)).toMatchObject({
        code: 'invalid_request',
        param: `${field}[0].tag`,
        message: `prompt must contain the tag of ${field}[0].tag`,
      });
    });

    it('begin with @, have no blanks, and are declared once', () => {
      for (const tag of ['a', '@', '@a b']) {
        expect(refused({ ref_images: [subject(tag)], prompt: tag }).message).toContain('must begin with @');
      }
      expect(refused({ ref_images: [subject('@a'), subject('@a')] }).param).toBe('ref_images[1].tag');
      expect(refused({ ref_images: [{ ...subject('@a'), tag: ' ' }] }).message).toBe('ref_images[0].tag is required');
    });
  });

  describe('mid_frame_images', () => {
    it('up to 6 of {tag, image_url, time_stamp}', () => {
      const tags = ['@1', '@2', '@3', '@4', '@5', '@6'];
      const frames = { mid_frame_images: tags.map((tag) => mid(tag)), prompt: tags.join(' ') };
      expect(inputsOf(frames)).toHaveLength(6);
    });

    it('are seen after the beginning and before the end', () => {
      for (const at of [0.25, 1, 2.5, 4])
        expect(inputsOf({ mid_frame_images: [mid('@a', at)] })).toMatchObject([{ atSeconds: at }]);
      for (const at of [0, 5, -1]) {
        expect(refused({ mid_frame_images: [mid('@b'), mid('@a', at)] }).message).toBe(
          'mid_frame_images[1].time_stamp must be above 0 and below duration (5)',
        );
      }
      expect(inputsOf({ mid_frame_images: [mid('@a', 5)], duration: 6 })).toHaveLength(1);
    });
  });

  describe('ref_images', () => {
    it('type image: up to 3 items of 1 to 5 addresses; a voice of its own each', () => {
      const voiced = { ...subject('@a', urls(5)), audio_url: VOICE };
      expect(requested({ ref_images: [voiced, subject('@b'), subject('@c')] })).toMatchObject({
        subjects: [
          { tag: '@a', layout: 'single', imageUrls: urls(5), voiceUrl: VOICE },
          { tag: '@b', layout: 'single', imageUrls: [IMAGE] },
          { tag: '@c', layout: 'single', imageUrls: [IMAGE] },
        ],
      });
    });

    it('type grid: one item, one address', () => {
      expect(requested({ ref_images: [subject('@a', [IMAGE], 'GRID')] })).toMatchObject({
        subjects: [{ layout: 'grid' }],
      });
      expect(refused({ ref_images: [subject('@a', [IMAGE], 'grid'), subject('@b', [IMAGE], 'grid')] }).param).toBe(
        'ref_images',
      );
      expect(refused({ ref_images: [subject('@a', urls(2), 'grid')] }).param).toBe('ref_images[0].image_urls');
    });

    it('all of one type', () => {
      expect(refused({ ref_images: [subject('@a'), subject('@b', [IMAGE], 'grid')] })).toMatchObject({
        code: 'invalid_request',
        param: 'ref_images[1].type',
      });
    });
  });

  describe('ref_videos', () => {
    it('are of type reference or extend', () => {
      expect(inputsOf(video('reference'))).toEqual([{ role: 'reference_video', url: VIDEO, tag: '@v' }]);
      expect(inputsOf(video('Extend'))).toEqual([{ role: 'continued_video', url: VIDEO, tag: '@v' }]);
    });

    it('extend excludes ref_images; reference excludes a grid alone', () => {
      const single = { ref_images: [subject('@a')] };
      const grid = { ref_images: [subject('@a', [IMAGE], 'grid')] };
      for (const body of [
        { ...video('extend'), ...single },
        { ...video('reference'), ...grid },
      ]) {
        expect(refused(body)).toMatchObject({ code: 'conflicting_parameters', param: 'ref_images' });
      }
      expect(requested({ ...video('reference'), ...single })).toMatchObject({ subjects: [{ tag: '@a' }] });
    });

    it('reference: the result is as long as the video, and duration gets a warning', () => {
      const warning = 'duration was ignored: the video is as long as the one in ref_videos';
      expect(warnings({ ...video('reference'), duration: 12 })).toEqual([warning]);
      expect(warnings(video('reference'))).toEqual([]);
      const lengthFor = (seconds: number) =>
        requested(video('reference'), [loaded('ref_videos[0].video_url', 'video', seconds)])['seconds'];
      expect([7, 7.4, 10, 10.04, 2].map(lengthFor)).toEqual([7, 7, 10, 10, 3]);
    });

    it('extend: duration says how long the result is', () => {
      expect(warnings({ ...video('extend'), duration: 12 })).toEqual([]);
      const clip = [loaded('ref_videos[0].video_url', 'video', 7)];
      expect(requested({ ...video('extend'), duration: 12 }, clip)).toMatchObject({ seconds: 12 });
    });
  });

  it('names unknown fields within items in warnings, and reads null and blank ones as missing', () => {
    const body = { ref_images: [{ ...subject('@a'), style: 'ink', audio_url: null }] };
    expect(warnings(body)).toEqual(['ref_images[0].style was ignored: the model has no such field']);
    expect(input(body)).toEqual(input({ ref_images: [{ ...subject('@a'), audio_url: ' ' }] }));
  });
});

describe('what it costs', () => {
  const [fast, std] = ['videoc-v4-fast', 'videoc-v4-std'].map((id) => modelUnderTest(id, { prompt: '@v' })) as [
    ReturnType<typeof modelUnderTest>,
    ReturnType<typeof modelUnderTest>,
  ];

  it('std costs 25 to 30 percent above fast, whatever is asked', () => {
    for (const resolution of ['480p', '720p', '1080p']) {
      for (const body of [{}, { duration: 15 }, video('reference'), video('extend')]) {
        const percent = (std.reserved({ ...body, resolution }) * 100n) / fast.reserved({ ...body, resolution });
        expect(Number(percent)).toBeGreaterThanOrEqual(125);
        expect(Number(percent)).toBeLessThanOrEqual(130);
      }
    }
  });

  it.each([fast, std])('rises with resolution, and with ref_videos 1.5 to 2 times', ({ reserved }) => {
    const [low, mid, high] = ['480p', '720p', '1080p'].map((resolution) => reserved({ resolution })) as [
      bigint,
      bigint,
      bigint,
    ];
    expect(low < mid && mid < high).toBe(true);
    const factor = Number(reserved({ ...video('extend'), duration: 8 })) / Number(reserved({ duration: 8 }));
    expect(factor).toBeGreaterThanOrEqual(1.5);
    expect(factor).toBeLessThanOrEqual(2);
  });

  it('a reference of unknown length reserves 10 s and settles what came out', () => {
    const ten = fast.reserved({ ...video('extend'), duration: 10 });
    expect(fast.reserved(video('reference'))).toBe(ten);
    expect(fast.settled(video('reference'), { seconds: 4 })).toBe((ten * 4n) / 10n);
    expect(fast.settled(video('reference'), { seconds: 11 })).toBe(ten);
    expect(fast.settled(video('reference'), {})).toBe(ten);
  });

  it('the factor is an entry of the price list, exact to the nano-unit', () => {
    const catalogue = loadCatalogue();
    const units = new Map([
      ['per_second.1080p', 1n],
      ['ref_videos_factor', 1_500_000_000n],
    ]);
    const rates = createPriceBook(new Map([['videoc-v4-fast', { units }]])).listOf(
      catalogue.find('videoc-v4-fast') as CatalogueEntry,
    );
    expect(fast.reserved({ duration: 5 }, rates)).toBe(5n);
    expect(fast.reserved({ ...video('extend'), duration: 5 }, rates)).toBe(8n);
  });
});
