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

it('prompt is required', () => {
  expect(refuse(imageseed, {}).message).toBe('prompt is required');
});

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

it('a size outside the list is 400', () => {
  for (const size of ['auto', '2:1', '9:21', '2048x2048']) expect(refused({ size }).param).toBe('size');
});

it('resolution 1K/2K/4K (default 2K, case-insensitive)', () => {
  expect(input({ resolution: '1k' })).toMatchObject({ resolution: '1K' });
  expect(input({})).toMatchObject({ resolution: '2K' });
  expect(refused({ resolution: '8K' }).message).toBe('resolution must be one of 1K, 2K, 4K');
});

it('n 1-15 and inputs + n <= 15', () => {
  expect(input({ n: 15 })).toMatchObject({ n: 15 });
  expect(refused({ n: 16 }).message).toBe('n must be from 1 to 15');
  expect(input({ n: 5, image_urls: urls(10) })).toMatchObject({ n: 5 });
  expect(refused({ n: 6, image_urls: urls(10) })).toMatchObject({
    param: 'n',
    message: 'n plus the number of image_urls must be at most 15',
  });
});

it('image_urls up to 10', () => {
  expect(imageseed.media(input({ image_urls: urls(10) }))).toHaveLength(10);
  expect(refused({ image_urls: urls(11) }).message).toBe('image_urls must have at most 10 items');
});

it('watermark is a boolean, false unless asked for', () => {
  expect(requested({ watermark: true })).toMatchObject({ watermark: true });
  expect(refused({ watermark: 'true' }).message).toBe('watermark must be a boolean');
});

it('language on it is 400 "parameter is not supported"', () => {
  expect(refused({ language: 'en' })).toMatchObject({
    ok: false,
    code: 'invalid_request',
    reason: 'unsupported_parameter',
    param: 'language',
    message: 'language: parameter is not supported',
  });
  expect(input({ language: ' ' })).toEqual(input({}));
  expect(imageseed.schema['properties']).not.toHaveProperty('language');
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

  it('has no 1K and no 4K, and takes 14 images', () => {
    for (const resolution of ['1K', '4K']) expect(refuse(newer, { prompt: 'p', resolution }).param).toBe('resolution');
    expect(asked({ image_urls: urls(14) })).toMatchObject({ size: { preset: '2K' } });
    expect(refuse(newer, { prompt: 'p', image_urls: urls(15) }).param).toMatch(/^image_urls/);
    expect(refuse(newer, { prompt: 'p', image_urls: urls(14), n: 2 }).param).toBe('n');
  });
});
