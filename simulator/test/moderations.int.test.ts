import { forAllTests } from '@mediagate/testkit';
import OpenAI, { APIError } from 'openai';
import { keyOf, startUnderTest } from './simulator-under-test';
import { dataUrl } from './videos';

let client: OpenAI;

const simulator = forAllTests(startUnderTest);
beforeAll(async () => {
  client = new OpenAI({ apiKey: keyOf('openai'), baseURL: `${simulator.url}/openai/v1`, maxRetries: 0 });
});
afterEach(() => simulator.reset());

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
  it('may ask for a verdict', async () => {
    expect(await flags('a heron [[sim:flag]]')).toEqual([{ flagged: true, categories: ['violence'] }]);
    expect(await flags('a heron [[sim:flag=hate+sexual/minors]]')).toEqual([
      { flagged: true, categories: ['hate', 'sexual/minors'] },
    ]);
    await simulator.setRules([{ match: { path: '/moderations' }, scenario: 'flag=sexual' }]);
    const image = { type: 'image_url' as const, image_url: { url: await dataUrl(64, 64) } };
    expect(await flags([image])).toEqual([{ flagged: true, categories: ['sexual'] }]);
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
