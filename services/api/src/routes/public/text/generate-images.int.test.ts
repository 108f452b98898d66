import { type FinishRequest, taskError } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { forAllTests, forEachTest, until } from '@mediagate/testkit';
import { type Answer, startTestApi } from '../../../../test/test-api';
import { pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forEachTest(() => api.createCaller());

const PNG = pngOf(16, 16);
const MODEL = 'imagefast-3.1';
const path = (name: string, verb = 'generateContent', base = '/gemini/v1beta') => `${base}/models/${name}:${verb}`;
const asked = (...parts: object[]) => ({
  contents: [{ role: 'user', parts: [{ text: 'a boat' }, ...parts] }],
  generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '16:9', imageSize: '2K' } },
});
const config = (generationConfig: object) => ({ generationConfig });
const send = (to: string, body: object) => api.post(to, body, { key: caller.key });

function untilBooked() {
  const where = { accountId: caller.accountId, status: 'submitted' } as const;
  return until(async () => (await api.database.task.findFirst({ where })) ?? undefined, 'it is booked');
}

const end = (taskId: TaskId, outcome: FinishRequest['outcome']) => api.end(taskId, outcome);

/** The answer once a worker has made an image for the task, and the task's input. */
async function made(answer: Promise<Answer>) {
  const { id, input } = await untilBooked();
  const { accountId } = caller;
  const file = { accountId, taskId: id as TaskId, bytes: PNG, contentType: 'image/png', lifetimeMs: 3_600_000 };
  const { url } = await api.mediaStore.save({ ...file, purpose: 'result' as const });
  const usage = { input_tokens: 3, output_tokens: 1680, total_tokens: 1683 };
  const result = { images: [{ url: [url], expires_at: 4_000_000_000 }] };
  await end(id as TaskId, { kind: 'completed', costNano: 1n, result, usage });
  return { ...(await answer), id, input };
}

const CANDIDATES = [
  {
    content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } }] },
    finishReason: 'STOP',
    index: 0,
  },
];

describe('an image model by the native endpoint', () => {
  it.each([MODEL, `gemini-${MODEL}`])(
    'answers with the image itself by the name %s, as a task like any other',
    async (name) => {
      const { status, headers, body, id, input } = await made(send(path(name), asked()));
      expect([status, headers.get('x-task-id')]).toEqual([200, id]);
      expect(body).toEqual({
        candidates: CANDIDATES,
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1680, totalTokenCount: 1683 },
        modelVersion: MODEL,
        responseId: id,
      });
      expect(input).toMatchObject({ prompt: 'a boat', size: '16:9', resolution: '2K' });
    },
  );

  it('answers in the wrapper under /v1beta, and as one event or element where pieces are asked for', async () => {
    const wrapped = await made(send(path(MODEL, 'generateContent', '/v1beta'), asked()));
    expect(wrapped.body).toMatchObject({ code: 200, data: { candidates: CANDIDATES } });
    const pieces = path(MODEL, 'streamGenerateContent');
    expect((await made(send(pieces, asked()))).body).toMatchObject([{ candidates: CANDIDATES }]);
    const { headers, body } = await made(send(`${pieces}?alt=sse`, asked()));
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(JSON.parse(String(body).replace('data: ', ''))).toMatchObject({ candidates: CANDIDATES });
  });

  it('edits the images of the last turn, else those that the model made', async () => {
    const image = { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } };
    const own = await made(send(path(MODEL), asked(image)));
    const [first] = asked().contents;
    const again = {
      contents: [first, { role: 'model', parts: [image] }, { role: 'user', parts: [{ text: 'at night' }] }],
    };
    const others = await made(send(path(MODEL), again));
    for (const { input } of [own, others])
      expect(input).toMatchObject({ image_urls: [expect.stringMatching(/^http/)] });
    expect(others.input).toMatchObject({ prompt: 'at night' });
  });

  it('refuses what its model has not, and tells why it failed, in the vendor’s shape', async () => {
    const wrong = await send(path(MODEL), { contents: asked().contents, generationConfig: { candidateCount: 99 } });
    expect([wrong.status, wrong.body.error.status, wrong.body.error.param]).toEqual([
      400,
      'INVALID_ARGUMENT',
      'generationConfig.candidateCount',
    ]);
    const empty = await send(path(MODEL), { contents: [] });
    expect([empty.status, empty.body.error.param]).toEqual([400, 'contents']);
    const answer = send(`${path(MODEL, 'streamGenerateContent')}?alt=sse`, asked());
    await end((await untilBooked()).id as TaskId, { kind: 'failed', error: taskError('content_policy') });
    expect([(await answer).status, (await answer).body.error.reason]).toEqual([400, 'content_policy']);
    expect((await send(path(MODEL, 'countTokens'), asked())).status).toBe(404);
  });

  it.each([
    { fileData: { fileUri: 'https://example.com/a.png', mimeType: 'image/png' } },
    { functionCall: { name: 'look_up', args: {} } },
    { newerKind: {} },
  ])('refuses by its name a part that is neither text nor image: %j', async (part) => {
    const { status, body } = await send(path(MODEL), asked(part));
    expect([status, body.error.param]).toEqual([400, `contents[0].parts[1].${Object.keys(part)[0]}`]);
    const turns = { contents: [{ role: 'model', parts: [part] }, ...asked().contents] };
    expect((await send(path(MODEL), turns)).status).toBe(400);
  });

  it('names in `warnings` the fields, texts and images that it does not use, and refuses them under `Strict`', async () => {
    const image = { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } };
    const [turn] = asked(image).contents;
    const body = {
      contents: [turn, { role: 'model', parts: [image] }, ...asked().contents],
      generationConfig: { constructor: 1, temperature: 1, imageConfig: { outputMimeType: 'image/png' } },
      safetySettings: [],
    };
    const answer = await made(send(path(MODEL, 'generateContent', '/v1beta'), body));
    const names = [
      'safetySettings',
      'generationConfig.constructor',
      'generationConfig.temperature',
      'generationConfig.imageConfig.outputMimeType',
      'contents[0].parts[0].text',
      'contents[0].parts[1].inlineData',
    ];
    expect(answer.body.data.warnings).toEqual(names.map((name) => expect.stringContaining(`${name} was ignored`)));
    expect(answer.input).toMatchObject({ image_urls: [expect.any(String)] });
    const strict = await api.post(path(MODEL), body, { key: caller.key, headers: { strict: 'true' } });
    expect([strict.status, strict.body.error.errors.map(({ param }: { param: string }) => param)]).toEqual([
      400,
      names,
    ]);
  });

  it.each<[param: string, meant: string | undefined, body: object]>([
    ['aspectRatio', 'generationConfig.imageConfig.aspectRatio', { aspectRatio: '16:9' }],
    ['generationConfig.aspect_ratio', 'generationConfig.imageConfig.aspectRatio', config({ aspect_ratio: '16:9' })],
    ['generationConfig.imageConfig.size', 'imageConfig.aspectRatio or', config({ imageConfig: { size: '1024x1024' } })],
    ['generationConfig.width', 'generationConfig.imageConfig.imageSize', config({ width: 1024 })],
    ['generationConfig.numberOfImages', 'generationConfig.candidateCount', config({ numberOfImages: 4 })],
    [
      'generationConfig.imageConfig.candidateCount',
      'generationConfig.candidateCount',
      config({ imageConfig: { candidateCount: 4 } }),
    ],
    ['n', 'generationConfig.candidateCount', { n: 2 }],
    ['image_urls', undefined, { image_urls: ['https://example.com/a.png'] }],
    ['mask', undefined, { mask: 'https://example.com/a.png' }],
    ['webhook', undefined, { webhook: 'https://example.com' }],
    ['callbackUrl', undefined, { callbackUrl: 'https://example.com' }],
    ['max_cost', 'Max-Cost', { max_cost: 0.01 }],
    ['maxCost', 'Max-Cost', { maxCost: 0.01 }],
    ['expires_in', undefined, { expires_in: 60 }],
    ['generationConfig.responseModalities', 'IMAGE', config({ responseModalities: ['TEXT'] })],
    ['generationConfig.responseModalities', 'IMAGE', config({ responseModalities: 'TEXT' })],
    ['generationConfig.responseModalities', 'IMAGE', config({ responseModalities: [{ toString: 1 }] })],
  ])('refuses by its name, with the one to use, what would make another image: %s', async (param, meant, body) => {
    const answer = await send(path(MODEL), { ...asked(), ...body });
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
    if (meant !== undefined) expect(answer.body.error.message).toContain(meant);
  });

  it.each([
    ['generationConfig.imageConfig.aspectRatio', config({ imageConfig: { aspectRatio: '7:5' } })],
    ['generationConfig.imageConfig.imageSize', config({ imageConfig: { imageSize: '9K' } })],
    ['contents[0].parts[1].inlineData.data', asked({ inlineData: { mimeType: 'image/png', data: 'AAAA' } })],
    [
      'contents[0].parts[1].inlineData.data must be base64',
      asked({ inlineData: { mimeType: 'image/png', data: '@@@' } }),
    ],
  ])('names what is wrong as the body called it: %s', async (param, body) => {
    const answer = await send(path(MODEL), { ...asked(), ...body });
    expect([answer.status, answer.body.error.param]).toEqual([400, param.split(' ')[0]]);
    expect(answer.body.error.message).toContain(param);
  });

  it('takes names that ask for nothing', async () => {
    const { status } = await made(send(path(MODEL), { ...asked(), n: null, image_urls: [], webhook: '' }));
    expect(status).toBe(200);
  });

  it.each(['image', 'text'] as const)('is closed to keys of the family %s alone: it needs both', async (family) => {
    const { key } = await api.createCaller({ families: [family] });
    expect((await api.post(path(MODEL), asked(), { key })).status).toBe(403);
  });

  it('is listed with its methods', async () => {
    const { body } = await api.get('/gemini/v1beta/models', { key: caller.key });
    const methods = ['generateContent', 'streamGenerateContent'];
    const listed = body.models.find(({ name }: { name: string }) => name === `models/${MODEL}`);
    expect(listed).toMatchObject({ supportedGenerationMethods: methods });
    expect((await api.get(`/gemini/v1beta/models/gemini-${MODEL}`, { key: caller.key })).body).toEqual(listed);
  });
});
