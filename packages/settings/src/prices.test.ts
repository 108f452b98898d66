import { Faults } from './faults';
import { readPrices } from './prices';

it('a key under which nothing is billed is answered with the nearest few of many, and with where all of them are', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'nearest', 'next'];
  const billingKeys = new Map(names.map((name) => [name, new Set<string>()]));
  const faults = new Faults('mediagate.yaml');
  readPrices({ neat: 1 }, { section: 'prices', billingKeys, numberText: () => '1', faults });
  expect(faults.error()?.message).toContain(
    'nothing is billed under this key: use one of nearest, next, a, b, c, d, e, f; docs/prices.md lists all',
  );
});
