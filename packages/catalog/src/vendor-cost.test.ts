import type { JsonObject } from '@mediagate/contracts';
import type { PriceOverride } from './price-book';
import { vendorCost } from './vendor-cost';

/** Billed by the task, under the most specific of these keys. */
const drawing = {
  id: 'pen',
  billing: { known: ['pen@draw', 'pen'], keys: () => ['pen@draw', 'pen'] },
  settle: (_input: JsonObject, _usage: object, rates: Record<string, bigint>) => Object.values(rates)[0] ?? 0n,
};
/** Billed by seconds, and by the task where that has a price. */
const clip = {
  id: 'clip',
  settle: (_input: JsonObject, { seconds = 4 }, rates: Record<string, bigint>) =>
    rates['per_task'] ?? BigInt(seconds) * (rates['per_second'] ?? 0n),
};
const charges = (prices: [string, PriceOverride][], creditNano?: bigint) => ({ prices: new Map(prices), creditNano });
const perSecond: [string, PriceOverride] = ['clip', { units: new Map([['per_second', 5n]]) }];

describe('what a vendor charges', () => {
  it('is not known of a channel that does not say, or says it of something else', () => {
    const used = { usage: { seconds: 3 } };
    expect(vendorCost({ entry: clip, input: {} }, used, undefined)).toBeUndefined();
    expect(vendorCost({ entry: clip, input: {} }, used, charges([['pen', { perTask: 9n }]]))).toBeUndefined();
    expect(vendorCost({ entry: clip, input: {} }, { ...used, credits: '2' }, charges([]))).toBeUndefined();
  });

  it('goes by what was used, and by what was asked where nobody says', () => {
    const cost = (usage: object) => vendorCost({ entry: clip, input: {} }, { usage }, charges([perSecond]));
    expect(cost({ seconds: 3 })).toEqual({ nano: 15n, origin: 'declared' });
    expect(cost({})).toEqual({ nano: 20n, origin: 'declared' });
  });

  it('goes by the most specific key that is declared, or by the whole task', () => {
    const cost = (entry: typeof drawing | typeof clip, prices: [string, PriceOverride][]) =>
      vendorCost({ entry, input: {} }, { usage: {} }, charges(prices))?.nano;
    expect(cost(drawing, [['pen', { perTask: 9n }]])).toBe(9n);
    expect(
      cost(drawing, [
        ['pen', { perTask: 9n }],
        ['pen@draw', { perTask: 7n }],
      ]),
    ).toBe(7n);
    expect(cost(clip, [['clip', { perTask: 6n }]])).toBe(6n);
  });

  it.each([
    ['1.5', 5n, 8n],
    ['0.000000001', 1n, 1n],
    ['0', 5n, 0n],
  ])(
    'is the vendor’s own word of %s credits at %d, rounded up, before what is declared',
    (credits, creditNano, nano) => {
      const cost = vendorCost({ entry: clip, input: {} }, { usage: {}, credits }, charges([perSecond], creditNano));
      expect(cost).toEqual({ nano, origin: 'reported' });
    },
  );

  it('stays within what a column holds', () => {
    const prices = charges([['clip', { units: new Map([['per_second', 2n ** 60n]]) }]]);
    expect(vendorCost({ entry: clip, input: {} }, { usage: { seconds: 1000 } }, prices)?.nano).toBe(2n ** 63n - 1n);
  });
});
