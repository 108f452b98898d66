import { nanoToDecimal } from '@mediagate/contracts';
import { createPriceBook, loadCatalogue } from '../src';
import { describeModel, subjectsOf } from './model-conformance';
import { accept } from './parsing';

const catalogue = loadCatalogue();

for (const entry of catalogue.entries) describeModel(entry);

it('every guarantee that is left out where a model has no subject for it holds for some models', () => {
  const lists = { counts: [['n', expect.any(Array)]], choices: [['quality', expect.any(Array)]] };
  const subjects = Object.entries({ ...lists, hasSize: true, hasFiles: true });
  const some = subjects.map(([name, value]) => expect.objectContaining({ [name]: value }));
  expect(catalogue.entries.map(subjectsOf)).toEqual(expect.arrayContaining(some));
});

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
