import type { JsonObject, KnownMedia, LoadedMedia } from '@mediagate/contracts';
import { type CatalogueEntry, createPriceBook, loadCatalogue } from '../src';
import { accept, refuse, warningsOf } from './parsing';

const catalogue = loadCatalogue();
const [flare, sunburst, previous] = ['imagegen-2.5-flare', 'imagegen-2.5-sunburst', 'imagegen-2'].map((id) => {
  const entry = catalogue.find(id);
  if (!entry) throw new Error(`${id} is not in the catalogue`);
  return entry;
}) as [CatalogueEntry, CatalogueEntry, CatalogueEntry];

const IMAGE = 'https://example.com/a.png';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const MASK_LIMIT = 4 * 1024 * 1024;

const input = (body: JsonObject, entry = flare) => accept(entry, { prompt: 'A lighthouse', ...body }).input;
const warnings = (body: JsonObject) => warningsOf(flare, { prompt: 'A lighthouse', ...body });
const refused = (body: JsonObject, entry = flare) => refuse(entry, { prompt: 'A lighthouse', ...body });
const requested = (body: JsonObject, media: readonly LoadedMedia[] = []) => flare.request(input(body), media);
const image = (width: number, height: number): LoadedMedia => {
  return { field: 'image_urls[0]', role: 'image', contentType: 'image/png', bytes: PNG, width, height };
};

const ONE_A_TOKEN = 1_000_000n;
const FREE = { image_output: 0n, image_input: 0n, cached_image_input: 0n, text_input: 0n, cached_text_input: 0n };
const reservedTokens = (unit: keyof typeof FREE, body: JsonObject, entry = flare) =>
  Number(entry.reserve(input(body, entry), { ...FREE, [unit]: ONE_A_TOKEN }));

describe.each([flare, sunburst, previous])('the body of $id', (entry) => {
  it('takes choices in any letter case and blank ones as missing', () => {
    expect(
      input({ size: '16:9', resolution: ' 2K ', quality: 'HIGH', output_format: 'JPEG', moderation: 'Auto' }, entry),
    ).toMatchObject({ resolution: '2k', quality: 'high', output_format: 'jpeg', moderation: 'auto' });
    expect(input({ size: '1024X1024' }, entry)).toMatchObject({ size: '1024x1024' });
    expect(input({ size: 'AUTO' }, entry)).toMatchObject({ size: 'auto' });
    expect(input({ quality: ' ', size: '' }, entry)).toEqual(input({}, entry));
  });

  it('moderation: auto or low; the service sends low when omitted, an explicit auto passes through', () => {
    expect(entry.request(input({ moderation: 'auto' }, entry), [])).toMatchObject({ moderation: 'auto' });
    expect(refused({ moderation: 'high' }, entry).message).toBe('moderation must be one of low, auto');
  });
});

describe('size', () => {
  const TABLE = `
    1:1 1024x1024 2048x2048 2880x2880
    3:2 1536x1024 2048x1360 3520x2336
    2:3 1024x1536 1360x2048 2336x3520
    4:3 1024x768 2048x1536 3312x2480
    3:4 768x1024 1536x2048 2480x3312
    5:4 1280x1024 2560x2048 3216x2576
    4:5 1024x1280 2048x2560 2576x3216
    16:9 1536x864 2048x1152 3840x2160
    9:16 864x1536 1152x2048 2160x3840
    2:1 2048x1024 2688x1344 3840x1920
    1:2 1024x2048 1344x2688 1920x3840
    21:9 2016x864 2688x1152 3840x1648
    9:21 864x2016 1152x2688 1648x3840
    3:1 1536x512 3072x1024 3840x1280
    1:3 512x1536 1024x3072 1280x3840`;
  const rows = TABLE.trim()
    .split('\n')
    .map((row) => row.trim().split(' ') as [string, string, string, string]);

  it.each(rows)('%s maps to %s, %s and %s', (ratio, ...cells) => {
    for (const [index, resolution] of ['1k', '2k', '4k'].entries()) {
      const [width, height] = (cells[index] ?? '').split('x').map(Number);
      expect(requested({ size: ratio, resolution })).toMatchObject({ size: { width, height }, aspectRatio: ratio });
      // Every size of the table can also be asked for exactly.
      expect(requested({ size: cells[index] ?? '' })).toMatchObject({ size: { width, height } });
    }
    expect(requested({ size: ratio })).toEqual(requested({ size: ratio, resolution: '1k' }));
  });

  it.each(['7:5', '32:18', '1024', 'x', '1024x', '1024 x 1024', '1024x1024x1', '-1024x1024', '1e3x1024', 'toString'])(
    '%s, which is neither auto nor a ratio of the table nor exact, is 400',
    (size) => {
      expect(refused({ size })).toMatchObject({
        param: 'size',
        message: expect.stringMatching(
          /^size (must be auto, one of 1:1, 3:2, .*, or <width>x<height>|must have at most)/,
        ),
      });
    },
  );

  it.each([
    ['1024x1025', 'multiples of 16'],
    ['1000x1024', 'multiples of 16'],
    ['0x0', 'multiples of 16'],
    ['3856x2048', 'no side longer than 3840'],
    ['2048x3856', 'no side longer than 3840'],
    ['1024x336', 'not be longer than 3:1'],
    ['336x1024', 'not be longer than 3:1'],
    ['800x800', 'from 655360 to 8294400 pixels'],
    ['3840x2176', 'from 655360 to 8294400 pixels'],
  ])('%s breaks a constraint of exact sizes: %s', (size, reason) => {
    expect(refused({ size })).toMatchObject({ param: 'size', message: expect.stringContaining(reason) });
  });

  it.each(['1024x640', '640x1024', '3840x1280', '1280x3840', '3840x2160', '2880x2880'])(
    '%s stands exactly on a limit and is taken',
    (size) => {
      expect(input({ size })).toMatchObject({ size });
    },
  );

  it('resolution is used only with an aspect-ratio size, ignored for exact dimensions, and an unknown one is 400', () => {
    const ignored = 'resolution was ignored: it only goes with a size that is an aspect ratio';
    for (const body of [{ size: '1024x1024' }, { size: 'auto' }, {}]) {
      expect(warnings({ ...body, resolution: '4k' })).toEqual([ignored]);
      expect(input({ ...body, resolution: '4k' })).toEqual(input(body));
    }
    expect(warnings({ size: '1:1', resolution: '4k' })).toEqual([]);
    expect(warnings({ image_urls: [IMAGE], resolution: '4k' })).toEqual([]);
    expect(refused({ size: '1:1', resolution: '8k' }).message).toBe('resolution must be one of 1k, 2k, 4k');
  });

  it('for image-to-image, omitting size makes the service derive dimensions from the input aspect ratio and resolution', () => {
    const body = { image_urls: [IMAGE], resolution: '2k' };
    expect(requested(body, [image(1600, 900)])).toMatchObject({
      size: { width: 2048, height: 1152 },
      aspectRatio: '16:9',
    });
    expect(requested(body, [image(1000, 1010)])).toMatchObject({ size: { width: 2048, height: 2048 } });
    expect(requested(body, [image(10, 4000)])).toMatchObject({ aspectRatio: '1:3' });
    expect(requested(body, [image(800, 1200), image(1600, 900)])).toMatchObject({ aspectRatio: '2:3' });
    expect(requested({ image_urls: [IMAGE] }, [image(1, 1)])).toMatchObject({ size: { width: 1024, height: 1024 } });
  });

  it('an explicit auto stays the choice of the model, also with images', () => {
    expect(requested({ image_urls: [IMAGE], size: 'auto' }, [image(1600, 900)])).toMatchObject({ size: 'auto' });
  });
});

describe('output', () => {
  it('output_compression: 0 to 100; only for jpeg and webp', () => {
    for (const output_format of ['jpeg', 'webp']) {
      for (const output_compression of [0, 100]) {
        expect(requested({ output_format, output_compression })).toMatchObject({
          outputCompression: output_compression,
        });
      }
    }
    for (const body of [{}, { output_format: 'png' }]) {
      expect(refused({ ...body, output_compression: 50 }).message).toBe(
        'output_compression requires output_format jpeg or webp',
      );
    }
    for (const output_compression of [-1, 101]) {
      expect(refused({ output_format: 'webp', output_compression }).message).toBe(
        'output_compression must be from 0 to 100',
      );
    }
  });

  it('background transparent requires output_format png or webp', () => {
    expect(refused({ background: 'transparent', output_format: 'jpeg' })).toMatchObject({
      param: 'background',
      message: 'background transparent requires output_format png or webp',
    });
    for (const body of [{}, { output_format: 'webp' }]) {
      expect(requested({ background: 'transparent', ...body })).toMatchObject({ background: 'transparent' });
    }
    for (const background of ['opaque', 'auto']) {
      expect(requested({ background, output_format: 'jpeg' })).toMatchObject({ background });
    }
    expect(requested({})).not.toHaveProperty('background');
  });
});

describe('image_urls', () => {
  it.each([
    '',
    'cat.png',
    'ftp://example.com/a.png',
    'file:///etc/passwd',
    'https://',
    `https://a/${'a'.repeat(8192)}`,
  ])('what is no URL is 400 and named by its place: %#', (url) => {
    expect(refused({ image_urls: [IMAGE, url] }).param).toBe('image_urls[1]');
  });
});

describe('mask_url', () => {
  it('is refused where it has another size than the first image, once both are known', () => {
    const sized = (role: 'image' | 'mask', width: number) => ({ field: role, role, width, height: 8 });
    const checked = (media: readonly KnownMedia[]) => flare.checkMedia(input({}), media)?.param;
    expect(checked([sized('image', 8), sized('image', 9), sized('mask', 9)])).toBe('mask');
    expect(checked([sized('image', 8), sized('image', 9), sized('mask', 8)])).toBeUndefined();
    expect(checked([{ field: 'image', role: 'image' }, sized('mask', 8)])).toBeUndefined();
    expect(checked([sized('image', 8)])).toBeUndefined();
  });

  const masked = (mask_url: string) => ({ image_urls: [IMAGE], mask_url });

  it('is only effective with image_urls, and then comes after the images', () => {
    const mask_url = 'https://example.com/mask.png';
    expect(flare.media(input(masked(mask_url)))).toEqual([
      expect.objectContaining({ field: 'image_urls[0]', role: 'image', url: IMAGE }),
      {
        field: 'mask_url',
        role: 'mask',
        url: mask_url,
        contentTypes: ['image/png'],
        maxBytes: MASK_LIMIT,
        limits: { alpha: 'required' },
      },
    ]);
    for (const body of [{ mask_url }, { mask_url, image_urls: [] }]) {
      expect(warnings(body)).toEqual(['mask_url was ignored: it has no effect without image_urls']);
      expect(input(body)).not.toHaveProperty('mask_url');
      expect(flare.media(input(body))).toEqual([]);
    }
  });
});

describe('price', () => {
  it('output tokens at 1024x1024: low 196; medium 439; high 1756; xhigh 3122; max 7024', () => {
    const tokens = { low: 196, medium: 439, high: 1756, xhigh: 3122, max: 7024 };
    for (const [quality, expected] of Object.entries(tokens)) {
      expect(reservedTokens('image_output', { quality, size: '1:1' })).toBe(expected);
    }
  });

  it("medium and high of imagegen-2 use about four times the 2.5 family's output tokens", () => {
    for (const [quality, expected] of Object.entries({ low: 196, medium: 1756, high: 7024, auto: 7024 })) {
      expect(reservedTokens('image_output', { quality, size: '1:1' }, previous)).toBe(expected);
    }
  });

  it('output tokens at other sizes scale with pixel count against 1024x1024, rounded up', () => {
    expect(reservedTokens('image_output', { quality: 'low', size: '4:3' })).toBe(147);
    expect(reservedTokens('image_output', { quality: 'medium', size: '1024x640' })).toBe(275);
    expect(reservedTokens('image_output', { quality: 'max', size: '16:9', resolution: '4k' })).toBe(55_561);
  });

  it('quality auto: funds reserved at the max level for the size', () => {
    for (const size of ['1:1', '21:9', '1024x640']) {
      expect(flare.reserve(input({ size }), flareRates)).toBe(
        flare.reserve(input({ size, quality: 'max' }), flareRates),
      );
    }
  });

  it('size auto reserves as 1536x1024', () => {
    for (const body of [{}, { size: 'auto' }, { size: 'auto', image_urls: [IMAGE] }]) {
      expect(reservedTokens('image_output', { ...body, quality: 'high' })).toBe(2634);
    }
  });

  it('a size that is yet to be derived reserves the largest it can come to', () => {
    for (const resolution of ['1k', '2k', '4k']) {
      const body = { image_urls: [IMAGE], resolution, quality: 'max' };
      const reserved = reservedTokens('image_output', body);
      for (let width = 100; width <= 3000; width += 100) {
        const { size } = requested(body, [image(width, 1000)]) as { size: { width: number; height: number } };
        const derived = reservedTokens('image_output', { quality: 'max', size: `${size.width}x${size.height}` });
        expect(derived).toBeLessThanOrEqual(reserved);
      }
    }
    expect(reservedTokens('image_output', { image_urls: [IMAGE], quality: 'max' })).toBe(14_048);
  });

  it('input is estimated: text by UTF-8 bytes / 4 rounded up, an image of unknown size as 2048x2048', () => {
    for (const [prompt, tokens] of Object.entries({ abcd: 1, abcde: 2, ééé: 2, 灯台: 2, '🌊🌊': 2 })) {
      expect(reservedTokens('text_input', { prompt })).toBe(tokens);
    }
    expect(reservedTokens('image_input', { image_urls: [IMAGE, IMAGE] })).toBe(2 * (85 + 170 * 16));
    expect(reservedTokens('image_input', {})).toBe(0);
  });

  it('the reservation of n images is n times that of one, input included', () => {
    const body = { image_urls: [IMAGE], size: '3:2', quality: 'xhigh' };
    const one = flare.reserve(input(body), flareRates);
    for (const n of [2, 3, 4]) expect(flare.reserve(input({ ...body, n }), flareRates)).toBe(BigInt(n) * one);
  });

  it('per 1M tokens: image output 30.00, image input 8.00, cached image input 2.00, text input 5.00, cached text input 1.25', () => {
    const usage = {
      inputTokens: 5_000_000,
      inputTextTokens: 2_000_000,
      inputImageTokens: 3_000_000,
      cachedTextTokens: 1_000_000,
      cachedImageTokens: 1_000_000,
      outputTokens: 1_000_000,
    };
    // 1 M text at 5.00, 1 M cached text at 1.25, 2 M image at 8.00, 1 M cached image at 2.00, 1 M output at 30.00.
    expect(flare.settle(input({ image_urls: [IMAGE] }), usage, flareRates)).toBe(54_250_000_000n);
  });

  it('settles on reported usage, whatever was reserved and however many images came', () => {
    const usage = { images: 1, inputTokens: 12, inputTextTokens: 12, inputImageTokens: 0, outputTokens: 196 };
    expect(flare.settle(input({ n: 4 }), usage, flareRates)).toBe(5_940_000n);
  });

  it('takes a report of no output tokens for no report: what was made costs what its quality takes, auto as medium', () => {
    for (const [quality, settledAs] of Object.entries({ low: 'low', max: 'max', auto: 'medium' })) {
      const settled = flare.reserve(input({ quality: settledAs }), flareRates);
      for (const usage of [{ images: 1 }, { images: 1, inputTokens: 9, outputTokens: 0 }]) {
        expect(flare.settle(input({ quality, n: 4 }), usage, flareRates)).toBe(settled);
      }
    }
    const medium = previous.reserve(input({ quality: 'medium' }, previous), flareRates);
    expect(previous.settle(input({}, previous), {}, flareRates)).toBe(medium);
  });

  it('takes a bare total of input tokens for text up to the estimate, and for images beyond it', () => {
    const usage = { inputTokens: 103, outputTokens: 1 };
    expect(flare.settle(input({}), usage, flareRates)).toBe(103n * 5000n + 30_000n);
    expect(flare.settle(input({ image_urls: [IMAGE] }), usage, flareRates)).toBe(3n * 5000n + 100n * 8000n + 30_000n);
    const four = input({ image_urls: [IMAGE], n: 4 });
    expect(flare.settle(four, usage, flareRates)).toBe(12n * 5000n + 91n * 8000n + 30_000n);
  });

  it('the worked example of docs/prices.md holds', () => {
    const body = { prompt: 'A lighthouse at dusk', size: '16:9', resolution: '2k', quality: 'auto' };
    expect(flare.reserve(input(body), flareRates)).toBe(474_145_000n);
    expect(flare.settle(input(body), { inputTokens: 5, outputTokens: 988 }, flareRates)).toBe(29_665_000n);
  });

  it('never lets more tokens be cached than there are', () => {
    const usage = {
      inputTextTokens: 10,
      cachedTextTokens: 50,
      inputImageTokens: 0,
      cachedImageTokens: 9,
      outputTokens: 1,
    };
    expect(flare.settle(input({}), usage, flareRates)).toBe(10n * 1250n + 30_000n);
  });

  it('rounds up once, to the nano-unit', () => {
    const odd = { ...FREE, image_output: 333n, text_input: 333n };
    expect(flare.settle(input({}), { inputTextTokens: 1, outputTokens: 1 }, odd)).toBe(1n);
    expect(flare.settle(input({}), { inputTextTokens: 1, outputTokens: 3003 }, odd)).toBe(2n);
  });
});

const flareRates = createPriceBook().listOf(catalogue.find('imagegen-2.5-flare') as CatalogueEntry);
