import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartReader, openSettings, SettingsError } from './index';

const directory = mkdtempSync(join(tmpdir(), 'mediagate-models-'));
const file = join(directory, 'mediagate.yaml');
afterAll(() => rmSync(directory, { recursive: true }));

const MODEL = `
models:
  - id: draft-1
    operation: images.generations
    description: Draws drafts.
    input:
      type: object
      required: [prompt]
      properties:
        prompt: { type: string, maxLength: 100 }
        num_images: { type: integer, minimum: 1, maximum: 4, default: 1 }
    price: { per_image: 0.02, count: num_images }
    examples: [{ prompt: a pier }]
`;
const CHANNEL = `
channels:
  - id: hosted
    protocol: fal-queue
    base_url: https://queue.example
    api_key: \${KEY}
    models: { draft-1: flux }
    options:
      templates:
        flux: [{ endpoint: a/flux, input: { from: /body }, output: { image: /images/*/url } }]
`;
const env = { KEY: 'a secret' };

function load(text: string) {
  writeFileSync(file, text);
  return openSettings(file, env);
}

/** As `line:field: message`. */
function faults(text: string): readonly string[] {
  try {
    load(text);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults.map((line) => line.replace(`${file}:`, ''));
    throw error;
  }
}

it('stands in the catalogue beside the others, to be priced and served as they are', () => {
  const { settings, catalogue } = load(`${MODEL}${CHANNEL}prices: { draft-1: { per_image: 0.03 } }`);
  expect(catalogue.find('DRAFT-1', 'images.generations')).toMatchObject({
    family: 'image',
    defaultPrices: { per_image: 0.02 },
  });
  expect(catalogue.modelIds).toEqual(expect.arrayContaining(['draft-1', 'videob-2.0']));
  expect(settings.channels[0]?.models.get('draft-1')).toBe('flux');
  expect(settings.prices.get('draft-1')).toEqual({ units: new Map([['per_image', 30_000_000n]]) });
});

it.each<[string, string, string, string]>([
  [
    'a wrong schema',
    'maxLength: 100',
    'maxLenght: 100',
    '10:models[0].input.properties.prompt: is refused as JSON Schema: strict mode: unknown keyword: "maxLenght"',
  ],
  ['a wrong price', '0.02', '-1', '12:models[0].price.per_image: must be above 0, a decimal with at most 9 places'],
  ['an example that does not fit', 'a pier', '5', '13:models[0].examples[0]: does not fit the input: prompt'],
  [
    'a name that the catalogue has',
    'id: draft-1',
    'id: videob-2.0',
    '3:models[0].id: the catalogue has a model of this name: give it another',
  ],
  [
    'an unknown key',
    'description:',
    'descriptoin:',
    '5:models[0].descriptoin: unknown key: use one of id, operation, description, input, price, moderate, deadline_minutes, result_lifetime_hours, examples',
  ],
  [
    'another operation',
    'images.generations',
    'text.chat',
    '4:models[0].operation: no such operation: use one of images.generations, videos.generations',
  ],
])('%s is a fault of its line', (_, text, wrong, fault) => {
  expect(faults(`${MODEL.replace(text, wrong)}${CHANNEL}`)).toContain(fault);
});

it('one that is wrong is the only fault, also where it has a price and its channel a cost', () => {
  const wrong = MODEL.replace('required: [prompt]', 'required: [promt]');
  const channel = CHANNEL.replace('    options:', '    costs: { draft-1: { per_image: 0.01 } }\n    options:');
  expect(faults(`${wrong}${channel}prices: { draft-1: { per_image: 0.03 } }`)).toEqual([
    expect.stringContaining('"promt" is not defined'),
  ]);
  expect(faults(`${wrong}${channel}prices: { draft-9: { per_image: 0.03 } }`)).toEqual([
    expect.stringContaining('"promt" is not defined'),
    expect.stringContaining('prices.draft-9: nothing is billed under this key'),
  ]);
});

it('keeps its schema and its examples as they are written: empty texts, nulls and dollars are values', () => {
  const dollars = `\${x}`;
  const fields = `
        style: { type: string, minLength: 0, default: "" }
        seed: { type: [integer, 'null'], default: null }
        code: { type: string, pattern: '^[\${}x]+$', default: '${dollars}' }
        num_images`;
  const example = `{ prompt: a pier, style: '', code: '${dollars}' }`;
  const model = MODEL.replace('\n        num_images', () => fields).replace('{ prompt: a pier }', () => example);
  const text = `${model}${CHANNEL}`;
  expect(faults(text)).toEqual([]);
  const [entry] = load(text).settings.models ?? [];
  expect(entry?.parse({ prompt: 'a pier' })).toMatchObject({ input: { style: '', seed: null, code: dollars } });
  expect(entry?.examples).toEqual([{ model: 'draft-1', prompt: 'a pier', style: '', code: dollars }]);
});

it('a template may hold an empty text', () => {
  const channel = CHANNEL.replace('from: /body }', "all: { from: /body }, negative_prompt: '' }");
  expect(faults(`${MODEL}${channel}`).join()).not.toContain('blank');
});

it('two of one name are a fault', () => {
  const second = MODEL.replace('\nmodels:', '').replaceAll('draft-1', 'Draft-1'.toLowerCase());
  expect(faults(`${MODEL.trimEnd()}${second}${CHANNEL}`)).toEqual([
    '14:models[1].id: another model has this id: give each its own',
  ]);
});

it('only a protocol with templates may be mapped to it', () => {
  const wrong = CHANNEL.replace('fal-queue', 'openai-images').replace(/ {4}options:.*/s, '');
  expect(faults(`${MODEL}${wrong}`)).toEqual([
    '20:channels[0].models.draft-1: the protocol openai-images cannot serve this model: map it in a channel of fal-queue, http-job, replicate',
  ]);
});

it.each([
  [
    'an output of another kind',
    'image: /images/*/url',
    'video: /video/url',
    'is missing: models mapped to the template make nothing else',
    '[0].output.image',
  ],
  [
    'a pointer to no field',
    'from: /body }',
    'prompt: { from: /body/promt }, n: { from: /body/num_images } }',
    'no model mapped to the template has this field in its input',
    '[0].input.prompt.from',
  ],
  [
    'no form for an example',
    'from: /body }',
    'prompt: { from: /body/prompt, max_characters: 3 }, n: { from: /body/num_images } }',
    'no form can say an example of draft-1, or its required fields alone: prompt',
    '',
  ],
  [
    'no form for a default',
    'from: /body }',
    'prompt: { from: /body/prompt } }',
    'no form can say an example of draft-1, or its required fields alone: num_images',
    '',
  ],
])('a template with %s is a fault of its line', (_, text, wrong, problem, place) => {
  expect(faults(`${MODEL}${CHANNEL.replace(text, wrong)}`)).toEqual([
    `23:channels[0].options.templates.flux${place}: ${problem}`,
  ]);
});

it('channels that stand elsewhere may be mapped to it, while the file describes it', () => {
  const { settings } = load(`${MODEL}${CHANNEL}`);
  const source = settings.channelSources.get('hosted') ?? {};
  let models = settings.models;
  const reader = createPartReader(env, { inFile: () => ({ models }) });
  expect(reader.channel(source)).toMatchObject({ kind: 'open' });
  models = [];
  expect(reader.channel(source)).toMatchObject({ kind: 'faulty' });
  expect(reader.channel(source, undefined, settings)).toMatchObject({ kind: 'open' });
});

it('a template of a model with several operations may serve one of them', () => {
  const text = `
channels:
  - id: hosted
    protocol: http-job
    base_url: https://tracks.example
    api_key: \${KEY}
    models: { musicgen: tracks }
    options:
      http_job: { result: { files: body } }
      templates:
        tracks:
          - endpoint: tracks
            input: { text: { from: /description } }
            accepts: { /operation: [create], /custom: [false], /version: any, /audioFormat: any }
            output: { audio: /file }
`;
  expect(faults(text)).toEqual([]);
});
