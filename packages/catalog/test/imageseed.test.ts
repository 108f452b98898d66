import type { JsonObject } from '@mediagate/contracts';
import { type CatalogueEntry, createPriceBook, loadCatalogue } from '../src';
import { accept, refuse } from './parsing';

const catalogue = loadCatalogue();
const imageseed = catalogue.find('imageseed-4.0') as CatalogueEntry;
const rates = createPriceBook().listOf(imageseed);
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}.png`);
const input = (body: JsonObject) => accept(imageseed, { prompt: 'A poster', ...body }).input;
const refused = (body: JsonObject) => refuse(imageseed, { prompt: 'A poster', ...body });
const requested = (body: JsonObject) => imageseed.request(input(body), []);

it.each([
  ['1:1', '1024x1024', '2048x2048', '4096x4096'],
  ['4:3', '1360x1024', '2304x1728', '4096x3072'],
  ['3:4', '1024x1360', '1728x2304', '3072x4096'],
  ['16:9', '1824x1024', '2560x1440', '4096x2304'],
  ['9:16', '1024x1824', '1440x2560', '2304x4096'],
  ['3:2', '1536x1024', '2496x1664', '4096x2736'],
  ['2:3', '1024x1536', '1664x2496', '2736x4096'],
  ['21:9', '2384x1024', '3024x1296', '4096x1760'],
])('size %s is %s, %s and %s', (size, ...cells) => {
  for (const [index, resolution] of ['1K', '2K', '4K'].entries()) {
    const [width, height] = (cells[index] ?? '').split('x').map(Number);
    expect(requested({ size, resolution })).toMatchObject({ size: { width, height }, aspectRatio: size });
  }
});

it('no size leaves the proportions to the model, at the resolution', () => {
  expect(requested({})).toEqual({ prompt: 'A poster', n: 1, watermark: false, size: { preset: '2K' } });
  expect(requested({ resolution: '4k' })).toMatchObject({ size: { preset: '4K' } });
});

it('inputs + n <= 15', () => {
  expect(input({ n: 5, image_urls: urls(10) })).toMatchObject({ n: 5 });
  expect(refused({ n: 6, image_urls: urls(10) })).toMatchObject({
    param: 'n',
    message: 'n plus the number of image_urls must be at most 15',
  });
});

it('is priced per image, on the images made', () => {
  expect(imageseed.reserve(input({ n: 4, resolution: '4K' }), rates)).toBe(120_000_000n);
  expect(imageseed.settle(input({ n: 4 }), { images: 3, outputTokens: 12_288 }, rates)).toBe(90_000_000n);
});

describe('imageseed-5.0', () => {
  const newer = catalogue.find('imageseed-5.0') as CatalogueEntry;
  const asked = (body: JsonObject) => newer.request(accept(newer, { prompt: 'A poster', ...body }).input, []);

  it.each([
    ['1:1', '2048x2048', '3072x3072'],
    ['4:3', '2304x1728', '3456x2592'],
    ['16:9', '2848x1600', '4096x2304'],
    ['9:16', '1600x2848', '2304x4096'],
    ['3:2', '2496x1664', '3744x2496'],
    ['21:9', '3136x1344', '4704x2016'],
  ])('size %s is %s and %s', (size, ...cells) => {
    for (const [index, resolution] of ['2K', '3K'].entries()) {
      const [width, height] = (cells[index] ?? '').split('x').map(Number);
      expect(asked({ size, resolution })).toMatchObject({ size: { width, height }, aspectRatio: size });
    }
  });

  it('makes one image of 14', () => {
    expect(asked({ image_urls: urls(14) })).toMatchObject({ size: { preset: '2K' } });
    expect(refuse(newer, { prompt: 'p', image_urls: urls(14), n: 2 }).param).toBe('n');
  });
});
