import { type JsonObject, nanoToDecimal } from '@mediagate/contracts';
import { type CatalogueEntry, createPriceBook, loadCatalogue } from '../src';
import { describeModel } from './model-conformance';
import { accept } from './parsing';

const catalogue = loadCatalogue();
const prices = createPriceBook();

for (const entry of catalogue.entries) describeModel(entry);

it('has the models and operations that the snapshot has', () => {
  expect(catalogue.entries.map(({ id, operation }) => `${id} ${operation}`)).toMatchSnapshot();
});

/* A field, a limit, a default, a file, a price or a request that changes is a line of the snapshot that changes. */
it.each(catalogue.entries.map((entry) => [`${entry.id} ${entry.operation}`, entry] as const))(
  '%s is declared as the snapshot has it, and its examples come to the same work',
  (_name, entry) => {
    const work = entry.examples.map((example) => workOf(entry, example));
    expect([headOf(entry), fieldsOf(entry), ...work].flatMap(linesOf)).toMatchSnapshot();
  },
);

/** All that is declared as data, also under names that are still to come: JSON leaves the functions out. */
function headOf({ id: _, operation: _in, schema: _fields, examples: _bodies, ...declared }: CatalogueEntry) {
  const { deadlineMs, resultLifetimeMs, defaultPrices, billing, ...model } = declared;
  const times = { endsWithinMinutes: deadlineMs / 60_000, resultsLastHours: resultLifetimeMs / 3_600_000 };
  const head = { '(model)': { ...model, ...times }, '(prices)': defaultPrices };
  return billing === undefined ? head : { ...head, '(billing keys)': billing.known };
}

/** Types, limits, choices and defaults of the fields, without the sentences that describe them. */
function fieldsOf({ schema }: CatalogueEntry): JsonObject {
  const { properties, ...rest } = JSON.parse(JSON.stringify(schema, withoutSentences));
  return { ...properties, '(fields together)': rest };
}

function withoutSentences(key: string, value: unknown): unknown {
  return key === 'description' && typeof value === 'string' ? undefined : value;
}

/** The work that an example comes to: the input with its defaults, what is held, the files that are judged, the request to the vendor. */
function workOf(entry: CatalogueEntry, example: JsonObject) {
  const { input } = accept(entry, example);
  const held = nanoToDecimal(entry.reserve(input, prices.ratesOf(entry, input)));
  const work = { held, media: entry.media(input), pages: entry.pages(input), request: entry.request(input, []) };
  return { '(example)': example, ' input': input, ' work': work };
}

function linesOf(shown: object): string[] {
  return Object.entries(shown).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}
