import { forAllTests } from '@mediagate/testkit';
import OpenAI, { APIError } from 'openai';
import { keyOf, startUnderTest } from '../../test/simulator-under-test';

const VIDEO_MS = 60_000;
const model = 'Wan-AI/Wan2.2-TI2V-5B-Diffusers';
let client: OpenAI;

const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
beforeAll(async () => {
  client = new OpenAI({ apiKey: keyOf('vllm'), baseURL: `${simulator.url}/vllm/v1`, maxRetries: 0 });
});
afterEach(() => simulator.reset());

/** As the server takes them, of which the client's types know only its own vendor's. */
type Wish = OpenAI.VideoCreateParams;
const wish = (fields: object): Wish => ({ model, prompt: 'a heron', ...fields }) as Wish;

describe('the client of whom the wire is', () => {
  it('reads why a video failed', async () => {
    const { id } = await client.videos.create(wish({ prompt: 'x [[sim:policy-result]]' }));
    await simulator.moveClock({ advanceMs: VIDEO_MS });
    const { status, error } = await client.videos.retrieve(id);
    expect([status, error?.code]).toEqual(['failed', 'moderation_blocked']);
  });
});

describe('refuses as strictly as the server', () => {
  it.each<[string, object, number]>([
    ['a model that it does not run', { model: 'Wan-AI/Wan9' }, 404],
    ['no prompt', { prompt: '' }, 422],
    ['half a second', { seconds: '0.5' }, 422],
    ['a size that is none', { size: '720p' }, 422],
    ['pixels that are no multiples of sixteen', { size: '1280x721' }, 400],
    ['a seed that is no number', { seed: 'seven' }, 422],
    ['an image where it begins from words', { model: 'Wan-AI/Wan2.2-T2V-A14B-Diffusers', image_reference: '{}' }, 400],
    ['a link that is none', { image_reference: '{"file_id":"x"}' }, 422],
  ])('%s', async (_what, fields, status) => {
    const refusal = await client.videos.create(wish(fields)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ status });
    expect((await simulator.tasks()).tasks).toEqual([]);
  });
});
