import { loadCatalogue } from '@mediagate/catalog';
import { aboutField, type JsonObject, message } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { ownProtocols } from '@mediagate/upstreams';
import { testChannel } from '../test/test-channel';
import { createCarriageJudge } from './carriage-judge';

const catalogue = loadCatalogue();

const channel = (protocol: string, models: Record<string, string>, options: JsonObject = {}): Channel =>
  testChannel(protocol, { protocol, options, models: new Map(Object.entries(models)) });

/** The verdict of the operation's judge on a body. */
function judged(operation: string, channels: Channel[], body: JsonObject, files: Parameters<Judge>[1] = []) {
  const model = operation.startsWith('music.') ? 'musicgen' : String(body['model']);
  const entry = catalogue.find(model, operation);
  const parsed = entry?.parse(body);
  if (!entry || !parsed?.ok) throw new Error(`the body must parse: ${JSON.stringify(parsed)}`);
  return createCarriageJudge(entry, channels, ownProtocols())(parsed.input, files);
}
type Judge = ReturnType<typeof createCarriageJudge>;

const TTAPI = channel('ttapi-suno', { musicgen: 'chirp-v5-5' });
const SUNOAPI = channel('sunoapi', { musicgen: 'V5_5' });
const LOCAL = channel('local-audio', { musicgen: 'local' });
const described = (length: number) => ({ gpt_description: 'x'.repeat(length) });

describe('a task', () => {
  it('is carried if one channel of several can', () => {
    const sound = { prompt: 'a gong', version: 'v5.5' };
    expect(judged('music.sounds', [SUNOAPI], sound)).toEqual({
      param: 'version',
      message: aboutField('version', message('takes_no_sound_version')),
    });
    expect(judged('music.sounds', [SUNOAPI, LOCAL, TTAPI], sound)).toBeUndefined();
  });

  it('is refused by field and limit if none can, whatever channels lack the whole operation', () => {
    expect(judged('music.create', [LOCAL, SUNOAPI, TTAPI], described(500))).toBeUndefined();
    expect(judged('music.create', [LOCAL, SUNOAPI, TTAPI], described(501))).toEqual({
      param: 'gpt_description',
      message: aboutField('gpt_description', message('takes_characters', { limit: 500 })),
    });
    expect(judged('music.create', [LOCAL], described(1))).toEqual({
      message: message('takes_no_operation', { name: 'create' }),
    });
  });

  it('is refused by the largest of several limits', () => {
    const model = 'imagegen-2.5-flare';
    const channels = ['gemini', 'openai-images'].map((protocol) => channel(protocol, { [model]: 'm' }));
    const body = { model, prompt: 'a boat', image_urls: ['https://example.com/a.png'] };
    const file = (bytes: number) =>
      ({ field: 'image_urls[0]', role: 'image', contentType: 'image/png', bytes }) as const;
    const MEBIBYTE = 1024 * 1024;
    expect(judged('images.generations', channels, body, [file(50 * MEBIBYTE)])).toBeUndefined();
    expect(judged('images.generations', channels, body, [file(51 * MEBIBYTE)])).toEqual({
      param: 'image_urls[0]',
      message: aboutField('image_urls[0]', message('file_too_large', { bytes: 51 * MEBIBYTE, limit: 50 * MEBIBYTE })),
    });
  });
});

describe('what is to blame is named as the body calls it', () => {
  const sky = [channel('skyreels-video', { 'videoc-v4-fast': 'fast' })];
  const frame = 'https://example.com/a.png';

  it.each([
    ['a last frame alone', { end_frame_image: frame }, 'end_frame_image'],
    [
      'frames in between alone',
      { mid_frame_images: [{ tag: '@a', image_url: frame }] },
      'mid_frame_images[0].image_url',
    ],
  ])('%s', (_, frames, param) => {
    const body = { model: 'videoc-v4-fast', prompt: '@a', ...frames };
    expect(judged('videos.generations', sky, body)).toMatchObject({ param });
    const first = 'https://example.com/b.png';
    expect(judged('videos.generations', sky, { ...body, first_frame_image: first })).toBeUndefined();
  });

  it('several images to edit, where the server takes one', () => {
    const edit = (count: number) => ({ model: 'imgtool', prompt: 'night', image_urls: Array(count).fill(frame) });
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ field: `image_urls[${index}]`, role: 'image' as const }));
    const [one, several] = [{}, { edit_pictures: 'several' }].map((options) => [
      channel('midjourney-proxy', { imgtool: 'imgtool' }, options),
    ]);
    expect(judged('imgtool.edits', one ?? [], edit(1), files(1))).toBeUndefined();
    expect(judged('imgtool.edits', one ?? [], edit(2), files(2))).toMatchObject({ param: 'image_urls' });
    expect(judged('imgtool.edits', several ?? [], edit(5), files(5))).toBeUndefined();
  });
});

it('a shape of the request that a channel does not know goes by its name in that model', () => {
  const kling = [channel('kling-video', { 'videoa-2.7': 'kling-v3' })];
  const body = { model: 'videoa-2.7', prompt: 'a boat', resolution: '720P', size: '4:3' };
  expect(judged('videos.generations', kling, body)).toMatchObject({ param: 'size' });
});
