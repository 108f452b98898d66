import { forAllTests } from '@mediagate/testkit';
import OpenAI from 'openai';
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
