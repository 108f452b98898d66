import type { JsonObject } from '@mediagate/contracts';
import { type CatalogueEntry, loadCatalogue } from '../src';
import { FILE_FIELDS } from '../src/near-names';
import { refuse } from './parsing';

/** Callers' usual names of the fields that prices go by, with the names that models may have for them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  size: ['aspect_ratio', 'resolution'],
  aspect_ratio: ['size'],
  resolution: ['mode'],
  n: ['batch_size'],
  num_images: ['n', 'batch_size'],
  count: ['n', 'batch_size'],
  generate_audio: ['audio'],
  numberOfImages: ['n', 'batch_size'],
  max_images: ['n', 'batch_size'],
  seconds: ['duration'],
  durationSeconds: ['duration'],
  imageSize: ['resolution', 'size', 'aspect_ratio'],
  aspectRatio: ['size'],
  width: ['size', 'aspect_ratio', 'resolution'],
  height: ['size', 'aspect_ratio', 'resolution'],
  make_instrumental: ['instrumental'],
  customMode: ['custom'],
  style: ['tags'],
  gpt_description_prompt: ['gpt_description'],
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

it.each(closed.map((entry) => [`${entry.id} ${entry.operation}`, entry] as const))(
  '%s refuses its own fields, and the limits of a submission, in JavaScript’s spelling, with the right one',
  (_model, { schema, parse, examples, unsupportedParameters }) => {
    const own = [...Object.keys(schema['properties'] as JsonObject), 'max_cost', 'expires_in'];
    for (const other of own.filter((name) => name.includes('_'))) {
      const param = other.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      // Nobody is sent to a field that the model does not take.
      const params = unsupportedParameters.includes(other) ? { field: param } : { other };
      const failure = { param, reason: 'unsupported_parameter', message: { params } };
      expect(parse({ ...examples[0], [param]: 'a value' })).toMatchObject({ ok: false, failures: [failure] });
    }
  },
);

it.each(closed.map((entry) => [`${entry.id} ${entry.operation}`, entry] as const))(
  '%s refuses its own fields, and those of a submission, in any letter case',
  (_model, { schema, parse, examples, unsupportedParameters }) => {
    const own = [...Object.keys(schema['properties'] as JsonObject), 'webhook', 'language', 'metadata', 'max_cost'];
    for (const other of own.filter((name) => name !== 'model')) {
      const param = `${other[0]?.toUpperCase()}${other.slice(1).replace('_', '-')}`;
      // Nobody is sent to a field that the model does not take.
      const params = unsupportedParameters.includes(other) ? { field: param } : { other };
      const failure = { param, reason: 'unsupported_parameter', message: { params } };
      expect(parse({ ...examples[0], [param]: 'a value' })).toMatchObject({ ok: false, failures: [failure] });
    }
  },
);

it('each of the names is refused by some model', () => {
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(Object.keys(NAMES)));
});

it.each(closed.map((entry) => [`${entry.id} ${entry.operation}`, entry] as const))(
  '%s refuses each other name of the address for its callback, which would never come',
  (_model, { parse, examples }) => {
    for (const name of ['webhook_url', 'callback_url', 'callbackUrl', 'notify_url', 'notifyHook', 'response_url']) {
      const failure = { param: name, reason: 'unsupported_parameter', message: { params: { other: 'webhook' } } };
      expect(parse({ ...examples[0], [name]: 'https://example.com' })).toMatchObject({
        ok: false,
        failures: [failure],
      });
    }
  },
);

it.each(closed.map((entry) => [`${entry.id} ${entry.operation}`, entry] as const))(
  '%s refuses what says elsewhere which model, at which limit of the cost, and that it is only tried',
  (_model, { parse, examples }) => {
    for (const [param, other] of [
      ['mv', 'model'],
      ['maxPrice', 'max_cost'],
      ['dry_run', '?dry_run=true'],
      ['dryRun', '?dry_run=true'],
    ] as const) {
      const failure = { param, reason: 'unsupported_parameter', message: { params: { other } } };
      expect(parse({ ...examples[0], [param]: true })).toMatchObject({ ok: false, failures: [failure] });
    }
  },
);

it('models without a field of the kind ignore it with a warning: it changes nothing that they charge', () => {
  const parsed = entries
    .find(({ id }) => id === 'ttsmodel-mini')
    ?.parse({
      ...entries.find(({ id }) => id === 'ttsmodel-mini')?.examples[0],
      duration: 5,
    });
  expect(parsed).toMatchObject({ ok: true, warnings: [{ key: 'ignored_unknown', params: { field: 'duration' } }] });
});

describe('files', () => {
  const names = Object.values(FILE_FIELDS).flat();
  const sent = (name: string) => ({ [name]: 'https://example.com/a.png' });

  it('have all the names that models give them', () => {
    const fields = closed.flatMap((entry) => entry.examples.flatMap((example) => filesOf(entry, example)));
    expect(fields.length).toBeGreaterThan(20);
    expect(fields.filter((field) => !names.includes(field))).toEqual([]);
  });

  it.each(closed.map((entry) => [`${entry.id} ${entry.operation}`, entry] as const))(
    '%s refuses each file that it does not take, by its name, and ignores none',
    (_model, entry) => {
      const foreign = names.filter((name) => !Object.hasOwn(entry.schema['properties'] as JsonObject, name));
      for (const name of foreign) {
        const parsed = entry.parse({ ...entry.examples[0], ...sent(name) });
        expect(parsed).toMatchObject({ ok: false, failures: [{ param: name, reason: 'unsupported_parameter' }] });
      }
    },
  );

  it('that have another name on the model are refused with it', () => {
    const videof = closed.find(({ id }) => id === 'videof-3.1') as CatalogueEntry;
    expect(refuse(videof, { ...videof.examples[0], ...sent('image_urls') }).message).toBe(
      'image_urls is not a parameter of the model; use first_frame_image or last_frame_image or reference_images',
    );
  });

  it('blank ones, and lists of none, were not sent', () => {
    const { parse, examples } = closed.find(({ id }) => id === 'videof-3.1') as CatalogueEntry;
    for (const nothing of ['', null, []]) {
      expect(parse({ ...examples[0], image_urls: nothing })).toMatchObject({ ok: true });
    }
  });
});

function filesOf(entry: CatalogueEntry, example: JsonObject): string[] {
  const parsed = entry.parse(example);
  if (!parsed.ok) throw new Error(`an example of ${entry.id} is refused`);
  const named = [...entry.media(parsed.input), ...entry.pages(parsed.input)];
  return named.map(({ field }) => field.replace(/[.[].*$/, ''));
}

it('fields within objects in another spelling are refused with their own; false asks for nothing', () => {
  const { parse } = entries.find(({ id }) => id === 'videoc-v4-fast') as CatalogueEntry;
  const body = (more: object) => ({
    model: 'videoc-v4-fast',
    prompt: 'the boat @mid turns',
    mid_frame_images: [{ tag: '@mid', image_url: 'https://example.com/a.png', ...more }],
  });
  expect(parse(body({ timeStamp: 2 }) as JsonObject)).toMatchObject({
    ok: false,
    failures: [{ param: 'mid_frame_images[0].timeStamp', reason: 'unsupported_parameter' }],
  });
  expect(parse(body({ timeStamp: null, audioUrl: false }) as JsonObject)).toMatchObject({ ok: true });
});

it('a review that is not asked for, by false, is no fault of a model that has none', () => {
  const entry = entries.find(({ id }) => id === 'videoe-v3');
  expect(entry?.parse({ ...entry.examples[0], nsfw_check: false })).toMatchObject({ ok: true });
});
