import { nanoToDecimal } from '@mediagate/contracts';
import { createPriceBook, loadCatalogue } from '../src';
import { describeModel } from './model-conformance';
import { accept } from './parsing';

const catalogue = loadCatalogue();

for (const entry of catalogue.entries) describeModel(entry, createPriceBook(catalogue)(entry.id));

it('shows every model, price and reservation that a change moves', () => {
  const shown = catalogue.entries.map((entry) => ({
    id: entry.id,
    family: entry.family,
    operation: entry.operation,
    version: entry.version,
    prices: entry.defaultPrices,
    reservations: entry.examples.map((example) => ({
      ...example,
      RESERVED: nanoToDecimal(entry.reserve(accept(entry, example).input, createPriceBook(catalogue)(entry.id))),
    })),
  }));
  expect(shown).toMatchSnapshot();
});
