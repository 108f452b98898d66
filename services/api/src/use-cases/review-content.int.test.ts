import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Caller, startTestApi, type TestApi } from '../../test/test-api';
import { noisyPngOf } from '../../test/test-images';

const VIDEOS = '/v1/videos/generations';
const IMAGE = 'https://media.example/frame.png';

type Answer = { results: object[] } | 'hang' | 'fail';

let vendor: Server;
let asked: unknown[];
let answer: Answer;
let api: TestApi;
let caller: Caller;

beforeAll(async () => {
  vendor = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push(JSON.parse(Buffer.concat(chunks).toString()));
    if (answer === 'hang') return;
    response.writeHead(answer === 'fail' ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer === 'fail' ? { error: { message: 'down' } } : answer));
  }).listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  const { port } = vendor.address() as AddressInfo;
  api = await startTestApi({ moderationsUrl: `http://127.0.0.1:${port}/v1` });
  caller = await api.createCaller({ balance: '1000' });
});
beforeEach(() => {
  asked = [];
  answer = { results: [{ flagged: false, categories: {} }] };
});
afterAll(async () => {
  await api.stop();
  vendor.closeAllConnections();
  vendor.close();
});

const submit = (body: object) =>
  api.post(VIDEOS, { model: 'videoa-3.0-video', prompt: 'a calm lake', ...body }, { key: caller.key });

async function expectNothingWritten(work: () => Promise<void>): Promise<void> {
  const before = await api.countRows();
  await work();
  expect(await api.countRows()).toEqual(before);
}

describe('a review with nsfw_check', () => {
  it('shows the prompt and the images to the reviewer, and lets through what passes', async () => {
    const { status } = await submit({ nsfw_check: true, image_urls: [IMAGE] });
    expect(status).toBe(200);
    expect(asked).toEqual([
      {
        model: 'omni-moderation-latest',
        input: [
          { type: 'text', text: 'a calm lake' },
          { type: 'image_url', image_url: { url: IMAGE } },
        ],
      },
    ]);
  });

  it('is asked for by nobody who has not the money for the task', async () => {
    const { key } = await api.createCaller({ balance: '0.000001' });
    const body = { model: 'videoa-3.0-video', prompt: 'a calm lake', nsfw_check: true };
    expect((await api.post(VIDEOS, body, { key })).status).toBe(402);
    expect(asked).toEqual([]);
  });

  it('shows an image that came in the body whole, although it is stored apart from it', async () => {
    const image = `data:image/png;base64,${noisyPngOf(400, 400).toString('base64')}`;
    expect((await submit({ model: 'videod-02', nsfw_check: true, first_frame_image: image })).status).toBe(200);
    const [{ input }] = asked as [{ input: unknown[] }];
    expect(input[1]).toEqual({ type: 'image_url', image_url: { url: image } });
  });

  it('judges an image that came in the body, and stores none of what is flagged', () =>
    expectNothingWritten(async () => {
      answer = { results: [{ flagged: true, categories: { violence: true } }] };
      const image = `data:image/png;base64,${noisyPngOf(400, 400).toString('base64')}`;
      const { status, body } = await submit({ model: 'videod-02', nsfw_check: true, first_frame_image: image });
      expect([status, body.error.reason]).toEqual([400, 'content_policy']);
    }));

  it.each([{ nsfw_check: false }, {}])('asks nobody with %j', async (body) => {
    expect((await submit({ ...body, image_urls: [IMAGE] })).status).toBe(200);
    expect(asked).toEqual([]);
  });

  it('refuses what is flagged, naming the categories; nothing is written or charged', () =>
    expectNothingWritten(async () => {
      answer = { results: [{ flagged: true, categories: { violence: true, sexual: true, hate: false } }] };
      const { status, body } = await submit({ nsfw_check: true });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        type: 'invalid_request_error',
        message: 'The prompt or an input image was flagged by moderation: sexual, violence.',
        reason: 'content_policy',
        param: 'prompt',
      });
    }));

  it.each(['fail', 'hang'] as const)('fails closed when the reviewer does %s: 502, nothing written', (does) =>
    expectNothingWritten(async () => {
      answer = does;
      const { status, body } = await submit({ nsfw_check: true });
      expect([status, body.error.type, body.error.reason]).toEqual([502, 'bad_gateway', 'review_unavailable']);
    }),
  );

  it('comes after every judgement of the body itself', async () => {
    expect((await submit({ nsfw_check: true, duration: 31 })).status).toBe(400);
    expect((await submit({ nsfw_check: true, image_urls: ['http://127.0.0.1/a.png'] })).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('judges the address of a page that only the upstream will read', async () => {
    const { status, body } = await submit({ link_url: 'http://10.0.0.1/page' });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/^link_url: /);
  });
});

describe('a review with nsfwCheck of the image tool’s older interface', () => {
  const imagine = (body: object) =>
    api.post('/mj/submit/imagine', { prompt: 'a calm lake', ...body }, { key: caller.key });

  it('shows the prompt to the reviewer, and lets through what passes; false asks nobody', async () => {
    expect((await imagine({ nsfwCheck: true })).body.code).toBe(1);
    expect(asked).toMatchObject([{ input: [{ type: 'text', text: 'a calm lake' }] }]);
    expect((await imagine({ nsfwCheck: false })).body.code).toBe(1);
    expect(asked).toHaveLength(1);
  });

  it('has the code 24 for what it refuses, which leaves no trace', async () => {
    answer = { results: [{ flagged: true, categories: { violence: true } }] };
    await expectNothingWritten(async () => {
      const { status, body } = await imagine({ nsfwCheck: true });
      expect([status, body.code, body.properties.reason]).toEqual([400, 24, 'content_policy']);
    });
  });

  it('is yes or no', async () => {
    const { body } = await imagine({ nsfwCheck: 'yes' });
    expect([body.code, body.properties.param]).toEqual([4, 'nsfwCheck']);
  });
});
