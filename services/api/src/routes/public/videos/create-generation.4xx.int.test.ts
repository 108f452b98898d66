import { loadCatalogue } from '@mediagate/catalog';
import type { JsonObject, Reason } from '@mediagate/contracts';
import { type Caller, startTestApi, type TestApi } from '../../../../test/test-api';

let api: TestApi;
let caller: Caller;
let rows: Record<string, number>;

beforeAll(async () => {
  api = await startTestApi();
  caller = await api.createCaller();
});
beforeEach(async () => {
  rows = await api.countRows();
});
afterEach(async () => {
  // Whatever was wrong, nothing of it may be in the books or in the storage.
  expect(await api.countRows()).toEqual(rows);
});
afterAll(() => api.stop());

const submit = (body: unknown, key = caller.key) => api.post('/v1/videos/generations', body, { key });

const A = 'https://example.com/a.png';
const V = 'https://example.com/a.mp4';
const three = (body: JsonObject) => ({ model: 'videoa-3.0-video', prompt: 'a boat', ...body });

describe('POST /v1/videos/generations that is refused creates no task and costs nothing', () => {
  it.each<[why: string, body: JsonObject, named: string, reason?: Reason]>([
    ['no prompt and no media', { model: 'videoa-3.0-video' }, 'prompt', 'missing_parameter'],
    [
      'frames mixed with references',
      three({ image_with_roles: [{ url: A, role: 'start' }], video_urls: [V] }),
      'video_urls[0]',
      'conflicting_parameters',
    ],
    ['file_url and link_url', three({ file_url: A, link_url: A }), 'link_url', 'conflicting_parameters'],
    ['a duration beyond 30', three({ duration: 31 }), 'duration'],
    ['a duration as a string', three({ duration: '5' }), 'duration'],
    ['an unknown resolution', three({ resolution: '4K' }), 'resolution'],
    ['11 reference images', three({ generation_type: 'reference', image_urls: Array(11).fill(A) }), 'image_urls'],
    ['a last frame alone', { model: 'videod-02', prompt: 'a boat', last_frame_image: A }, 'last_frame_image'],
    ['a data URL where only pages are taken', three({ link_url: 'data:text/html;base64,AAAA' }), 'link_url'],
    [
      'a frame that is no image',
      { model: 'videod-02', prompt: 'a', first_frame_image: 'data:image/png;base64,AAAA' },
      'first_frame_image',
      'bad_media',
    ],
    ['a loopback address', three({ video_urls: ['http://127.0.0.1/a.mp4'] }), 'video_urls[0]', 'bad_media'],
    [
      'a private address in a nested field',
      {
        model: 'videoc-v4-fast',
        prompt: '@a',
        ref_videos: [{ tag: '@a', type: 'extend', video_url: 'http://10.0.0.1/' }],
      },
      'ref_videos[0].video_url',
      'bad_media',
    ],
    [
      'localhost',
      { model: 'videoe-v3', prompt: 'a', image_urls: ['http://localhost/a.png'] },
      'image_urls[0]',
      'bad_media',
    ],
    ['an image model', { model: 'imagegen-2', prompt: 'a boat' }, 'model', 'unknown_model'],
  ])('400: %s', async (_why, body, named, reason = 'invalid_parameter') => {
    const { status, headers, body: answer } = await submit(body);
    const fault = { reason, param: named, message: expect.stringContaining(named) };
    expect([status, answer.error]).toMatchObject([400, fault]);
    expect(headers.get('x-task-id')).toBeNull();
  });

  it('names the route of a model that is of another', async () => {
    const { body } = await submit({ model: 'imagegen-2', prompt: 'a boat' });
    expect(body.error.message).toContain('"imagegen-2" is for POST /v1/images/generations; choose one of ');
  });

  it('names the main one where a model has several', async () => {
    const { body } = await submit({ model: 'musicgen', prompt: 'a boat' });
    expect(body.error.message).toContain('"musicgen" is for POST /v1/music/generations; choose one of ');
  });

  it('lists the models of this route, and only those, when the named one is none', async () => {
    const { body } = await submit({ model: 'video-9', prompt: 'a boat' });
    const videos = [...loadCatalogue().entries.values()].filter(({ family }) => family === 'video');
    const ids = videos.map(({ id }) => id).sort();
    expect(body.error.message).toContain(`choose one of ${ids.join(', ')}`);
    expect(body.error.message).not.toContain('image');
  });

  it('422: image-to-video and Omni fields together', async () => {
    const subjects = [{ tag: '@a', type: 'image', image_urls: [A] }];
    const { status, body } = await submit({
      model: 'videoc-v4-std',
      prompt: '@a',
      first_frame_image: A,
      ref_images: subjects,
    });
    expect([status, body.error]).toMatchObject([422, { reason: 'conflicting_parameters', param: 'ref_images' }]);
  });

  it('402: less money than the most that the task can cost', async () => {
    const { key } = await api.createCaller({ balance: '35.999999999' });
    rows = await api.countRows();
    const { status, body } = await submit(three({ duration: -1 }), key);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ code: 402, type: 'payment_required' });
  });
});
