import { nanoToDecimal } from '@mediagate/contracts';
import { createPriceBook, loadCatalogue } from '../src';
import { describeModel } from './model-conformance';
import { accept } from './parsing';

const catalogue = loadCatalogue();

for (const entry of catalogue.entries) describeModel(entry);

it('shows every model, price and reservation that a change moves', () => {
  const shown = catalogue.entries.map((entry) => ({
    id: entry.id,
    family: entry.family,
    operation: entry.operation,
    version: entry.version,
    prices: entry.defaultPrices,
    reservations: entry.examples.map((example) => {
      const { input } = accept(entry, example);
      return { ...example, RESERVED: nanoToDecimal(entry.reserve(input, createPriceBook().ratesOf(entry, input))) };
    }),
  }));
  expect(shown).toMatchSnapshot();
});
