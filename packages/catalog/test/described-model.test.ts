import type { JsonObject } from '@mediagate/contracts';
import { type CatalogueEntry, createPriceBook, describeModel, goneModel, type ModelDefinition } from '../src';

const DEFINITION: ModelDefinition = {
  id: 'draft-1',
  operation: 'images.generations',
  description: 'Draws drafts.',
  input: {
    type: 'object',
    required: ['prompt'],
    properties: {
      prompt: { type: 'string', maxLength: 100 },
      num_images: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
      image_url: { type: 'string', 'mediagate-media': 'image', 'mediagate-max-bytes': 1000 },
      shots: {
        type: 'array',
        items: { type: 'object', properties: { clip: { type: 'string', 'mediagate-media': 'video' } } },
      },
    },
  },
  price: { per_image: 0.02, count: 'num_images' },
  moderate: false,
  deadline_minutes: 10,
  result_lifetime_hours: 2,
  examples: [{ prompt: 'a pier', num_images: 2 }],
};
const ONE_IMAGE = {
  type: 'object',
  properties: { prompt: { type: 'string' }, num_images: { type: 'integer', minimum: 1, maximum: 1 } },
};
const ONE_VIDEO = {
  type: 'object',
  properties: { prompt: { type: 'string' }, num_videos: { type: 'integer', maximum: 1 }, seconds: { enum: [4, 8] } },
};
const SEVERAL_VIDEOS = {
  type: 'object',
  properties: {
    prompt: { type: 'string' },
    num_videos: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
    duration: { type: 'number', minimum: 1, maximum: 60, default: 5 },
  },
};
const PROMPTED = { examples: [{ prompt: 'a pier' }] };
const VIDEO = { operation: 'videos.generations' } as const;

function described(changes: Partial<ModelDefinition> = {}): { entry: CatalogueEntry | undefined; faults: string[][] } {
  const faults: string[][] = [];
  const entry = describeModel({ ...DEFINITION, ...changes }, (...fault) => faults.push(fault));
  return { entry, faults };
}

function entryOf(changes: Partial<ModelDefinition> = {}): CatalogueEntry {
  const { entry, faults } = described(changes);
  if (entry === undefined) throw new Error(JSON.stringify(faults));
  return entry;
}

function withField(name: string, schema: object): Partial<ModelDefinition> {
  const { properties, ...input } = DEFINITION.input;
  return { input: { ...input, properties: { ...(properties as object), [name]: schema } } as ModelDefinition['input'] };
}

it.each([
  ['n', { per_image: 0.02, count: 'num_images' }, 'num_images'],
  ['numberOfImages', { per_image: 0.02, count: 'num_images' }, 'num_images'],
  ['n', { per_image: 0.02, count: 'frames' }, 'frames'],
])('%s of a model whose price %j goes by another field is refused with the name of that', (name, price, own) => {
  const frames = { type: 'integer', minimum: 1, maximum: 4, default: 1 };
  const { properties, ...input } = DEFINITION.input;
  const { num_images: _, ...others } = properties as JsonObject;
  const entry = entryOf({
    input: { ...input, properties: { ...others, [own]: frames } },
    price,
    examples: [{ prompt: 'a pier' }],
  });
  expect(entry.parse({ prompt: 'a pier', [name]: 3 })).toMatchObject({
    ok: false,
    failures: [{ param: name, reason: 'unsupported_parameter', message: { params: { other: own } } }],
  });
});

it('seconds of a video whose price goes by a field of another name are refused with it', () => {
  const clip_seconds = { type: 'integer', minimum: 1, maximum: 10, default: 5 };
  const entry = entryOf({
    ...VIDEO,
    input: { type: 'object', properties: { prompt: { type: 'string' }, clip_seconds } },
    price: { per_second: 0.1, length: 'clip_seconds' },
    examples: [{ prompt: 'a pier' }],
  });
  expect(entry.parse({ prompt: 'a pier', duration: 9 })).toMatchObject({
    ok: false,
    failures: [{ param: 'duration' }],
  });
});

const units = (nano: bigint) => Number(nano) / 1e9;

it('is an entry as any other: its schema, its examples, its times', () => {
  expect(entryOf()).toMatchObject({
    id: 'draft-1',
    family: 'image',
    kind: 'image',
    synchronous: false,
    deadlineMs: 600_000,
    resultLifetimeMs: 7_200_000,
    examples: [{ model: 'draft-1', prompt: 'a pier', num_images: 2 }],
    schema: {
      description: 'Draws drafts.',
      required: ['model', 'prompt'],
      properties: { model: { enum: ['draft-1'] } },
    },
  });
});

it('asks vendors for the body as it was parsed, and refuses a wrong one by its field', () => {
  const entry = entryOf();
  const parsed = entry.parse({ prompt: 'a pier', other: 1 });
  expect(parsed).toMatchObject({ ok: true, input: { prompt: 'a pier', num_images: 1 } });
  expect(entry.request({ prompt: 'a pier', num_images: 1 }, [])).toEqual({ body: { prompt: 'a pier', num_images: 1 } });
  expect(entry.parse({ prompt: 'a pier', num_images: 9 })).toMatchObject({ failures: [{ param: 'num_images' }] });
  expect(entry.parse({ prompt: 'a pier', image_url: 'x' })).toMatchObject({ failures: [{ param: 'image_url' }] });
  expect([entry.fieldOf({}, 'num_images'), entry.fieldOf({}, 'seed')]).toEqual(['num_images', undefined]);
});

it('names its files, wherever the schema marks them, as every model does', () => {
  const body = { prompt: 'p', image_url: 'https://a.example/1.png', shots: [{}, { clip: 'https://a.example/2.mp4' }] };
  expect(entryOf().media(body)).toMatchObject([
    { field: 'image_url', role: 'image', url: body.image_url, maxBytes: 1000, inspectOnly: true },
    { field: 'shots[1].clip', role: 'video', contentTypes: ['video/mp4', 'video/quicktime'] },
  ]);
});

it('has texts and images reviewed where it says so', () => {
  const body = { prompt: 'a pier', image_url: 'https://a.example/1.png', shots: [{ clip: 'https://a.example/2.mp4' }] };
  expect(entryOf().moderate(body)).toBeUndefined();
  expect(entryOf({ moderate: true }).moderate(body)).toMatchObject({
    prompt: 'a pier',
    images: [{ field: 'image_url' }],
  });
});

describe('is priced', () => {
  const price = { per_second: 0.1, count: 'num_videos', length: 'duration' };
  const SEVERAL = { ...VIDEO, ...PROMPTED, input: SEVERAL_VIDEOS, price };
  const duration = { enum: [5, 'auto'], default: 5 };
  const openInput = { ...SEVERAL_VIDEOS, properties: { ...SEVERAL_VIDEOS.properties, duration } };
  const OPEN = { ...SEVERAL, input: openInput, price: { ...price, at_most: 10 } };
  const ratesOf = (entry: CatalogueEntry) => createPriceBook().ratesOf(entry, {});
  it.each<[string, Partial<ModelDefinition>, object, object, number, number]>([
    ['by the images', {}, { num_images: 3 }, { images: 2 }, 0.06, 0.04],
    ['by the images, where nobody counted', {}, { num_images: 3 }, {}, 0.06, 0.06],
    [
      'by one image',
      { price: { per_image: 0.02 }, input: ONE_IMAGE, examples: [{ prompt: 'a pier' }] },
      {},
      { images: 4 },
      0.02,
      0.02,
    ],
    ['by the task', { price: { per_task: 0.5 } }, {}, { images: 4 }, 0.5, 0.5],
    [
      'by the seconds asked for',
      {
        ...VIDEO,
        ...PROMPTED,
        input: {
          type: 'object',
          properties: { prompt: { type: 'string' }, seconds: { type: 'string', enum: ['5', '10'], default: '5' } },
        },
        price: { per_second: 0.1, length: 'seconds' },
      },
      { seconds: '10' },
      { seconds: 4 },
      1,
      1,
    ],
    [
      'by the seconds made',
      { ...VIDEO, ...PROMPTED, input: ONE_VIDEO, price: { per_second: 0.1, at_most: 8 } },
      {},
      { seconds: 4 },
      0.8,
      0.4,
    ],
    [
      'by all of them, where nobody counted',
      { ...VIDEO, ...PROMPTED, input: ONE_VIDEO, price: { per_second: 0.1, at_most: 8 } },
      {},
      {},
      0.8,
      0.8,
    ],
    ['by the seconds of every video', SEVERAL, { num_videos: 4, duration: 10 }, { videos: 3, seconds: 30 }, 4, 3],
    ['by the seconds of every video, where nobody counted', SEVERAL, { num_videos: 4, duration: 10 }, {}, 4, 4],
    ['by no more videos than were asked for', SEVERAL, { num_videos: 2, duration: 10 }, { videos: 9 }, 2, 2],
    ['by the seconds made of all videos', OPEN, { num_videos: 4, duration: 'auto' }, { videos: 4, seconds: 30 }, 4, 3],
    ['by the longest of all videos', OPEN, { num_videos: 2, duration: 'auto' }, {}, 2, 2],
  ])('%s', (_, changes, input, usage, reserved, settled) => {
    const entry = entryOf({ ...changes });
    const rates = ratesOf(entry);
    expect(units(entry.reserve(input as never, rates))).toBe(reserved);
    expect(units(entry.settle(input as never, usage, rates))).toBe(settled);
  });
});

it('has fields of such names that the operator says change no price, and objects that name all they have', () => {
  const unpriced = { type: 'integer', maximum: 4, 'mediagate-unpriced': true };
  expect(entryOf(withField('batch_size', unpriced)).id).toBe('draft-1');
  const named = { type: ['object', 'null'], properties: { a: { anyOf: [{ type: 'string' }, { const: 1 }] } } };
  const entry = entryOf(withField('extra', named));
  expect(entry.parse({ prompt: 'a pier', extra: { a: 'b', num_images: 4 } })).toMatchObject({
    ok: true,
    input: { extra: { a: 'b' } },
  });
});

describe('is refused with what is wrong', () => {
  const [clean] = [DEFINITION.input];
  it.each<[string, Partial<ModelDefinition>, string, RegExp]>([
    [
      'an unknown keyword, at its field',
      withField('seed', { type: 'integer', maximun: 3 }),
      'input.properties.seed',
      /maximun/,
    ],
    [
      'an unknown keyword of an item',
      withField('all', { type: 'array', items: { type: 'string', x: 1 } }),
      'input.properties.all.items',
      /"x"/,
    ],
    ['no schema of an object', { input: { type: 'string' } }, 'input', /type: object/],
    [
      'a field of every submission',
      withField('webhook', { type: 'string' }),
      'input.properties.webhook',
      /every submission/,
    ],
    [
      'a file where nobody looks',
      {
        input: {
          ...clean,
          anyOf: [{ type: 'object', properties: { x: { type: 'string', 'mediagate-media': 'image' } } }],
        },
      },
      'input',
      /properties and items lead to/,
    ],
    [
      'an unknown kind of file',
      withField('x', { type: 'string', 'mediagate-media': 'smell' }),
      'input',
      /image, video, audio/,
    ],
    [
      'an open body',
      { input: { ...clean, additionalProperties: true } },
      'input.additionalProperties',
      /must be false/,
    ],
    [
      'a body open to some',
      { input: { ...clean, additionalProperties: { type: 'string' } } },
      'input.additionalProperties',
      /must be false/,
    ],
    [
      'an object of it that names no properties',
      withField('extra', { type: 'object' }),
      'input.properties.extra',
      /name its properties/,
    ],
    [
      'an object of it that is open to others',
      withField('extra', { type: 'object', properties: {}, additionalProperties: { type: 'integer' } }),
      'input.properties.extra',
      /name its properties/,
    ],
    [
      'an object of a list that is open',
      withField('all', { type: 'array', items: { type: 'object' } }),
      'input.properties.all.items',
      /name its properties/,
    ],
    ['a list of anything', withField('all', { type: 'array' }), 'input.properties.all', /by items/],
    ['a field that may be anything', withField('all', {}), 'input.properties.all', /have a type/],
    [
      'a choice of it that is open, because nobody leaves out what it does not name',
      withField('extra', { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'string' } } }] }),
      'input.properties.extra',
      /additionalProperties: false/,
    ],
    [
      'a part referred to that is open',
      {
        input: {
          ...clean,
          properties: { ...(clean['properties'] as JsonObject), extra: { $ref: '#/definitions/extra' } },
          definitions: { extra: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      },
      'input.properties.extra',
      /additionalProperties: false/,
    ],
    [
      'another count beside that of the price',
      withField('batch_size', { type: 'integer', minimum: 1, maximum: 4 }),
      'price',
      /leaves out batch_size/,
    ],
    [
      'a count within an object',
      withField('options', { type: 'object', properties: { numImages: { type: 'integer', maximum: 4 } } }),
      'price',
      /leaves out options.numImages/,
    ],
    [
      'a length of each of several, beside that of the price',
      {
        ...VIDEO,
        ...PROMPTED,
        input: {
          ...SEVERAL_VIDEOS,
          properties: {
            ...SEVERAL_VIDEOS.properties,
            shots: {
              type: 'array',
              items: { type: 'object', properties: { seconds: { type: 'integer', maximum: 9 } } },
            },
          },
        },
        price: { per_second: 1, count: 'num_videos', length: 'duration' },
      },
      'price',
      /leaves out shots\[\].seconds/,
    ],
    [
      'a price beyond any balance',
      {
        ...VIDEO,
        ...PROMPTED,
        input: {
          type: 'object',
          properties: {
            prompt: { type: 'string' },
            num_videos: { type: 'integer', minimum: 1, maximum: 100_000, default: 1 },
            duration: { type: 'number', minimum: 1, maximum: 100_000, default: 5 },
          },
        },
        price: { per_second: 1, count: 'num_videos', length: 'duration' },
      },
      'price.per_second',
      /lets a task cost 10000000000, and no balance is above 9223372036/,
    ],
    ['no price', { price: {} }, 'price', /one of per_task/],
    ['two prices', { price: { per_task: 1, per_image: 1 } }, 'price', /one of per_task/],
    ['a price of nothing', { price: { per_task: 0 } }, 'price.per_task', /above 0/],
    ['a price by a field that is none', { price: { per_image: 1, count: 'n' } }, 'price.count', /field of the input/],
    [
      'a price by a field that may be absent',
      { ...withField('n', { type: 'integer', minimum: 1 }), price: { per_image: 1, count: 'n' } },
      'price.count',
      /required or has a default/,
    ],
    [
      'a price by a field that may be nought',
      { ...withField('n', { type: 'integer', minimum: 0, default: 1 }), price: { per_image: 1, count: 'n' } },
      'price.count',
      /minimum above 0/,
    ],
    [
      'a price by a field that may be one and a half',
      {
        ...withField('n', { type: 'number', minimum: 0.5, maximum: 4, default: 1 }),
        price: { per_image: 1, count: 'n' },
      },
      'price.count',
      /an integer/,
    ],
    [
      'a price by a field that is one of several, and not all whole',
      { ...withField('n', { type: 'number', enum: [1, 1.5], default: 1 }), price: { per_image: 1, count: 'n' } },
      'price.count',
      /an integer/,
    ],
    [
      'a price by a field that has no end',
      {
        ...VIDEO,
        ...withField('s', { type: 'number', minimum: 1, default: 1 }),
        price: { per_second: 1, length: 's' },
      },
      'price.length',
      /a maximum of at most/,
    ],
    ['one image for several', { price: { per_image: 1 } }, 'price', /must have count: num_images/],
    ['images of a video', { ...VIDEO, price: { per_image: 1, count: 'num_images' } }, 'price.per_image', /no price of/],
    [
      'one video for several',
      { ...VIDEO, input: SEVERAL_VIDEOS, price: { per_second: 1, length: 'duration' } },
      'price',
      /must have count: num_videos/,
    ],
    [
      'a count of videos that has no end',
      {
        ...VIDEO,
        input: {
          ...SEVERAL_VIDEOS,
          properties: { ...SEVERAL_VIDEOS.properties, takes: { type: 'integer', default: 1 } },
        },
        price: { per_second: 1, length: 'duration', count: 'takes' },
      },
      'price.count',
      /a maximum of at most/,
    ],
    [
      'a bound below the length that may be asked for',
      { ...VIDEO, input: SEVERAL_VIDEOS, price: { per_second: 1, count: 'num_videos', at_most: 5 } },
      'price',
      /must have length: duration/,
    ],
    [
      'a length under another spelling',
      {
        ...VIDEO,
        input: { type: 'object', properties: { durationSeconds: { type: 'integer', minimum: 1, maximum: 9 } } },
        price: { per_second: 1, at_most: 5 },
      },
      'price',
      /must have length: durationSeconds/,
    ],
    [
      'a length of images',
      { price: { per_image: 1, count: 'num_images', length: 'num_images' } },
      'price.length',
      /leave it out/,
    ],
    ['a count of a task', { price: { per_task: 1, count: 'num_images' } }, 'price.count', /leave it out/],
    ['a length without a bound', { price: { per_second: 1 } }, 'price', /at_most/],
    [
      'an example that does not fit',
      { examples: [{ prompt: 'a' }, { prompt: 'a', num_images: 9 }] },
      'examples[1]',
      /num_images/,
    ],
  ])('%s', (_, changes, field, problem) => {
    const { entry, faults } = described(changes);
    expect(entry).toBeUndefined();
    expect(faults).toContainEqual([field, expect.stringMatching(problem)]);
  });
});

describe('once it is gone', () => {
  const gone = (rates: Record<string, bigint>, reservedNano = 100n) =>
    goneModel({ model: 'draft-1', operation: 'images.generations', family: 'image', rates, reservedNano });
  it.each<[string, Record<string, bigint>, object, bigint]>([
    ['for what was made', { per_image: 20n }, { images: 2 }, 40n],
    ['never for more than was reserved', { per_image: 20n }, { images: 9 }, 100n],
    ['for what was reserved, where nobody counted', { per_image: 20n }, {}, 100n],
    ['for the seconds made', { per_second: 10n }, { seconds: 2.5 }, 25n],
    ['for the task', { per_task: 100n }, { images: 1 }, 100n],
    [
      'for what was reserved, where several units had a price',
      { text_input: 5n, image_output: 7n },
      { images: 1 },
      100n,
    ],
    ['for nothing, where it was free', { per_image: 0n }, { images: 1 }, 0n],
  ])('a task of it is charged %s', (_, rates, usage, charged) => {
    expect(gone(rates).settle({}, usage, rates)).toBe(charged);
  });
});
