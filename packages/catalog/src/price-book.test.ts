import { createPriceBook, loadCatalogue } from './index';

const catalogue = loadCatalogue();

it('has the catalogue prices in nano-units where the operator set none', () => {
  expect(createPriceBook(catalogue)('imagegen-2.5-flare')).toEqual({
    image_output: 30_000_000_000n,
    image_input: 8_000_000_000n,
    cached_image_input: 2_000_000_000n,
    text_input: 5_000_000_000n,
    cached_text_input: 1_250_000_000n,
  });
  expect(createPriceBook(catalogue)('imageseed-4.0')).toEqual({ per_image: 30_000_000n });
});

it('lays unit prices of the operator over the defaults, for that model alone', () => {
  const book = createPriceBook(catalogue, new Map([['imagegen-2', { units: new Map([['image_output', 7n]]) }]]));
  expect(book('imagegen-2')).toEqual({ ...createPriceBook(catalogue)('imagegen-2'), image_output: 7n });
  expect(book('imagegen-2.5-flare')).toEqual(createPriceBook(catalogue)('imagegen-2.5-flare'));
});

it('puts the price of one task in the place of all units', () => {
  expect(createPriceBook(catalogue, new Map([['imagegen-2', { perTask: 5n }]]))('imagegen-2')).toEqual({
    per_task: 5n,
  });
});

it('has no price for a model that is not in the catalogue, and says so', () => {
  expect(() => createPriceBook(catalogue)('imagefast-ext')).toThrow('There is no price for imagefast-ext');
});

it('cannot be changed by whoever reads it', () => {
  expect(Object.isFrozen(createPriceBook(catalogue)('imagegen-2'))).toBe(true);
});
