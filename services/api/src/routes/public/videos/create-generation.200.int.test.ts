import { createPriceBook } from '@mediagate/catalog';
import { forAllTests } from '@mediagate/testkit';
import { catalogue } from '../../../../test/shared/known-api';
import { startTestApi } from '../../../../test/test-api';
import { pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const submit = (body: unknown, headers: Record<string, string> = {}) =>
  api.post('/v1/videos/generations', body, { key: caller.key, headers });
const taskOf = (body: { data: { task_id: string }[] }) =>
  api.database.task.findUniqueOrThrow({ where: { id: body.data[0]?.task_id ?? '' } });

const videoModels = catalogue.entries.filter(({ operation }) => operation === 'videos.generations');

describe('POST /v1/videos/generations that is accepted', () => {
  it.each(videoModels.flatMap(({ id, examples }) => examples.map((example, index) => [id, index, example] as const)))(
    '%s, example %i: is acknowledged, priced and kept as a task of the video family',
    async (id, _index, example) => {
      const { status, headers, body } = await submit(example);
      expect(status).toBe(200);
      expect(body).toEqual({ code: 200, data: [{ status: 'submitted', task_id: expect.stringMatching(/^task_/) }] });
      expect(headers.get('x-task-id')).toBe(body.data[0].task_id);
      const entry = catalogue.find(id);
      const parsed = entry?.parse(example);
      if (!entry || !parsed?.ok) throw new Error('the example must parse');
      expect(await taskOf(body)).toMatchObject({
        family: 'video',
        kind: 'video',
        status: 'submitted',
        model: id,
        operation: 'videos.generations',
        input: parsed.input,
        reservedNano: entry.reserve(parsed.input, createPriceBook().ratesOf(entry, parsed.input)),
      });
    },
  );

  it('takes model names and choices in any letter case', async () => {
    const { status, body } = await submit({ model: 'VideoA-3.0-VIDEO', prompt: 'a lighthouse', resolution: '480p' });
    expect(status).toBe(200);
    expect(await taskOf(body)).toMatchObject({ model: 'videoa-3.0-video', input: { resolution: '480P' } });
  });

  it('names in warnings what was ignored or changed, and nothing that was not sent', async () => {
    const images = { image_urls: ['https://example.com/a.png'] };
    const { body } = await submit({ model: 'videoa-2.7', ...images, size: '9:16', colour: 'red' });
    expect(body.data[0].warnings).toEqual([
      'colour was ignored: the model has no such field',
      'size was ignored: it only goes with text-to-video',
    ]);
    expect((await submit({ model: 'videoa-2.7', ...images })).body.data[0]).not.toHaveProperty('warnings');
  });

  it('cuts a prompt of more than 20,000 characters, and says so', async () => {
    const { status, body } = await submit({
      model: 'videoa-3.0-video',
      prompt: 'x'.repeat(20_001),
      resolution: '480P',
    });
    expect(status).toBe(200);
    expect(body.data[0].warnings).toEqual(['prompt was truncated to 20000 characters']);
    expect((await taskOf(body)).input).toMatchObject({ prompt: 'x'.repeat(20_000) });
  });

  it('keeps a frame that came as a data URL as a file, so that an upstream can fetch it', async () => {
    const png = pngOf(400, 400);
    const frame = `data:image/png;base64,${png.toString('base64')}`;
    const { status, body } = await submit({ model: 'videod-02', prompt: 'a boat', first_frame_image: frame });
    expect(status).toBe(200);
    const { first_frame_image: link } = (await taskOf(body)).input as { first_frame_image: string };
    const media = await api.mediaStore.resolveOwnUrl(link);
    expect(media).toMatchObject({ purpose: 'upload', accountId: caller.accountId, contentType: 'image/png' });
    expect(await api.mediaStore.read(media?.id ?? '')).toEqual(png);
  });
});
