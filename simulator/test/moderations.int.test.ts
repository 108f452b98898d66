import OpenAI, { APIError } from 'openai';
import { keyOf, type SimulatorUnderTest, startUnderTest } from './simulator-under-test';
import { dataUrl } from './videos';

let simulator: SimulatorUnderTest;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startUnderTest();
  client = new OpenAI({ apiKey: keyOf('openai'), baseURL: `${simulator.url}/openai/v1`, maxRetries: 0 });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

type Input = OpenAI.ModerationCreateParams['input'];

const moderate = (input: Input) => client.moderations.create({ model: 'omni-moderation-latest', input });
const flags = async (input: Input) => {
  const { results } = await moderate(input);
  return results.map(({ flagged, categories }) => ({
    flagged,
    categories: Object.entries(categories).flatMap(([name, hit]) => (hit ? [name] : [])),
  }));
};

describe("the vendor's own client", () => {
  it('learns that a harmless text is clean, in thirteen categories', async () => {
    const { id, model, results } = await moderate('a heron over a lake');
    expect({ id, model }).toEqual({ id: expect.stringMatching(/^modr-/), model: 'omni-moderation-latest' });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ flagged: false, category_applied_input_types: { hate: ['text'] } });
    expect(Object.keys(results[0]?.categories ?? {})).toHaveLength(13);
    expect(Object.values(results[0]?.category_scores ?? {}).every((score) => score < 0.01)).toBe(true);
  });

  it('learns what words are flagged for, an answer for each text', async () => {
    expect(await flags(['a heron', 'they murder and dismember him', 'naked'])).toEqual([
      { flagged: false, categories: [] },
      { flagged: true, categories: ['violence', 'violence/graphic'] },
      { flagged: true, categories: ['sexual'] },
    ]);
  });

  it('may ask for a verdict', async () => {
    expect(await flags('a heron [[sim:flag]]')).toEqual([{ flagged: true, categories: ['violence'] }]);
    expect(await flags('a heron [[sim:flag=hate+sexual/minors]]')).toEqual([
      { flagged: true, categories: ['hate', 'sexual/minors'] },
    ]);
    await simulator.setRules([{ match: { path: '/moderations' }, scenario: 'flag=sexual' }]);
    const image = { type: 'image_url' as const, image_url: { url: await dataUrl(64, 64) } };
    expect(await flags([image])).toEqual([{ flagged: true, categories: ['sexual'] }]);
  });

  it('has an image scored for what images are scored for', async () => {
    const image = { type: 'image_url' as const, image_url: { url: await dataUrl(64, 64) } };
    const { results } = await moderate([{ type: 'text', text: 'a heron' }, image]);
    expect(results).toMatchObject([
      {
        flagged: false,
        category_applied_input_types: {
          hate: ['text'],
          sexual: ['text', 'image'],
          'violence/graphic': ['text', 'image'],
        },
      },
    ]);
  });

  it.each<[string, number, () => Promise<unknown> | unknown]>([
    ['a model it does not have', 404, () => client.moderations.create({ model: 'other', input: 'x' })],
    ['an empty list', 400, () => moderate([])],
    [
      'an image that cannot be had',
      400,
      () => moderate([{ type: 'image_url', image_url: { url: 'http://127.0.0.1:1/x.png' } }]),
    ],
    [
      'two images',
      400,
      async () => {
        const image = { type: 'image_url' as const, image_url: { url: await dataUrl(64, 64) } };
        return moderate([image, image]);
      },
    ],
    ['an overload', 503, () => moderate('x [[sim:busy]]')],
  ])('is refused %s with %d', async (_what, status, ask) => {
    const refusal = await Promise.resolve(ask()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ status });
  });
});

it('a moderation is no paid work, and stands in the journal', async () => {
  await moderate('a heron');
  expect(await simulator.lastEntry()).toMatchObject({
    operation: 'moderation',
    accepted: false,
    prompt: 'a heron',
    replyStatus: 200,
    request: { input: 'a heron' },
  });
});

it('a flag asked for strikes nothing but moderations', async () => {
  const generate = await client.images.generate({ model: 'gpt-image-2', prompt: 'x [[sim:flag]]', size: '1024x1024' });
  expect(generate.data).toHaveLength(1);
});
