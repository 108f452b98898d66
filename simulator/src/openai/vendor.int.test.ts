import { forAllTests } from '@mediagate/testkit';
import OpenAI, { APIError, toFile } from 'openai';
import sharp from 'sharp';
import { colours, flatPng, leftHalfMask } from '../../test/images';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';

let client: OpenAI;

const simulator = forAllTests(startUnderTest);
beforeAll(async () => {
  client = new OpenAI({ apiKey: keyOf('openai'), baseURL: `${simulator.url}/openai/v1`, maxRetries: 0 });
});

const bytesOf = (response: OpenAI.ImagesResponse, index = 0) =>
  Buffer.from(response.data?.[index]?.b64_json ?? '', 'base64');

describe("the vendor's own client generates", () => {
  it.each([
    ['gpt-image-2', 'low', 196],
    ['gpt-image-2', 'auto', 1_756],
    ['gpt-image-2-2026-04-21', 'high', 7_024],
    ['gpt-image-2.5-sunburst', 'low', 196],
    ['gpt-image-2.5-sunburst', 'auto', 439],
    ['gpt-image-2.5-flare-2026-09-08', 'xhigh', 3_122],
    ['gpt-image-2.5-flare', 'max', 7_024],
  ])('%s at quality %s with %d output tokens for a square image', async (model, quality, tokens) => {
    const body = { model, prompt: 'p', quality, size: '1024x1024', n: 2 };
    const response = await post(`${simulator.url}/openai/v1/images/generations`, { key: keyOf('openai'), body });
    const { usage, data } = (await response.json()) as OpenAI.ImagesResponse;
    expect(data).toHaveLength(2);
    expect(usage?.output_tokens).toBe(2 * tokens);
  });

  it('with request id and rate headers on success and refusal alike', async () => {
    const url = `${simulator.url}/openai/v1/images/generations`;
    const headersOf = async (key: string) => Object.fromEntries((await post(url, { key, body: {} })).headers);
    for (const headers of [await headersOf(keyOf('openai')), await headersOf('wrong')]) {
      expect(headers).toMatchObject({
        'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
        'x-ratelimit-limit-requests': '100000',
        'x-ratelimit-remaining-requests': expect.stringMatching(/^\d+$/),
        'x-ratelimit-reset-requests': expect.stringMatching(/^\d+s$/),
      });
    }
  });
});

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

describe('generations refuse as strictly as the vendor', () => {
  const valid = { model: 'gpt-image-2.5-flare', prompt: 'p', size: '1024x1024' };
  const generate = (body: object | string, key = keyOf('openai')) =>
    post(`${simulator.url}/openai/v1/images/generations`, { key, body });

  it.each([
    ['a missing prompt', { prompt: undefined }, 'missing_required_parameter', 'prompt'],
    ['an empty prompt', { prompt: '' }, 'empty_string', 'prompt'],
    ['a prompt of 32,001 characters', { prompt: 'x'.repeat(32_001) }, 'string_above_max_length', 'prompt'],
    ['a missing model', { model: undefined }, 'missing_required_parameter', 'model'],
    ['n of 0', { n: 0 }, 'integer_below_min_value', 'n'],
    ['n of 11', { n: 11 }, 'integer_above_max_value', 'n'],
    ['a fraction of an image', { n: 1.5 }, 'invalid_type', 'n'],
    ['n as text', { n: '2' }, 'invalid_type', 'n'],
    ['an unknown parameter', { image_urls: [] }, 'unknown_parameter', 'image_urls'],
    [
      'response_format, which these models do not have',
      { response_format: 'url' },
      'unknown_parameter',
      'response_format',
    ],
    ['a size that is not a multiple of 16', { size: '1000x1024' }, 'invalid_value', 'size'],
    ['a ratio beyond 3:1', { size: '3200x1024' }, 'invalid_value', 'size'],
    ['an edge beyond 3840', { size: '3856x2048' }, 'invalid_value', 'size'],
    ['too few pixels', { size: '800x800' }, 'invalid_value', 'size'],
    ['too many pixels', { size: '3840x2176' }, 'invalid_value', 'size'],
    ['a ratio for a size', { size: '16:9' }, 'invalid_value', 'size'],
    ['an unknown quality', { quality: 'hd' }, 'invalid_value', 'quality'],
    ['xhigh on gpt-image-2', { model: 'gpt-image-2', quality: 'xhigh' }, 'invalid_value', 'quality'],
    ['max on gpt-image-2', { model: 'gpt-image-2', quality: 'max' }, 'invalid_value', 'quality'],
    ['a transparent jpeg', { background: 'transparent', output_format: 'jpeg' }, 'invalid_value', 'background'],
    ['compression of a png', { output_compression: 50 }, 'invalid_value', 'output_compression'],
    [
      'compression above 100',
      { output_compression: 101, output_format: 'jpeg' },
      'integer_above_max_value',
      'output_compression',
    ],
    ['an unknown format', { output_format: 'gif' }, 'invalid_value', 'output_format'],
    ['an unknown moderation', { moderation: 'off' }, 'invalid_value', 'moderation'],
  ])('%s', async (_what, change, code, param) => {
    const response = await generate({ ...valid, ...change });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param, code },
    });
    expect(await simulator.lastEntry()).toMatchObject({ accepted: false, externalId: null, replyStatus: 400 });
  });

  it.each(['1024x1024', '2560x1440', '3840x2160', '2160x3840', '1344x576'])('but not the size %s', async (size) => {
    expect((await generate({ ...valid, size, quality: 'low' })).status).toBe(200);
  });

  it('an unknown model with 404, a wrong key with 401, an unknown path with 404, text that is no JSON with 400', async () => {
    expect((await generate({ ...valid, model: 'imagegen-2.5-flare' })).status).toBe(404);
    expect((await generate(valid, 'sk-other')).status).toBe(401);
    expect(
      (await post(`${simulator.url}/openai/v1/images/variations`, { key: keyOf('openai'), body: {} })).status,
    ).toBe(404);
    expect((await generate('{"model":')).status).toBe(400);
  });

  it("in a shape from which the vendor's client builds its own error", async () => {
    const attempt = client.images.generate({ ...valid, n: 11 });
    await expect(attempt).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    const error = await attempt.catch((reason: unknown) => reason);
    expect(error instanceof APIError && { code: error.code, param: error.param, id: error.requestID }).toEqual({
      code: 'integer_above_max_value',
      param: 'n',
      id: expect.stringMatching(/^req_/),
    });
  });
});

describe('edits refuse', () => {
  const form = (files: [string, Buffer, string][], fields: Record<string, string> = {}) => {
    const data = new FormData();
    const texts = { model: 'gpt-image-2', prompt: 'p', size: '1024x1024', ...fields };
    for (const [name, value] of Object.entries(texts)) data.append(name, value);
    for (const [name, bytes, type] of files) data.append(name, new Blob([new Uint8Array(bytes)], { type }), 'f');
    return data;
  };
  const send = (body: FormData) =>
    fetch(`${simulator.url}/openai/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('openai')}` },
      body,
    });
  const expectRefusal = async (body: FormData, code: string, param: string) => {
    const response = await send(body);
    expect({ status: response.status, ...((await response.json()) as object) }).toEqual({
      status: 400,
      error: { message: expect.any(String), type: 'invalid_request_error', code, param },
    });
  };
  const png = 'image/png';

  it('a mask of another size than the first image', async () => {
    const files: [string, Buffer, string][] = [
      ['image', await flatPng(640, 640), png],
      ['mask', await leftHalfMask(320, 640), png],
    ];
    await expectRefusal(form(files), 'invalid_mask_image_size', 'mask');
  });

  it('a mask without an alpha channel', async () => {
    const files: [string, Buffer, string][] = [
      ['image', await flatPng(640, 640), png],
      ['mask', await flatPng(640, 640), png],
    ];
    await expectRefusal(form(files), 'invalid_mask_image_format', 'mask');
  });

  it('a mask that is no PNG', async () => {
    const webp = await sharp(await leftHalfMask(640, 640))
      .webp()
      .toBuffer();
    await expectRefusal(
      form([
        ['image', await flatPng(640, 640), png],
        ['mask', webp, png],
      ]),
      'invalid_mask_image_format',
      'mask',
    );
  });

  it('a mask of 4 MB', async () => {
    const noise = await sharp({
      create: {
        width: 1200,
        height: 1200,
        channels: 4,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(noise.length).toBeGreaterThan(4 * 1024 * 1024);
    await expectRefusal(
      form([
        ['image', await flatPng(1200, 1200), png],
        ['mask', noise, png],
      ]),
      'mask_too_large',
      'mask',
    );
  });

  it('more than sixteen images', async () => {
    const image = await flatPng(64, 64);
    const files = Array.from({ length: 17 }, (): [string, Buffer, string] => ['image[]', image, png]);
    await expectRefusal(form(files), 'array_above_max_length', 'image');
  });

  it('a file without an image type, and one whose bytes are no image', async () => {
    await expectRefusal(
      form([['image', await flatPng(64, 64), 'application/octet-stream']]),
      'unsupported_file_mimetype',
      'image',
    );
    await expectRefusal(form([['image', Buffer.from('not an image'), png]]), 'invalid_image_file', 'image');
    const cut = (
      await sharp(await flatPng(900, 900))
        .png({ compressionLevel: 0 })
        .toBuffer()
    ).subarray(0, 5_000);
    await expectRefusal(form([['image', cut, png]]), 'invalid_image_file', 'image');
  });

  it('no image, an unknown field, an unknown file, a bad number, and input_fidelity', async () => {
    const image: [string, Buffer, string] = ['image', await flatPng(64, 64), png];
    await expectRefusal(form([]), 'missing_required_parameter', 'image');
    await expectRefusal(form([image], { response_format: 'b64_json' }), 'unknown_parameter', 'response_format');
    await expectRefusal(form([image, ['photo', image[1], png]]), 'unknown_parameter', 'photo');
    await expectRefusal(form([image], { n: 'two' }), 'invalid_type', 'n');
    await expectRefusal(form([image], { input_fidelity: 'high' }), 'invalid_input_fidelity_model', 'input_fidelity');
  });

  it('a form that breaks off', async () => {
    const response = await fetch(`${simulator.url}/openai/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('openai')}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="image"; filename="f"\r\ncontent-type: image/png\r\n\r\nabc',
    });
    expect(response.status).toBe(400);
  });
});
