import type { CatalogueEntry } from './entry';
import { createPriceBook, loadCatalogue } from './index';

const catalogue = loadCatalogue();
const entry = (id: string, operation?: string) => catalogue.find(id, operation) as CatalogueEntry;
const rates = (id: string, book = createPriceBook()) => book.ratesOf(entry(id), {});

describe('prices by unit', () => {
  it('are the catalogue prices in nano-units where the operator set none', () => {
    expect(rates('imagegen-2.5-flare')).toEqual({
      image_output: 30_000_000_000n,
      image_input: 8_000_000_000n,
      cached_image_input: 2_000_000_000n,
      text_input: 5_000_000_000n,
      cached_text_input: 1_250_000_000n,
    });
    expect(rates('imageseed-4.0')).toEqual({ per_image: 30_000_000n });
  });

  it('of the operator are laid over the defaults, for that model alone', () => {
    const book = createPriceBook(new Map([['imagegen-2', { units: new Map([['image_output', 7n]]) }]]));
    expect(rates('imagegen-2', book)).toEqual({ ...rates('imagegen-2'), image_output: 7n });
    expect(rates('imagegen-2.5-flare', book)).toEqual(rates('imagegen-2.5-flare'));
  });

  it('give way to a price of the whole task', () => {
    const book = createPriceBook(new Map([['imagegen-2', { perTask: 5n }]]));
    expect(rates('imagegen-2', book)).toEqual({ per_task: 5n });
    expect(book.listOf(entry('imagegen-2'))).toEqual({ per_task: 5n });
  });

  it('cannot be changed by whoever reads them', () => {
    expect(Object.isFrozen(rates('imagegen-2'))).toBe(true);
  });
});

describe('prices by key', () => {
  const billed = {
    ...entry('imagegen-2'),
    id: 'pen',
    defaultPrices: { pen: 0.1, 'pen@draw-v2': 0.2 },
    billing: {
      known: ['pen@draw-v2-fast', 'pen@draw-v2', 'pen@draw', 'pen'],
      keys: () => ['pen@draw-v2-fast', 'pen@draw-v2', 'pen@draw', 'pen'],
    },
  };
  const price = (perTask: bigint) => ({ perTask });

  it('are those of the most specific key that has one', () => {
    expect(createPriceBook().ratesOf(billed, {})).toEqual({ 'pen@draw-v2': 200_000_000n });
    const book = createPriceBook(
      new Map([
        ['pen@draw-v2-fast', price(9n)],
        ['pen@draw', price(8n)],
      ]),
    );
    expect(book.ratesOf(billed, {})).toEqual({ 'pen@draw-v2-fast': 9n });
  });

  it('of the operator replace the same key alone: a more specific one of the catalogue still decides', () => {
    const general = createPriceBook(new Map([['pen', price(7n)]]));
    expect(general.ratesOf(billed, {})).toEqual({ 'pen@draw-v2': 200_000_000n });
    const same = createPriceBook(new Map([['pen@draw-v2', price(7n)]]));
    expect(same.ratesOf(billed, {})).toEqual({ 'pen@draw-v2': 7n });
  });

  it('of the operator for other inputs leave the catalogue to decide', () => {
    const book = createPriceBook(new Map([['imagegen-2', price(7n)]]));
    expect(book.ratesOf(billed, {})).toEqual({ 'pen@draw-v2': 200_000_000n });
  });

  it('are listed by key, the operator’s among the catalogue’s', () => {
    const book = createPriceBook(
      new Map([
        ['pen', price(7n)],
        ['pen@draw', price(8n)],
      ]),
    );
    expect(book.listOf(billed)).toEqual({ pen: 7n, 'pen@draw-v2': 200_000_000n, 'pen@draw': 8n });
  });
});
