import { ApiError, GoogleGenAI } from '@google/genai';
import { forAllTests } from '@mediagate/testkit';
import sharp from 'sharp';
import { keyOf, startUnderTest } from '../../test/simulator-under-test';

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
