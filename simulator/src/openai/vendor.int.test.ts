import { forAllTests } from '@mediagate/testkit';
import OpenAI, { APIError, toFile } from 'openai';
import { flatPng } from '../../test/images';
import { keyOf, startUnderTest } from '../../test/simulator-under-test';

let client: OpenAI;

const simulator = forAllTests(startUnderTest);
beforeAll(async () => {
  client = new OpenAI({ apiKey: keyOf('openai'), baseURL: `${simulator.url}/openai/v1`, maxRetries: 0 });
});

describe("the vendor's own client edits", () => {
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
