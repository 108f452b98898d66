import type { JsonObject } from '@mediagate/contracts';
import { type CatalogueEntry, loadCatalogue } from '../src';
import { accept, refuse, warningsOf } from './parsing';

const catalogue = loadCatalogue();
const imagefast = catalogue.find('imagefast-2.5-flash-image-preview') as CatalogueEntry;
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}.png`);
const input = (body: JsonObject) => accept(imagefast, { prompt: 'A market stall', ...body }).input;
const refused = (body: JsonObject) => refuse(imagefast, { prompt: 'A market stall', ...body });

it('has the compatible alias imagefast-ext, in any letter case', () => {
  expect(catalogue.find('imagefast-ext')).toBe(imagefast);
  expect(catalogue.find('Imagefast-EXT')).toBe(imagefast);
});

it('prompt is required', () => {
  expect(refuse(imagefast, { prompt: ' ' }).message).toBe('prompt is required');
});

it('size: auto (default), 1:1, 2:3, 3:2, 3:4, 4:3, 4:5, 5:4, 9:16, 16:9, 21:9', () => {
  for (const size of ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']) {
    expect(imagefast.request(input({ size }), [])).toEqual({
      prompt: 'A market stall',
      n: 1,
      size: 'auto',
      aspectRatio: size,
    });
  }
  expect(imagefast.request(input({}), [])).toEqual({ prompt: 'A market stall', n: 1, size: 'auto' });
  expect(input({ size: 'Auto' })).toEqual(input({}));
  for (const size of ['2:1', '1024x1024', '1k']) expect(refused({ size }).param).toBe('size');
});

it('n: 1 to 4, a number', () => {
  expect(input({ n: 4 })).toMatchObject({ n: 4 });
  expect(refused({ n: 5 }).message).toBe('n must be from 1 to 4');
  expect(refused({ n: '2' }).message).toBe('n must be an integer');
});

it('image_urls up to 3', () => {
  expect(imagefast.media(input({ image_urls: urls(3) }))).toHaveLength(3);
  expect(refused({ image_urls: urls(4) }).message).toBe('image_urls must have at most 3 items');
});

it('fields of other models are ignored and named in warnings', () => {
  const body = { prompt: 'A market stall', resolution: '2k', quality: 'max' };
  expect(warningsOf(imagefast, body)).toEqual([
    'resolution was ignored: the model has no such field',
    'quality was ignored: the model has no such field',
  ]);
});

it('1290 output tokens an image, whatever its proportions', () => {
  const rates = { image_output: 1_000_000n, image_input: 0n, text_input: 0n };
  for (const size of ['auto', '21:9']) expect(imagefast.reserve(input({ size, n: 3 }), rates)).toBe(3n * 1290n);
});

it('links are valid 24 h', () => {
  for (const entry of catalogue.entries) expect(entry.resultLifetimeMs).toBe(86_400_000);
});

describe('imagefast-3.1', () => {
  const newer = catalogue.find('imagefast-3.1') as CatalogueEntry;
  const asked = (body: JsonObject) => accept(newer, { prompt: 'A market stall', ...body }).input;
  const rates = { image_output: 1_000_000n, image_input: 0n, text_input: 0n };

  it('has four resolutions, 1K by default, and banners, and takes 14 images', () => {
    expect(newer.request(asked({}), [])).toEqual({ prompt: 'A market stall', n: 1, size: { preset: '1K' } });
    expect(newer.request(asked({ resolution: '512', size: '8:1' }), [])).toMatchObject({
      size: { preset: '512' },
      aspectRatio: '8:1',
    });
    expect(newer.media(asked({ image_urls: urls(14) }))).toHaveLength(14);
    expect(refuse(newer, { prompt: 'p', resolution: '3K' }).param).toBe('resolution');
  });

  it.each([
    ['512', 747n],
    ['1K', 1120n],
    ['2K', 1680n],
    ['4K', 2520n],
  ])(
    '%s reserves %s output tokens an image, and what the model thinks beside them is not settled',
    (resolution, tokens) => {
      const input = asked({ resolution, n: 2 });
      const price = { ...rates, cached_image_input: 0n, cached_text_input: 0n };
      expect(newer.reserve(input, price)).toBe(2n * tokens);
      const usage = { images: 2, outputTokens: Number(2n * tokens) + 900 };
      expect(newer.settle(input, usage, price)).toBe(2n * tokens);
      expect(newer.settle(input, { images: 1, outputTokens: Number(tokens) }, price)).toBe(tokens);
      expect(newer.settle(input, { images: 1 }, price)).toBe(tokens);
    },
  );
});
