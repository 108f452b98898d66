import type { JsonObject } from '@mediagate/contracts';
import { loadCatalogue } from '../src';

/** What callers know a price to go by, and what models may call it. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  size: ['aspect_ratio', 'resolution'],
  aspect_ratio: ['size'],
  resolution: ['mode'],
  n: ['batch_size'],
  num_images: ['n', 'batch_size'],
  seconds: ['duration'],
};

const { entries } = loadCatalogue();
const closed = entries.filter(({ family }) => family !== 'text');
const rows = closed.flatMap((entry) => {
  const has = (name: string) => Object.hasOwn(entry.schema['properties'] as JsonObject, name);
  const near = Object.keys(NAMES).filter((name) => !has(name) && NAMES[name]?.some(has));
  return near.map((name) => [`${entry.id} ${entry.operation}`, name, entry] as const);
});

it.each(rows)('%s, which calls it otherwise, refuses %s by its name', (_model, name, entry) => {
  const parsed = entry.parse({ ...entry.examples[0], [name]: 'a value' });
  expect(parsed).toMatchObject({ ok: false, failures: [{ param: name, reason: 'unsupported_parameter' }] });
});

it('each of the names is refused by some model', () => {
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(Object.keys(NAMES)));
});

it('models without a field of the kind ignore it with a warning: it changes nothing that they charge', () => {
  const parsed = entries
    .find(({ id }) => id === 'ttsmodel-mini')
    ?.parse({
      ...entries.find(({ id }) => id === 'ttsmodel-mini')?.examples[0],
      duration: 5,
    });
  expect(parsed).toMatchObject({ ok: true, warnings: [{ key: 'ignored_unknown', params: { field: 'duration' } }] });
});
