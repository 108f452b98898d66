import { ApiError, GoogleGenAI } from '@google/genai';
import { forAllTests } from '@mediagate/testkit';
import sharp from 'sharp';
import { flatPng } from '../../test/images';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';

const model = 'gemini-2.5-flash-image';
let client: GoogleGenAI;

const simulator = forAllTests(startUnderTest);
beforeAll(async () => {
  // With a fetch of one's own the client leaves Undici's global dispatcher alone, which Jest's sandbox does not have.
  const httpOptions = { baseUrl: `${simulator.url}/gemini`, fetch };
  client = new GoogleGenAI({ apiKey: keyOf('gemini'), httpOptions });
});

type Generated = Awaited<ReturnType<typeof client.models.generateContent>>;

const imageOf = (response: Generated) => {
  const parts = response.candidates?.[0]?.content?.parts ?? [];
  const data = parts.find((part) => part.inlineData)?.inlineData;
  return { bytes: Buffer.from(data?.data ?? '', 'base64'), mimeType: data?.mimeType };
};

describe("the vendor's own client", () => {
  it.each([
    ['1:1', 1024, 1024],
    ['4:5', 896, 1152],
    ['21:9', 1536, 672],
  ])('gets a PNG at the pixels of %s', async (aspectRatio, width, height) => {
    const config = { responseModalities: ['IMAGE'], imageConfig: { aspectRatio } };
    const { bytes, mimeType } = imageOf(await client.models.generateContent({ model, contents: 'a fox', config }));
    expect(mimeType).toBe('image/png');
    expect(await sharp(bytes).metadata()).toMatchObject({ width, height, format: 'png' });
  });

  it.each([
    ['512', '1:1', 512, 512, 747],
    [undefined, '16:9', 1344, 768, 1_120],
    ['2K', '8:1', 6144, 768, 1_680],
    ['4K', '1:1', 4096, 4096, 2_520],
  ])('gets %s of the third generation, %s, with its tokens', async (imageSize, aspectRatio, width, height, tokens) => {
    const config = { responseModalities: ['IMAGE'], imageConfig: { aspectRatio, ...(imageSize && { imageSize }) } };
    const made = await client.models.generateContent({ model: 'gemini-3.1-flash-image', contents: 'a fox', config });
    expect(await sharp(imageOf(made).bytes).metadata()).toMatchObject({ width, height });
    expect(made.usageMetadata).toMatchObject({ candidatesTokenCount: tokens });
  });

  it('reads a refusal as its own error', async () => {
    const attempt = client.models.generateContent({ model: 'gemini-3-pro-imaginary', contents: 'x' });
    await expect(attempt).rejects.toBeInstanceOf(ApiError);
    await expect(attempt).rejects.toMatchObject({ status: 404 });
  });
});

describe('refuses as strictly as the vendor', () => {
  const url = () => `${simulator.url}/gemini/v1beta/models/${model}:generateContent`;
  const ask = (body: unknown, key: string = keyOf('gemini')) =>
    post(url(), { key: 'unused', body, headers: { 'x-goog-api-key': key } });
  const withText = { contents: [{ parts: [{ text: 'p' }] }] };
  const withImages = (count: number, data: string, mimeType = 'image/png') => ({
    contents: [
      { parts: [{ text: 'p' }, ...Array.from({ length: count }, () => ({ inlineData: { mimeType, data } }))] },
    ],
  });
  const config = (generationConfig: object) => ({ ...withText, generationConfig });

  it.each([
    ['no contents', {}],
    ['empty contents', { contents: [] }],
    ['a part without data', { contents: [{ parts: [{}] }] }],
    ['an unknown top-level field', { ...withText, prompt: 'p' }],
    ['an unknown config field', config({ aspectRatio: '1:1' })],
    ['a ratio that is not in the table', config({ imageConfig: { aspectRatio: '7:5' } })],
    ['an image size, which this model does not have', config({ imageConfig: { imageSize: '2K' } })],
    ['two candidates', config({ candidateCount: 2 })],
    ['text alone', config({ responseModalities: ['TEXT'] })],
    ['an unknown modality', config({ responseModalities: ['image'] })],
    ['a file link', { contents: [{ parts: [{ text: 'p' }, { fileData: { fileUri: 'https://example.org/x.png' } }] }] }],
    ['bytes that are no image', withImages(1, Buffer.from('nothing').toString('base64'))],
    ['data that is not base64', withImages(1, '<>')],
    ['another type of file', withImages(1, 'AAAA', 'image/gif')],
    ['an unknown role', { contents: [{ role: 'system', parts: [{ text: 'p' }] }] }],
    ['no text at all', { contents: [{ parts: [{ text: ' ' }] }] }],
  ])('%s', async (_what, body) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 400, message: expect.any(String), status: 'INVALID_ARGUMENT' },
    });
    expect(await simulator.lastEntry()).toMatchObject({ accepted: false, replyStatus: 400 });
  });

  it('four input images, but not three', async () => {
    const data = (await flatPng(64, 64)).toString('base64');
    expect((await ask(withImages(4, data))).status).toBe(400);
    expect((await ask(withImages(3, data))).status).toBe(200);
  });

  it('an input image over 7 MB, and a request over 20 MB', async () => {
    const eightMegabytes = Buffer.alloc(8 * 1024 * 1024).toString('base64');
    expect(await (await ask(withImages(1, eightMegabytes))).json()).toMatchObject({
      error: { message: expect.stringContaining('7340032') },
    });
    expect(await (await ask(withImages(2, eightMegabytes))).json()).toMatchObject({
      error: { message: expect.stringContaining('20971520') },
    });
  });

  it('names the unknown field and its place as the vendor does', async () => {
    const response = await ask(config({ imageConfig: { ratio: '1:1' } }));
    expect(await response.json()).toMatchObject({
      error: {
        message:
          'Invalid JSON payload received. Unknown name "ratio" at \'generation_config.image_config\': Cannot find field.',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'generation_config.image_config.ratio' }],
          },
        ],
      },
    });
  });

  it('a missing key with 403, and a wrong one with 400 and its reason', async () => {
    const missing = await fetch(url(), { method: 'POST', body: JSON.stringify(withText) });
    expect({ status: missing.status, body: await missing.json() }).toMatchObject({
      status: 403,
      body: { error: { status: 'PERMISSION_DENIED' } },
    });
    const wrong = await ask(withText, 'AIza-other');
    expect({ status: wrong.status, body: await wrong.json() }).toMatchObject({
      status: 400,
      body: { error: { details: [{ reason: 'API_KEY_INVALID' }] } },
    });
  });

  it('warns of a key in the URL and keeps it out of the journal', async () => {
    const response = await fetch(`${url()}?key=${keyOf('gemini')}`, { method: 'POST', body: JSON.stringify(withText) });
    expect(response.status).toBe(200);
    const entry = await simulator.lastEntry();
    expect(entry.warnings).toEqual([expect.stringContaining('key')]);
    expect(JSON.stringify(entry)).not.toContain(keyOf('gemini'));
  });
});
