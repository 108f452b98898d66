import { forAllTests } from '@mediagate/testkit';
import { flatPng } from '../../test/images';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';

const model = 'seedream-4-0-250828';

const simulator = forAllTests(startUnderTest);

interface Answer {
  model: string;
  data: { url: string; b64_json: string; size: string }[];
  usage: { generated_images: number; output_tokens: number; total_tokens: number };
  error: { code: string; message: string; param: string };
}

const ask = (body: unknown, key = keyOf('ark')) =>
  post(`${simulator.url}/ark/api/v3/images/generations`, { key, body });
const generate = async (fields: object): Promise<Answer> => {
  const response = await ask({ model, prompt: 'a heron', ...fields });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
};
const firstLink = (answer: Answer) => answer.data[0]?.url ?? '';

it.each([
  ['several images in one answer', { sequential_image_generation: 'disabled' }],
  ['3K', { size: '3K' }],
  ['more pixels than it makes', { size: '3072x3072' }],
])('seedream 5.0 Pro refuses %s', async (_what, fields) => {
  const pro = 'dola-seedream-5-0-pro-260628';
  expect((await generate({ model: pro, size: '2K' })).data[0]?.size).toBe('2048x2048');
  const response = await ask({ model: pro, prompt: 'p', ...fields });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: Object.keys(fields)[0] } });
});

describe('seedream 5.0', () => {
  const newer = 'seedream-5-0-260128';

  it.each([
    ['2K', '2048x2048'],
    ['3K', '3072x3072'],
    ['4096x2304', '4096x2304'],
    ['2560x1440', '2560x1440'],
  ])('size %s gives %s', async (size, given) => {
    expect((await generate({ model: newer, size })).data[0]?.size).toBe(given);
  });

  it.each([
    ['1K', { size: '1K' }, 'size'],
    ['4K', { size: '4K' }, 'size'],
    ['a million pixels', { size: '1024x1024' }, 'size'],
    ['fifteen inputs', { image: Array.from({ length: 15 }, () => 'x') }, 'image'],
  ])('refuses %s', async (_what, change, param) => {
    const response = await ask({ model: newer, prompt: 'p', ...change });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'InvalidParameter', param } });
  });
});

describe('refuses as strictly as the vendor', () => {
  it.each([
    ['a missing prompt', { prompt: undefined }, 'MissingParameter', 'prompt'],
    ['a missing model', { model: undefined }, 'MissingParameter', 'model'],
    ['a ratio for a size', { size: '16:9' }, 'InvalidParameter', 'size'],
    ['a preset it does not have', { size: '3K' }, 'InvalidParameter', 'size'],
    ['a short side below 1024', { size: '1920x1008' }, 'InvalidParameter', 'size'],
    ['more pixels than 4096x4096', { size: '4096x4112' }, 'InvalidParameter', 'size'],
    ['a negative seed', { seed: -1 }, 'InvalidParameter', 'seed'],
    ['a watermark that is no boolean', { watermark: 'false' }, 'InvalidParameter', 'watermark'],
    ['an unknown response format', { response_format: 'base64' }, 'InvalidParameter', 'response_format'],
    ['eleven inputs', { image: Array.from({ length: 11 }, () => 'x') }, 'InvalidParameter', 'image'],
    [
      'sixteen outputs',
      { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 16 } },
      'InvalidParameter',
      'sequential_image_generation_options.max_images',
    ],
  ])('%s', async (_what, change, code, param) => {
    const response = await ask({ model, prompt: 'p', ...change });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as Answer;
    expect(error).toMatchObject({
      code,
      param,
      type: 'BadRequest',
      message: expect.stringContaining('Request id: 021'),
    });
  });

  it('inputs and outputs beyond fifteen together', async () => {
    const image = `data:image/png;base64,${(await flatPng(64, 64)).toString('base64')}`;
    const sequential = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 15 } };
    expect((await ask({ model, prompt: 'p', image, ...sequential })).status).toBe(400);
  });

  it('a wrong key with 401, an unknown model with 404, an unknown path with 404', async () => {
    expect((await ask({ model, prompt: 'p' }, 'other')).status).toBe(401);
    const unknown = await ask({ model: 'seedream-9', prompt: 'p' });
    expect({ status: unknown.status, body: await unknown.json() }).toMatchObject({
      status: 404,
      body: { error: { code: 'InvalidEndpointOrModel.NotFound' } },
    });
    expect((await post(`${simulator.url}/ark/api/v3/videos`, { key: keyOf('ark'), body: {} })).status).toBe(404);
    expect((await simulator.lastEntry()).warnings).toEqual(['unknown path']);
  });
});

describe('a result link', () => {
  it('serves ranges of one version of the file', async () => {
    const link = firstLink(await generate({ size: '1K' }));
    const whole = Buffer.from(await (await fetch(link)).arrayBuffer());
    const part = await fetch(link, { headers: { range: 'bytes=10-19' } });
    expect({ status: part.status, range: part.headers.get('content-range') }).toEqual({
      status: 206,
      range: `bytes 10-19/${whole.length}`,
    });
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 20))).toBe(true);
    const tail = await fetch(link, { headers: { range: 'bytes=-5' } });
    expect(Buffer.from(await tail.arrayBuffer()).equals(whole.subarray(-5))).toBe(true);
    expect((await fetch(link, { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416);

    expect((await fetch(link, { headers: { 'if-range': '"other"', range: 'bytes=0-1' } })).status).toBe(200);
  });

  it('is refused after 24 hours, and when its expiry was changed', async () => {
    const link = firstLink(await generate({ size: '1K' }));
    expect((await fetch(link.replace(/exp=\d+/, 'exp=9999999999'))).status).toBe(403);
    await simulator.moveClock({ advanceMs: 24 * 3_600_000 - 5_000 });
    expect((await fetch(link)).status).toBe(200);
    await simulator.moveClock({ advanceMs: 10_000 });
    const expired = await fetch(link);
    expect({ status: expired.status, text: await expired.text() }).toMatchObject({
      status: 403,
      text: expect.stringContaining('AccessDenied'),
    });
    expect((await fetch(`${simulator.url}/assets/unknown.jpeg?exp=1`)).status).toBe(404);
  });
});
