import { forAllTests } from '@mediagate/testkit';
import OpenAI, { APIError, toFile } from 'openai';
import { colours, flatPng, leftHalfMask } from '../../test/images';
import { keyOf, startUnderTest } from '../../test/simulator-under-test';

let client: OpenAI;

const simulator = forAllTests(startUnderTest);
beforeAll(async () => {
  client = new OpenAI({ apiKey: keyOf('openai'), baseURL: `${simulator.url}/openai/v1`, maxRetries: 0 });
});

const bytesOf = (response: OpenAI.ImagesResponse, index = 0) =>
  Buffer.from(response.data?.[index]?.b64_json ?? '', 'base64');

describe("the vendor's own client edits", () => {
  it('only where the mask is transparent, and keeps every other pixel', async () => {
    const input = await flatPng(1024, 1024, '#3366cc');
    const response = await client.images.edit({
      model: 'gpt-image-2.5-flare',
      prompt: 'a red door',
      image: await toFile(input, 'in.png', { type: 'image/png' }),
      mask: await toFile(await leftHalfMask(1024, 1024), 'mask.png', { type: 'image/png' }),
      size: '1024x1024',
      quality: 'low',
    });
    const kept = { left: 512, top: 0, width: 512, height: 1024 };
    const painted = { left: 0, top: 0, width: 512, height: 1024 };
    const output = bytesOf(response);
    expect((await colours(output, kept)).equals(await colours(input, kept))).toBe(true);
    const before = await colours(input, painted);
    const after = await colours(output, painted);
    const unchanged = after.filter(
      (_, offset) => offset % 3 === 0 && after.readUIntBE(offset, 3) === before.readUIntBE(offset, 3),
    );
    expect(unchanged).toHaveLength(0);
  });

  it.each([
    [1600, 900, '1536x1024'],
    [900, 1600, '1024x1536'],
    [800, 800, '1024x1024'],
  ])('picks for size auto the shape of the first image (%dx%d gives %s)', async (width, height, size) => {
    const image = await toFile(await flatPng(width, height), 'in.png', { type: 'image/png' });
    const response = await client.images.edit({ model: 'gpt-image-2', prompt: 'p', image, quality: 'low' });
    expect(response.size).toBe(size);
  });
});

it("a refusal has a shape from which the vendor's client builds its own error", async () => {
  const attempt = client.images.generate({ model: 'gpt-image-2.5-flare', prompt: 'p', n: 11 });
  await expect(attempt).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  const error = await attempt.catch((reason: unknown) => reason);
  expect(error instanceof APIError && { code: error.code, param: error.param, id: error.requestID }).toEqual({
    code: 'integer_above_max_value',
    param: 'n',
    id: expect.stringMatching(/^req_/),
  });
});
