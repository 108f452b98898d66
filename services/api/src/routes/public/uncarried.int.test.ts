import type { JsonObject } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { startTestApi } from '../../../test/test-api';
import { fileOf, opaquePngOf, pngOf } from '../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const post = (path: string, body: JsonObject) => api.post(path, body, { key: caller.key });

async function uploaded(bytes: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', fileOf(bytes), 'image');
  const { body } = await api.post('/v1/uploads/images', form, { key: caller.key });
  return body.url;
}

const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

const A = 'https://example.com/a.png';

describe('what no channel can carry is 400 by field and limit, creates no task and costs nothing', () => {
  it.each<[why: string, path: string, refused: JsonObject, named: string, accepted: JsonObject]>([
    [
      'a description that is longer than the vendors take',
      '/v1/music/generations',
      { gpt_description: 'x'.repeat(501) },
      'gpt_description: The model accepts at most 500 characters.',
      { gpt_description: 'x'.repeat(500) },
    ],
    [
      'a last frame alone, which the vendor refuses',
      '/v1/videos/generations',
      { model: 'videoc-v4-fast', prompt: 'a boat', end_frame_image: A },
      'end_frame_image: The model accepts a last frame only with a first frame.',
      { model: 'videoc-v4-fast', prompt: 'a boat', first_frame_image: A, end_frame_image: A },
    ],
    [
      'two images to edit, where the vendor takes one',
      '/v1/imgtool/generations/edits',
      { prompt: 'night', image_urls: [A, A] },
      'image_urls: The model accepts only one image for this operation.',
      { prompt: 'night', image_urls: [A] },
    ],
  ])('%s', async (_, path, refused, named, accepted) => {
    const before = await api.countRows();
    const { status, body } = await post(path, refused);
    expect([status, body.error.message]).toEqual([400, named]);
    expect(await api.countRows()).toEqual(before);
    expect((await post(path, accepted)).status).toBe(200);
  });

  it('an upload of a type that the model does not take, which is known before anybody fetches it', async () => {
    const [webp, png] = [await uploaded(WEBP), await uploaded(pngOf(400, 400))];
    const video = (url: string) =>
      post('/v1/videos/generations', { model: 'videoe-v3', prompt: 'a', image_urls: [url] });
    const before = await api.countRows();
    const { status, body } = await video(webp);
    expect([status, body.error.message]).toEqual([
      400,
      'image_urls[0]: The file is image/webp; accepted are image/jpeg, image/png. Convert it to JPEG or PNG.',
    ]);
    expect(await api.countRows()).toEqual(before);
    expect((await video(png)).status).toBe(200);
  });

  const refusedOf = async (body: JsonObject, path = '/v1/videos/generations') => {
    const before = await api.countRows();
    const answer = await post(path, { prompt: 'a', ...body });
    expect(await api.countRows()).toEqual(before);
    return [answer.status, answer.body.error];
  };
  const badMedia = (param: string, problem: string) => [
    400,
    expect.objectContaining({ reason: 'bad_media', param, message: `${param}: ${problem}` }),
  ];

  it.each<[model: string, width: number, height: number, problem: string]>([
    ['videoe-v3', 20, 20, 'each side must have at least 300.'],
    ['videoa-2.6', 400, 239, 'each side must have at least 240.'],
    ['videoa-2.6', 8001, 1001, 'each side may have at most 8000.'],
    ['videoa-2.6', 1921, 240, 'one side may be at most 8 times the other.'],
    ['videoa-2.7', 239, 400, 'each side must have at least 240.'],
    ['videoa-2.7', 1001, 8001, 'each side may have at most 8000.'],
    ['videoa-2.7', 240, 1921, 'one side may be at most 8 times the other.'],
  ])('an upload whose sides %s does not take: %i x %i', async (model, width, height, demand) => {
    const url = await uploaded(pngOf(width, height));
    const problem = `The image has ${width}x${height} pixels; ${demand}`;
    expect(await refusedOf({ model, image_urls: [url] })).toEqual(badMedia('image_urls[0]', problem));
  });

  const OPAQUE = 'The image has no alpha channel; one is required.';
  const edit = (mask_url: string) => ({ model: 'imagegen-2.5-flare', image_urls: [A], mask_url });

  it('a mask without an alpha channel: an upload, and a data URL', async () => {
    const bytes = opaquePngOf(8, 8);
    for (const mask of [await uploaded(bytes), `data:image/png;base64,${bytes.toString('base64')}`]) {
      expect(await refusedOf(edit(mask), '/v1/images/generations')).toEqual(badMedia('mask_url', OPAQUE));
      expect(await refusedOf(edit(mask), '/v1/images/edits')).toEqual(badMedia('mask_url', OPAQUE));
    }
    const { status } = await post('/v1/images/generations', { prompt: 'a', ...edit(await uploaded(pngOf(8, 8))) });
    expect(status).toBe(200);
  });

  it('an upload with an alpha channel where the model takes none, in every role', async () => {
    const [clear, opaque] = [await uploaded(pngOf(240, 240)), await uploaded(opaquePngOf(240, 240))];
    for (const model of ['videoa-3.0-video', 'videoa-3.0-video-prime']) {
      for (const [field, images] of [
        ['image_urls[1]', (url: string) => ({ image_urls: [opaque, url] })],
        ['image_with_roles[0].url', (url: string) => ({ image_with_roles: [{ url, role: 'reference' }] })],
      ] as const) {
        const problem = 'The image has an alpha channel; none is accepted.';
        expect(await refusedOf({ model, ...images(clear) })).toEqual(badMedia(field, problem));
        const { status } = await post('/v1/videos/generations', { model, prompt: 'a', ...images(opaque) });
        expect(status).toBe(200);
      }
    }
  });

  it('an upload with a role, named by its field', async () => {
    const image_with_roles = [{ url: await uploaded(pngOf(200, 300)), role: 'first_frame' }];
    const problem = 'The image has 200x300 pixels; each side must have at least 240.';
    expect(await refusedOf({ model: 'videoa-2.7', image_with_roles })).toEqual(
      badMedia('image_with_roles[0].url', problem),
    );
  });

  it.each(['videoa-2.6', 'videoa-2.7'])('but not an upload at the limits of %s', async (model) => {
    for (const url of [await uploaded(pngOf(240, 240)), await uploaded(pngOf(8000, 1000))]) {
      const { status } = await post('/v1/videos/generations', { model, prompt: 'a', image_urls: [url] });
      expect(status).toBe(200);
    }
  });
});
