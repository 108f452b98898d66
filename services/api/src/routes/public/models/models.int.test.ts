import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSettings } from '@mediagate/settings';
import { forAllTests } from '@mediagate/testkit';
import { catalogue } from '../../../../test/shared/known-api';
import { startTestApi } from '../../../../test/test-api';

let key: string;

const api = forAllTests(() => startTestApi({ served: ['imagegen-2.5-flare'] }));
beforeAll(async () => {
  key = (await api.createCaller()).key;
});

describe('GET /models', () => {
  it('lists the whole catalogue with prices in currency units, and says what can be had here', async () => {
    const { status, body } = await api.get('/models', { key });
    expect(status).toBe(200);
    expect(body.data.map((model: { id: string }) => model.id)).toEqual(catalogue.entries.map((entry) => entry.id));
    const flare = body.data.find((model: { id: string }) => model.id === 'imagegen-2.5-flare');
    expect(flare).toMatchObject({
      family: 'image',
      kind: 'image',
      available: true,
      result_lifetime_hours: 24,
      prices: { image_output: 30, image_input: 8, cached_image_input: 2, text_input: 5, cached_text_input: 1.25 },
    });
    const others = body.data.filter((model: { id: string }) => model.id !== 'imagegen-2.5-flare');
    expect(others.every((model: { available: boolean }) => !model.available)).toBe(true);
  });
});

describe('GET /models/{id}', () => {
  it('shows the schema of the body, with every default, and examples', async () => {
    const { body } = await api.get('/models/imagegen-2.5-flare', { key });
    expect(body.data.schema).toEqual(catalogue.find('imagegen-2.5-flare')?.schema);
    expect(body.data.schema.properties.quality.default).toBe('auto');
    expect(body.data.examples.length).toBeGreaterThan(0);
  });

  it('takes an alias', async () => {
    const { body } = await api.get('/models/imagefast-ext', { key });
    expect(body.data.id).toBe('imagefast-2.5-flash-image-preview');
  });

  it('answers 404 to an unknown one', async () => {
    const { status, body } = await api.get('/models/imagegen-9', { key });
    expect(status).toBe(404);
    expect(body.error.type).toBe('not_found');
  });

  it('shows every operation of a model that has several, with prices by billing key', async () => {
    const { body } = await api.get('/models/imgtool', { key });
    const operations = catalogue.entries.filter(({ id }) => id === 'imgtool').map(({ operation }) => operation);
    expect(body.data.operations.map(({ operation }: { operation: string }) => operation)).toEqual(operations);
    expect(body.data.operation).toBe(operations[0]);
    const video = body.data.operations.find(({ operation }: { operation: string }) => operation === 'imgtool.video');
    expect(video).toMatchObject({
      prices: { imgtool: 0.05, 'imgtool@video': 0.25, 'imgtool@video-720p': 0.5 },
      schema: { properties: { batch_size: { default: 1 } } },
    });
  });
});

const DESCRIBED = `
models:
  - id: draft-1
    operation: images.generations
    description: Draws drafts of pictures.
    input:
      type: object
      required: [prompt]
      properties:
        prompt: { type: string, maxLength: 100 }
        num_images: { type: integer, minimum: 1, maximum: 4, default: 1 }
        image_url: { type: string, mediagate-media: image }
    price: { per_image: 0.02, count: num_images }
    examples: [{ prompt: a pier }]
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

describe('a model that the configuration alone has', () => {
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'mediagate-described-'));
    const file = join(folder, 'mediagate.yaml');
    writeFileSync(file, DESCRIBED);
    api.configure({ described: openSettings(file, { KEY: 'a-key' }).settings });
    rmSync(folder, { recursive: true });
  });
  const body = { model: 'draft-1', prompt: 'a pier', num_images: 3 };
  const submit = (more: object) => api.post('/v1/images/generations', { ...body, ...more }, { key });

  it('is listed as one of the catalogue is, by both lists', async () => {
    const { body: listed } = await api.get('/models/draft-1', { key });
    expect(listed.data).toMatchObject({
      family: 'image',
      available: true,
      prices: { per_image: 0.02 },
      result_lifetime_hours: 24,
      schema: { description: 'Draws drafts of pictures.', properties: { num_images: { maximum: 4 } } },
      examples: [{ model: 'draft-1', prompt: 'a pier' }],
    });
    const { body: openAi } = await api.get('/v1/models', { key });
    expect(openAi.data).toContainEqual(expect.objectContaining({ id: 'draft-1' }));
  });

  it('is named as one without a test channel to a key of tests', async () => {
    const { key: testKey } = await api.createCaller({ isTest: true, balance: '0' });
    const { status, body: refused } = await api.post('/v1/images/generations', body, { key: testKey });
    expect([status, refused.error]).toMatchObject([400, { reason: 'test_unavailable', param: 'model' }]);
    const unknown = await api.post('/v1/images/generations', { ...body, model: 'draft-9' }, { key: testKey });
    expect(unknown.body.error).toMatchObject({ reason: 'unknown_model', param: 'model' });
  });

  it('stands in the reference from its reload on', async () => {
    const { body: document } = await api.get('/openapi.json');
    expect(JSON.stringify(document)).toContain('Draws drafts of pictures.');
  });

  it('is estimated, and reserved at the same price', async () => {
    const estimate = await api.post('/v1/estimate', { path: '/v1/images/generations', body }, { key });
    expect(estimate).toMatchObject({ status: 200, body: { data: { reserved: 0.06, expected: 0.06 } } });
    const { status, body: accepted } = await submit({});
    expect(status).toBe(200);
    const { task_id: taskId } = accepted.data[0];
    const reservation = await api.database.reservation.findUniqueOrThrow({ where: { taskId } });
    expect(reservation.amountNano).toBe(60_000_000n);
  });

  it.each([
    [{ num_images: 9 }, 'num_images'],
    [{ prompt: undefined }, 'prompt'],
    [{ image_url: 'no address' }, 'image_url'],
    [{ image_url: 'http://127.0.0.1/a.png' }, 'image_url'],
  ])('refuses the body with %j by its field', async (wrong, param) => {
    expect(await submit(wrong)).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it('is gone at the reload of a file without it', async () => {
    api.configure({});
    expect((await api.get('/models/draft-1', { key })).status).toBe(404);
    expect(await submit({})).toMatchObject({ body: { error: { reason: 'unknown_model' } } });
    expect(JSON.stringify((await api.get('/openapi.json')).body)).not.toContain('draft-1');
  });
});
