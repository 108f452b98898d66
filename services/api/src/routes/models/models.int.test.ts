import { catalogue, startTestApi, type TestApi } from '../../../test/test-api';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await startTestApi({ served: ['imagegen-2.5-flare'] });
  key = (await api.createCaller()).key;
});
afterAll(() => api.stop());

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
