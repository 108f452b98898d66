import { GoogleGenAI } from '@google/genai';
import OpenAI, { APIError, toFile } from 'openai';
import {
  createAdapters,
  createGeminiText,
  createHttpClient,
  createModerator,
  type HttpClient,
  type TextCall,
} from '../src';
import {
  type ReceivedRequest,
  type ReplayServer,
  readForm,
  replyWith,
  startReplayServer,
} from '../src/conformance/replay-server';
import {
  API_KEY,
  callContext,
  type Fixture,
  type FormParts,
  named,
  readAll,
  readFixtures,
  startRequest,
} from './fixtures';

/*
 * The vendors' own clients as judges: they must read the fixtures as the adapters do, and for the same parameters they
 * must send what the adapters send. The `openai` client is also the one that the Ark vendor documents for its images.
 */

let server: ReplayServer | undefined;
let http: HttpClient | undefined;

afterEach(async () => {
  await http?.close();
  await server?.close();
});

async function replay(fixture: Fixture): Promise<ReplayServer> {
  server = await startReplayServer((response, index) => {
    const reply = fixture.replies[index % fixture.replies.length];
    if (!reply) throw new Error('a fixture without replies');
    replyWith(response, reply.status, reply.headers, reply.body ?? Buffer.from(reply.base64, 'base64'));
  });
  return server;
}

async function sentByAdapter(protocol: string, path: string, fixture: Fixture, success: Fixture) {
  const { origin, received } = await replay(fixture);
  http = createHttpClient();
  const adapter = createAdapters({ http }).get(protocol);
  await adapter?.start(startRequest(fixture, success), callContext(origin + path, fixture.options));
  await server?.close();
  return first(received);
}

function first(received: ReceivedRequest[]): ReceivedRequest {
  const [request] = received;
  if (!request) throw new Error('nothing was sent');
  return request;
}

function json({ body }: ReceivedRequest): unknown {
  return JSON.parse(body.toString());
}

/** The client appends its files as they become ready, in no order. */
async function sortedForm(request: ReceivedRequest): Promise<FormParts> {
  const { fields, files } = await readForm(request);
  return { fields, files: files.sort((a, b) => a.filename.localeCompare(b.filename)) };
}

function openAi(origin: string, path: string): OpenAI {
  return new OpenAI({ apiKey: API_KEY, baseURL: origin + path, maxRetries: 0 });
}

describe('openai-images and the openai client', () => {
  const fixtures = readFixtures('openai-images');
  const success = named(fixtures, 'success');
  const body = success.wire?.[0]?.json as unknown as OpenAI.ImageGenerateParamsNonStreaming;

  it('send the same generation', async () => {
    const ours = await sentByAdapter('openai-images', '/v1', success, success);
    const { origin, received } = await replay(success);
    await openAi(origin, '/v1').images.generate(body);
    const theirs = first(received);
    expect([theirs.method, theirs.path]).toEqual([ours.method, ours.path]);
    expect(theirs.headers.authorization).toBe(ours.headers.authorization);
    expect(json(theirs)).toEqual(json(ours));
  });

  it('send the same edit, part by part', async () => {
    const edit = named(fixtures, 'edit');
    const ours = await sentByAdapter('openai-images', '/v1', edit, success);
    const { origin, received } = await replay(edit);
    const [one, two, mask] = await Promise.all(
      (edit.wire?.[0]?.files ?? []).map(({ base64, filename, contentType }) =>
        toFile(Buffer.from(base64, 'base64'), filename, { type: contentType }),
      ),
    );
    if (!one || !two || !mask) throw new Error('the fixture has three files');
    const { n: _, ...fields } = edit.wire?.[0]?.fields ?? {};
    const params = { ...fields, n: 1, image: [one, two], mask };
    await openAi(origin, '/v1').images.edit(params as unknown as OpenAI.ImageEditParamsNonStreaming);
    const theirs = first(received);
    expect(theirs.path).toBe(ours.path);
    expect(await sortedForm(theirs)).toEqual(await sortedForm(ours));
  });

  it.each(['success', 'edit', 'edit-json'])('read the same images and usage from %s', async (name) => {
    const fixture = named(fixtures, name);
    const { origin } = await replay(fixture);
    const answer = await openAi(origin, '/v1').images.generate(body);
    if (fixture.outcome.kind !== 'done') throw new Error('not a success');
    expect(answer.data?.map((image) => image.b64_json)).toEqual(fixture.outcome.outputs.map(({ base64 }) => base64));
    const { outputTokens, inputImageTokens } = fixture.outcome.usage;
    expect(answer.usage?.output_tokens).toBe(outputTokens);
    expect(answer.usage?.input_tokens_details.image_tokens).toBe(inputImageTokens);
  });

  const errors = fixtures.filter(({ replies }) => (replies[0]?.status ?? 0) >= 400);
  it.each(errors.map((fixture) => [fixture.name, fixture] as const))(
    'read the same error from %s',
    async (_, fixture) => {
      const { origin } = await replay(fixture);
      const thrown = await openAi(origin, '/v1')
        .images.generate(body)
        .catch((error: unknown) => error);
      const error = fixture.replies[0]?.body?.['error'] as Record<string, unknown>;
      expect(thrown).toBeInstanceOf(APIError);
      expect(thrown).toMatchObject({
        status: fixture.replies[0]?.status,
        code: error['code'],
        type: error['type'],
        param: error['param'],
      });
      expect(fixture.outcome).toMatchObject({ requestIds: expect.arrayContaining([(thrown as APIError).requestID]) });
    },
  );
});

describe('openai-speech and the openai client', () => {
  const fixtures = readFixtures('openai-speech');
  const success = named(fixtures, 'success');
  const body = success.wire?.[0]?.json as unknown as OpenAI.Audio.SpeechCreateParams;

  it.each(['success', 'plain'])('send the same for %s', async (name) => {
    const fixture = named(fixtures, name);
    const ours = await sentByAdapter('openai-speech', '/v1', fixture, success);
    const { origin, received } = await replay(fixture);
    const params = fixture.wire?.[0]?.json as unknown as OpenAI.Audio.SpeechCreateParams;
    await openAi(origin, '/v1').audio.speech.create(params);
    const theirs = first(received);
    expect([theirs.method, theirs.path]).toEqual([ours.method, ours.path]);
    for (const header of ['authorization', 'accept', 'content-type']) {
      expect(theirs.headers[header]).toBe(ours.headers[header]);
    }
    expect(json(theirs)).toEqual(json(ours));
  });

  it('read the same audio', async () => {
    const { origin } = await replay(success);
    const answer = await openAi(origin, '/v1').audio.speech.create(body);
    expect(success.outcome).toMatchObject({ base64: Buffer.from(await answer.arrayBuffer()).toString('base64') });
  });

  const errors = fixtures.filter(({ replies }) => (replies[0]?.status ?? 0) >= 400);
  it.each(errors.map((fixture) => [fixture.name, fixture] as const))(
    'read the same error from %s',
    async (_, fixture) => {
      const { origin } = await replay(fixture);
      const thrown = await openAi(origin, '/v1')
        .audio.speech.create(body)
        .catch((error: unknown) => error);
      const error = fixture.replies[0]?.body?.['error'];
      expect(thrown).toMatchObject({ status: fixture.replies[0]?.status, error });
      expect(fixture.outcome).toMatchObject({ requestIds: expect.arrayContaining([(thrown as APIError).requestID]) });
    },
  );
});

describe('openai-moderations and the openai client', () => {
  const input: OpenAI.ModerationMultiModalInput[] = [
    { type: 'text', text: 'a lighthouse on a cliff at dusk' },
    { type: 'image_url', image_url: { url: 'https://callers.example/1.png' } },
  ];

  /** Both ask the same question of a vendor that answers so. */
  async function bothAsk(status: number, body: object) {
    const listen = () => startReplayServer((response) => replyWith(response, status, {}, body));
    server = await listen();
    http = createHttpClient();
    const context = callContext(`${server.origin}/v1`, {}, { model: 'omni-moderation-latest' });
    const images = { prompt: 'a lighthouse on a cliff at dusk', imageUrls: ['https://callers.example/1.png'] };
    const verdict = await createModerator({ http }).moderate(images, context);
    const ours = first(server.received);
    await server.close();
    server = await listen();
    const answer = await openAi(server.origin, '/v1')
      .moderations.create({ model: 'omni-moderation-latest', input })
      .catch((error: unknown) => error);
    return { verdict, ours, answer, theirs: first(server.received) };
  }

  it('ask the same, and read the same verdict', async () => {
    const categories = { harassment: false, 'violence/graphic': true };
    const { verdict, ours, answer, theirs } = await bothAsk(200, {
      id: 'modr-1',
      model: 'omni-moderation-2024-09-26',
      results: [{ flagged: true, categories, category_scores: {} }],
    });
    expect([theirs.method, theirs.path]).toEqual([ours.method, ours.path]);
    expect(theirs.headers.authorization).toBe(ours.headers.authorization);
    expect(json(theirs)).toEqual(json(ours));
    expect(answer).toMatchObject({ results: [{ flagged: true, categories }] });
    expect(verdict).toEqual({ kind: 'flagged', categories: ['violence/graphic'] });
  });

  it('read the same refusal', async () => {
    const error = {
      message: 'You exceeded your current quota',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    };
    const { verdict, answer } = await bothAsk(429, { error });
    expect(answer).toMatchObject({ status: 429, code: 'insufficient_quota' });
    expect(verdict).toMatchObject({ kind: 'refused', fault: { code: 'operator' } });
  });
});

describe('ark-images and the openai client', () => {
  const fixtures = readFixtures('ark-images');
  const success = named(fixtures, 'success');
  const body = success.wire?.[0]?.json as unknown as OpenAI.ImageGenerateParamsNonStreaming;

  it('send the same generation', async () => {
    const ours = await sentByAdapter('ark-images', '/api/v3', success, success);
    const { origin, received } = await replay(success);
    await openAi(origin, '/api/v3').images.generate(body);
    const theirs = first(received);
    expect([theirs.path, theirs.headers.authorization]).toEqual([ours.path, ours.headers.authorization]);
    expect(json(theirs)).toEqual(json(ours));
  });

  it('read the same link', async () => {
    const { origin } = await replay(success);
    const answer = await openAi(origin, '/api/v3').images.generate(body);
    if (success.outcome.kind !== 'done') throw new Error('not a success');
    expect(answer.data?.[0]?.url).toBe(success.outcome.outputs[0]?.url);
  });

  const errors = fixtures.filter(({ name, replies }) => name !== 'fewer' && (replies[0]?.status ?? 0) >= 400);
  it.each(errors.map((fixture) => [fixture.name, fixture] as const))(
    'read the same error from %s',
    async (_, fixture) => {
      const { origin } = await replay(fixture);
      const thrown = await openAi(origin, '/api/v3')
        .images.generate(body)
        .catch((error: unknown) => error);
      const error = fixture.replies[0]?.body?.['error'] as Record<string, unknown>;
      expect(thrown).toMatchObject({ status: fixture.replies[0]?.status, code: error['code'], type: error['type'] });
      expect(fixture.outcome).toMatchObject({ requestIds: expect.arrayContaining([(thrown as APIError).requestID]) });
    },
  );
});

// A fetch of its own, because the client else looks for one of Node's internals that a Jest sandbox does not show.
function genAi(origin: string): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: API_KEY,
    vertexai: false,
    httpOptions: { baseUrl: origin, apiVersion: 'v1beta', fetch },
  });
}

describe('gemini and the @google/genai client', () => {
  const fixtures = readFixtures('gemini');
  const success = named(fixtures, 'success');

  function generate(origin: string, fixture: Fixture) {
    const wire = fixture.wire?.[0]?.json ?? success.wire?.[0]?.json ?? {};
    const { contents, generationConfig } = wire as { contents: object[]; generationConfig: object };
    return genAi(origin).models.generateContent({ model: 'vendor-model', contents, config: generationConfig });
  }

  it.each(['success', 'edit', 'preset'])('send the same request for %s', async (name) => {
    const fixture = named(fixtures, name);
    const ours = await sentByAdapter('gemini', '/v1beta', fixture, success);
    const { origin, received } = await replay(fixture);
    await generate(origin, fixture);
    const theirs = first(received);
    expect([theirs.method, theirs.path]).toEqual([ours.method, ours.path]);
    expect(theirs.headers['x-goog-api-key']).toBe(ours.headers['x-goog-api-key']);
    expect(json(theirs)).toEqual(json(ours));
  });

  it.each(['success', 'edit', 'preset'])('read the same image and usage from %s', async (name) => {
    const fixture = named(fixtures, name);
    const { origin } = await replay(fixture);
    const answer = await generate(origin, fixture);
    if (fixture.outcome.kind !== 'done') throw new Error('not a success');
    const parts = answer.candidates?.[0]?.content?.parts ?? [];
    const image = parts.find(({ inlineData, thought }) => inlineData && !thought)?.inlineData;
    const [output] = fixture.outcome.outputs;
    expect([image?.mimeType, image?.data]).toEqual([output?.contentType, output?.base64]);
    const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = answer.usageMetadata ?? {};
    const calls = fixture.outcome.outputs.length;
    expect((candidatesTokenCount + thoughtsTokenCount) * calls).toBe(fixture.outcome.usage.outputTokens);
  });

  it.each(['policy', 'image-withheld', 'none'])('read %s as a success without an image', async (name) => {
    const fixture = named(fixtures, name);
    const { origin } = await replay(fixture);
    const answer = await generate(origin, fixture);
    const block = answer.promptFeedback?.blockReason;
    const finish = answer.candidates?.[0]?.finishReason;
    expect(block ?? finish).toMatch(/^(PROHIBITED_CONTENT|IMAGE_SAFETY|NO_IMAGE)$/);
  });

  const errors = fixtures.filter(({ replies }) => (replies[0]?.status ?? 0) >= 400);
  it.each(errors.map((fixture) => [fixture.name, fixture] as const))(
    'read the same error from %s',
    async (_, fixture) => {
      const { origin } = await replay(fixture);
      const thrown = await generate(origin, fixture).catch((error: unknown) => error);
      const error = fixture.replies[0]?.body?.['error'] as Record<string, unknown>;
      expect(thrown).toMatchObject({ status: fixture.replies[0]?.status });
      expect((thrown as Error).message).toContain(String(error['status']));
    },
  );
});

describe('gemini text and the @google/genai client', () => {
  const ASKED = {
    model: 'vendor-model',
    contents: [{ role: 'user', parts: [{ text: 'Zähle bis drei.' }] }],
    config: { temperature: 0.2, thinkingConfig: { thinkingBudget: 0 }, systemInstruction: 'Be brief.' },
  };
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 };
  const part = (text: string) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] });
  const event = (data: object) => `data: ${JSON.stringify(data)}\r\n\r\n`;
  const events = event(part('eins, ')) + event({ ...part('zwei, drei'), usageMetadata });

  async function answering(contentType: string, body: object | string): Promise<ReplayServer> {
    server = await startReplayServer((response) => replyWith(response, 200, { 'content-type': contentType }, body));
    return server;
  }

  /** The request that reaches the vendor when the body that the client sent goes through our call. */
  async function sentOn(body: Buffer, call: Omit<TextCall, 'body' | 'json'>): Promise<ReceivedRequest> {
    await server?.close();
    const { origin, received } = await answering(call.sse ? 'text/event-stream' : 'application/json', events);
    http = createHttpClient();
    const reply = await createGeminiText(http).call({ ...call, body, json: {} }, callContext(`${origin}/v1beta`));
    if (reply.kind !== 'answer') throw new Error(reply.fault.detail);
    expect(String(await readAll(reply.body))).toBe(events);
    return first(received);
  }

  const calls: [Omit<TextCall, 'body' | 'json'>, (client: GoogleGenAI) => Promise<unknown>, object | string][] = [
    [
      { method: 'generateContent', sse: false },
      (client) => client.models.generateContent(ASKED),
      { ...part('eins, zwei, drei'), usageMetadata },
    ],
    [
      { method: 'streamGenerateContent', sse: true },
      async (client) => {
        const texts: (string | undefined)[] = [];
        for await (const chunk of await client.models.generateContentStream(ASKED)) texts.push(chunk.text);
        expect(texts).toEqual(['eins, ', 'zwei, drei']);
      },
      events,
    ],
    [
      { method: 'countTokens', sse: false },
      (client) => client.models.countTokens({ model: ASKED.model, contents: ASKED.contents }),
      '{"totalTokens":5}',
    ],
  ];

  it.each(calls)('send the same for %j', async (call, ask, answer) => {
    const { origin, received } = await answering(call.sse ? 'text/event-stream' : 'application/json', answer);
    await ask(genAi(origin));
    const theirs = first(received);
    const ours = await sentOn(theirs.body, call);
    expect([ours.method, ours.path]).toEqual([theirs.method, theirs.path]);
    for (const header of ['x-goog-api-key', 'content-type', 'content-length']) {
      expect(ours.headers[header]).toBe(theirs.headers[header]);
    }
    expect(ours.body).toEqual(theirs.body);
    expect(json(ours)).toMatchObject({ contents: ASKED.contents });
  });
});
