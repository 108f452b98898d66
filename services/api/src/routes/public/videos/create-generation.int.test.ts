import { createPriceBook } from '@mediagate/catalog';
import type { JsonObject, Reason } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { catalogue } from '../../../../test/shared/known-api';
import { startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const submit = (body: unknown) => api.post('/v1/videos/generations', body, { key: caller.key });

const models = catalogue.entries.filter(({ operation }) => operation === 'videos.generations');

describe('POST /v1/videos/generations', () => {
  it.each(models.map((entry) => [entry.id, entry] as const))(
    'acknowledges the examples of %s, prices them, and keeps them as tasks of the video family',
    async (id, entry) => {
      for (const example of entry.examples) {
        const { status, headers, body } = await submit(example);
        const acknowledged = { code: 200, data: [{ status: 'submitted', task_id: expect.stringMatching(/^task_/) }] };
        expect([example, status, body]).toEqual([example, 200, acknowledged]);
        const taskId = body.data[0].task_id;
        expect(headers.get('x-task-id')).toBe(taskId);
        const parsed = entry.parse(example);
        if (!parsed.ok) throw new Error('the example must parse');
        expect(await api.database.task.findUniqueOrThrow({ where: { id: taskId } })).toMatchObject({
          family: 'video',
          kind: 'video',
          status: 'submitted',
          model: id,
          operation: 'videos.generations',
          input: parsed.input,
          reservedNano: entry.reserve(parsed.input, createPriceBook().ratesOf(entry, parsed.input)),
        });
      }
    },
  );

  const A = 'https://example.com/a.png';
  const privateVideo = { tag: '@a', type: 'extend', video_url: 'http://10.0.0.1/' };
  const frame = 'data:image/png;base64,AAAA';

  it.each<[why: string, body: JsonObject, named: string, reason: Reason, status?: number]>([
    ['no prompt and no media', { model: 'videoa-3.0-video' }, 'prompt', 'missing_parameter'],
    [
      'a frame that is no image',
      { model: 'videod-02', prompt: 'a', first_frame_image: frame },
      'first_frame_image',
      'bad_media',
    ],
    [
      'a private address in a nested field',
      { model: 'videoc-v4-fast', prompt: '@a', ref_videos: [privateVideo] },
      'ref_videos[0].video_url',
      'bad_media',
    ],
    [
      'fields that exclude each other, as the vendor answers it',
      {
        model: 'videoc-v4-std',
        prompt: '@a',
        first_frame_image: A,
        ref_images: [{ tag: '@a', type: 'image', image_urls: [A] }],
      },
      'ref_images',
      'conflicting_parameters',
      422,
    ],
  ])('refuses %s by its field, and keeps nothing of it', async (_why, body, param, reason, ...[status = 400]) => {
    const rows = await api.countRows();
    const answer = await submit(body);
    expect([answer.status, answer.body.error]).toMatchObject([status, { param, reason }]);
    expect(answer.headers.get('x-task-id')).toBeNull();
    expect(await api.countRows()).toEqual(rows);
  });

  it('names the main route of a model that is of others, and its own models where there is no such model', async () => {
    const said = async (model: string) => (await submit({ model, prompt: 'a boat' })).body.error.message;
    expect(await said('imagegen-2')).toContain('"imagegen-2" is for POST /v1/images/generations; choose one of ');
    expect(await said('musicgen')).toContain('"musicgen" is for POST /v1/music/generations; choose one of ');
    const ids = models.map(({ id }) => id).sort();
    expect(await said('video-9')).toMatch(new RegExp(`choose one of ${ids.join(', ')}[^,]*$`));
  });
});
