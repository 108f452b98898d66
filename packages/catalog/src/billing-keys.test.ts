import { allBillingKeys, billingKeys, pricesOf } from './billing-keys';

it('go from the most specific to the model, as the specification orders them', () => {
  expect(billingKeys('imgtool', 'imagine', { version: 'v7', speed: 'fast' })).toEqual([
    'imgtool@imagine-v7-fast',
    'imgtool@imagine-v7',
    'imgtool@imagine-fast',
    'imgtool@imagine',
    'imgtool',
  ]);
});

it('leave out what is not asked for', () => {
  expect(billingKeys('imgtool', 'imagine', { version: 'v7' })).toEqual([
    'imgtool@imagine-v7',
    'imgtool@imagine',
    'imgtool',
  ]);
  expect(billingKeys('imgtool', 'imagine', { speed: 'turbo' })).toEqual([
    'imgtool@imagine-turbo',
    'imgtool@imagine',
    'imgtool',
  ]);
  expect(billingKeys('imgtool', 'imagine')).toEqual(['imgtool@imagine', 'imgtool']);
});

it('are all known that any input can have, each once', () => {
  const known = allBillingKeys('m', 'a', { versions: ['v1', 'v2'], speeds: ['fast'] });
  expect(known.sort()).toEqual(['m', 'm@a', 'm@a-fast', 'm@a-v1', 'm@a-v1-fast', 'm@a-v2', 'm@a-v2-fast']);
  expect(pricesOf(known, { m: 1, 'm@a-v2': 2, 'm@b': 3 })).toEqual({ m: 1, 'm@a-v2': 2 });
});
