import type { JsonObject } from '@mediagate/contracts';
import { type CatalogueEntry, loadCatalogue } from '../src';
import { accept } from './parsing';

const catalogue = loadCatalogue();
const imagefast = catalogue.find('imagefast-2.5-flash-image-preview') as CatalogueEntry;

it('has the compatible alias imagefast-ext, in any letter case', () => {
  expect(catalogue.find('imagefast-ext')).toBe(imagefast);
  expect(catalogue.find('Imagefast-EXT')).toBe(imagefast);
});

describe('imagefast-3.1', () => {
  const newer = catalogue.find('imagefast-3.1') as CatalogueEntry;
  const asked = (body: JsonObject) => accept(newer, { prompt: 'A market stall', ...body }).input;
  const rates = { image_output: 1_000_000n, image_input: 0n, text_input: 0n };

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
