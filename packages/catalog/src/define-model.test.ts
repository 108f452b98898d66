import { fieldFailure, inEnglish, message } from '@mediagate/contracts';
import { conflict, defineModel, ignore, type ModelRoute, reject, rewrite, warn } from './index';

const base = {
  id: 'sketch-1',
  family: 'image',
  operation: 'images.generations',
  version: 1,
  rules: [],
  prices: { per_image: 0.1, per_edit: 0.25 },
  media: () => [],
  request: () => ({ prompt: '', n: 1, size: 'auto' as const }),
  settle: () => 0n,
  deadlineMinutes: 1,
  resultLifetimeHours: 1,
  examples: [{ prompt: 'A' }],
} as const;

const input = {
  type: 'object',
  additionalProperties: false,
  required: ['prompt'],
  properties: {
    prompt: { type: 'string' },
    style: { type: 'string', enum: ['Ink', 'Oil'], default: 'Ink' },
    strength: { type: 'integer', minimum: 1, maximum: 9 },
  },
} as const;

const priced = (prices: Record<string, number>) => () => defineModel({ ...base, input, prices, reserve: () => 1n });

it('types input and rates from the schema and the price list', () => {
  defineModel({
    ...base,
    input,
    reserve: ({ style, strength }, rates) => {
      // @ts-expect-error 'Chalk' is no choice of the schema.
      if (style === 'Chalk') return 0n;
      // @ts-expect-error The price list has no such unit.
      if (rates.per_drawing) return 0n;
      // @ts-expect-error It is optional and has no default.
      const sure: number = strength;
      return sure > 0 ? rates.per_edit : rates.per_image;
    },
  });
});

it('refuses a misspelt keyword of JSON Schema', () => {
  const misspelt = { ...input, properties: { prompt: { type: 'string', maxLenght: 5 } } };
  const { compile } = defineModel({ ...base, input: misspelt, reserve: () => 1n });
  expect(compile).toThrow(/unknown keyword: "maxLenght"/);
});

it('refuses a model without a price, and a price that is not a decimal of nano-units', () => {
  expect(priced({})).toThrow('sketch-1: a model needs a price above 0');
  expect(priced({ per_image: 0 })).toThrow('sketch-1: a model needs a price above 0');
  for (const price of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e-10, 1e21]) {
    expect(priced({ per_image: price })).toThrow('sketch-1: the price of per_image must be a decimal of at least 0');
  }
});

it('prices a task from the rates it was accepted with, and a unit that is newer than the task at its default', () => {
  const model = defineModel({ ...base, input, reserve: (_, rates) => rates.per_image + rates.per_edit });
  expect(model.reserve({}, { per_image: 1n, per_edit: 2n })).toBe(3n);
  expect(model.reserve({}, { per_image: 1n })).toBe(250_000_001n);
});

describe('rules', () => {
  const model = defineModel({
    ...base,
    input,
    rules: [
      ({ strength }) => (strength === 9 ? reject('strength', 'must_be_below', { limit: 9 }) : undefined),
      ({ strength }) =>
        strength === undefined ? ignore('style', 'ignored_goes_with', { other: 'strength' }) : undefined,
      ({ prompt }) => (prompt === 'plain' ? ignore('strength', 'ignored_drawn_once') : undefined),
    ],
    reserve: () => 1n,
  });

  it('reject with the field and what would be right', () => {
    expect(model.parse({ prompt: 'A', strength: 9 })).toEqual({
      ok: false,
      code: 'invalid_request',
      failures: [
        {
          reason: 'invalid_parameter',
          param: 'strength',
          message: message('must_be_below', { field: 'strength', limit: 9 }),
        },
      ],
    });
  });

  it('are asked in the first round, but for those that read a field which is wrong already', () => {
    const twoFaults = model.parse({ prompt: 7, strength: 9 });
    expect(twoFaults).toMatchObject({
      failures: [
        { param: 'prompt', message: { key: 'must_be_string' } },
        { param: 'strength', message: { key: 'must_be_below' } },
      ],
    });
    const oneFault = model.parse({ prompt: 7, strength: 10 });
    expect(oneFault).toMatchObject({
      failures: [{ param: 'prompt' }, { param: 'strength', message: { key: 'must_be_in_range' } }],
    });
  });

  it('throw what they throw, where it is no field that is wrong', () => {
    const broken = defineModel({
      ...base,
      input,
      rules: [
        () => {
          throw new TypeError('a mistake');
        },
      ],
      reserve: () => 1n,
    });
    expect(() => broken.parse({ prompt: 7 })).toThrow('a mistake');
  });

  it('ignore whatever stands in the field, also in an input of which only the first fault is looked for', () => {
    const many = Array.from({ length: 2000 }, () => 1);
    expect(model.parse({ prompt: 'A', style: many })).toEqual({
      ok: true,
      input: { prompt: 'A', style: 'Ink' },
      warnings: [message('ignored_goes_with', { field: 'style', other: 'strength' })],
    });
    expect(model.parse({ prompt: 'plain', strength: many })).toMatchObject({ ok: true });
    expect(model.parse({ prompt: 7, style: many })).toMatchObject({ failures: [{ param: 'prompt' }] });
  });

  it('make an ignored field read as if it had not been sent, and warn whoever sent it', () => {
    expect(model.parse({ prompt: 'A', style: 'oil' })).toEqual({
      ok: true,
      input: { prompt: 'A', style: 'Ink' },
      warnings: [message('ignored_goes_with', { field: 'style', other: 'strength' })],
    });
    expect(model.parse({ prompt: 'plain', strength: 2 })).toEqual({
      ok: true,
      input: { prompt: 'plain', style: 'Ink' },
      warnings: [message('ignored_drawn_once', { field: 'strength' })],
    });
    expect(model.parse({ prompt: 'A' })).toMatchObject({ warnings: [] });
  });
});

describe('rules that read a body otherwise', () => {
  const CUT = message('truncated', { field: 'prompt', limit: 3 });
  const DIM = message('elements_not_called', { fields: 'prompt' });
  const model = defineModel({
    ...base,
    input,
    rules: [
      ({ prompt }) => (prompt.length > 3 ? rewrite({ prompt: prompt.slice(0, 3) }, CUT) : undefined),
      ({ prompt }, sent) => (prompt === 'oil' && !sent.has('style') ? rewrite({ style: 'Oil' }) : undefined),
      ({ strength }) => (strength === 1 ? rewrite({ strength: undefined }) : undefined),
      ({ style, strength }) =>
        style === 'Oil' && strength === 9 ? conflict('strength', 'not_combined', { other: 'style' }) : undefined,
      ({ prompt }) => (prompt === 'dim' ? warn(DIM) : undefined),
    ],
    reserve: () => 1n,
  });

  it('put another value in place, or take the field out, for all rules after them', () => {
    expect(model.parse({ prompt: 'oil on canvas' })).toEqual({
      ok: true,
      input: { prompt: 'oil', style: 'Oil' },
      warnings: [CUT],
    });
    expect(model.parse({ prompt: 'A', strength: 1 })).toMatchObject({
      input: { prompt: 'A', style: 'Ink' },
      warnings: [],
    });
  });

  it('can tell what was sent from what is a default', () => {
    expect(model.parse({ prompt: 'oil', style: 'ink' })).toMatchObject({ input: { style: 'Ink' } });
  });

  it('may only warn', () => {
    expect(model.parse({ prompt: 'dim' })).toMatchObject({
      input: { prompt: 'dim' },
      warnings: [DIM],
    });
  });

  it('or say that fields exclude each other', () => {
    expect(model.parse({ prompt: 'A', style: 'oil', strength: 9 })).toMatchObject({ code: 'conflicting_parameters' });
  });
});

it('describes what would be right where a field has alternatives', () => {
  const alternatives = { type: 'integer', anyOf: [{ minimum: 2, maximum: 30 }, { const: -1 }] } as const;
  const properties = { ...input.properties, length: alternatives } as const;
  const model = defineModel({ ...base, input: { ...input, properties }, reserve: () => 1n });
  for (const length of [2, 30, -1]) expect(model.parse({ prompt: 'A', length })).toMatchObject({ ok: true });
  expect(model.parse({ prompt: 'A', length: 1 })).toMatchObject({
    failures: [fieldFailure('invalid_parameter', 'length', 'must_be_in_range_or', { min: 2, max: 30, value: '-1' })],
  });
  expect(model.parse({ prompt: 'A', length: '2' })).toMatchObject({
    failures: [fieldFailure('invalid_parameter', 'length', 'must_be_integer')],
  });
});

it('hands on no pages and has nothing reviewed unless the model says so', () => {
  const model = defineModel({ ...base, input, reserve: () => 1n });
  expect(model.pages({ prompt: 'A' })).toEqual([]);
  expect(model.moderate({ prompt: 'A' })).toBeUndefined();
  // Without the field in its schema nothing can ask for it, also where further fields go to the vendor as they are.
  const open = defineModel({ ...base, input: { ...input, additionalProperties: true }, reserve: () => 1n });
  for (const each of [model, open])
    expect(each.parse({ prompt: 'A', nsfw_check: true })).toMatchObject({ failures: [{ param: 'nsfw_check' }] });
  expect(open.parse({ prompt: 'A', nsfw_check: false })).toMatchObject({ ok: true });
});

it('names at most 20 unknown fields in warnings, each by at most 64 characters', () => {
  const model = defineModel({ ...base, input, reserve: () => 1n });
  const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${'f'.repeat(80)}${index}`, 1]));
  const parsed = model.parse({ prompt: 'A', ...unknown });
  const warnings = parsed.ok ? parsed.warnings.map(inEnglish) : [];
  expect(warnings).toHaveLength(21);
  expect(warnings[0]).toBe(`${'f'.repeat(64)} was ignored: the model has no such field`);
  expect(warnings[20]).toBe('10 more unknown fields were ignored');
});

it('never cuts the name of an unknown field within a character', () => {
  const model = defineModel({ ...base, input, reserve: () => 1n });
  const parsed = model.parse({ prompt: 'A', [`${'f'.repeat(63)}🌊g`]: 1 });
  expect(parsed).toMatchObject({ warnings: [message('ignored_unknown', { field: `${'f'.repeat(63)}🌊` })] });
});

it('shows the whole body in its schema: model with its aliases, its own fields, and those of every submission', () => {
  const { schema } = defineModel({ ...base, aliases: ['sketch'], input, reserve: () => 1n });
  expect(schema).toMatchObject({
    required: ['model', 'prompt'],
    properties: { model: { enum: ['sketch-1', 'sketch'] }, style: { default: 'Ink' }, webhook: {}, language: {} },
  });
});

describe('the model in the body, as the API reference shows it', () => {
  const shown = (family: 'image' | 'music' | 'imgtool', more: { route?: ModelRoute } = {}) => {
    const request = () => ({ operation: 'create', action: 'imagine', prompt: '', n: 1, size: 'auto' }) as never;
    const { schema, examples } = defineModel({ ...base, ...more, family, input, request, reserve: () => 1n });
    const { required, properties } = schema as { required: string[]; properties: { model?: object } };
    return { required, model: properties.model, example: examples[0] };
  };

  it('is required', () => {
    expect(shown('image')).toMatchObject({ required: ['model', 'prompt'], example: { model: 'sketch-1' } });
  });

  it('of music has a default on a path of its own, and is required on that of another model', () => {
    const { required, model } = shown('music', { route: { paths: ['/v1/sketches'], summary: 'Sketch' } });
    expect([required, model]).toEqual([['prompt'], { type: 'string', enum: ['sketch-1'], default: 'sketch-1' }]);
    expect(shown('music')).toMatchObject({ required: ['model', 'prompt'], model: { enum: ['sketch-1'] } });
  });

  it('of the image tool is not passed', () => {
    const { required, model, example } = shown('imgtool');
    expect([required, model, example]).toEqual([['prompt'], undefined, { prompt: 'A' }]);
  });
});
