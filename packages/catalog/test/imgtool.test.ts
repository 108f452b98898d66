import type { ImgtoolRequest, JsonObject } from '@mediagate/contracts';
import { createPriceBook, loadCatalogue, type PriceOverride, type SourceTask } from '../src';
import { modelUnderTest } from './model-under-test';
import { refuse } from './parsing';

const TASK = 'task_01m7y2sj24fztvyr284w6jthg6';
const A = 'https://example.com/a.png';
const B = 'https://example.com/b.png';
const catalogue = loadCatalogue();

const action = (name: string, base: JsonObject = {}) => modelUnderTest('imgtool', base, `imgtool.${name}`);
const imagine = action('imagine', { prompt: 'a fox' });
const follow = (name: string, base: JsonObject = {}) => action(name, { task_id: TASK, ...base });

const tiles = [1, 2, 3, 4].map((index) => `https://media.example/${index}.png`);
const button = (custom_id: string) => ({ custom_id, label: '' });

function parent(buttons: string[], { input = { version: 'v7' }, ...rest }: Partial<SourceTask> = {}): SourceTask {
  return {
    id: TASK,
    model: 'imgtool',
    kind: 'imgtool',
    operation: 'imgtool.imagine',
    status: 'completed',
    input,
    result: { image_urls: tiles, buttons: buttons.map(button) },
    upstream: { channelId: 'mj', protocol: 'midjourney-proxy', externalId: '17' },
    ...rest,
  };
}

const GRID = [1, 2, 3, 4].flatMap((index) => [`MJ::JOB::upsample::${index}::h`, `MJ::JOB::variation::${index}::h`]);
const grid = parent([...GRID, 'MJ::JOB::reroll::0::h::SOLO']);
const single = parent([
  'MJ::JOB::upsample_v7_2x_subtle::1::h::SOLO',
  'MJ::JOB::high_variation::1::h::SOLO',
  'MJ::Inpaint::1::h::SOLO',
  'MJ::JOB::low_variation::1::h::SOLO',
  'MJ::Outpaint::50::1::h::SOLO',
  'MJ::Outpaint::75::1::h::SOLO',
  'MJ::JOB::pan_left::1::h::SOLO',
  'MJ::CustomZoom::h',
]);

/** The request of a body whose parent was found; fails the test when the parent is refused. */
function requestOf(model: ReturnType<typeof action>, body: JsonObject, task: SourceTask): JsonObject {
  const bound = model.bound(body, task);
  if (!bound.ok) throw new Error(bound.message);
  return model.entry.request(bound.input, []);
}

describe('imagine', () => {
  it('needs a prompt, and one of flags alone is none', () => {
    expect(imagine.refused({ prompt: ' ' }).param).toBe('prompt');
    expect(imagine.refused({ prompt: '--ar 3:2' }).param).toBe('prompt');
  });

  it('takes no flags among what should not be there, nor as a style, because nobody would have paid for them', () => {
    for (const negative_prompt of ['people --turbo', '\u2014repeat 9', 'cars --v 7']) {
      expect(imagine.refused({ prompt: 'a fox', negative_prompt }).param).toBe('negative_prompt');
    }
    expect(imagine.input({ prompt: 'a fox', negative_prompt: 'semi-detached houses -- and cars' })).toBeDefined();
    expect(imagine.refused({ prompt: 'a fox', style: '--turbo' }).param).toBe('style');
  });

  it('keeps what is the caller’s own up to 16,384 characters of JSON', () => {
    const metadata = (length: number) => ({ order: 'x'.repeat(length - '{"order":""}'.length) });
    expect(imagine.input({ prompt: 'a fox', metadata: metadata(16_384) })).toBeDefined();
    expect(imagine.refused({ prompt: 'a fox', metadata: metadata(16_385) }).param).toBe('metadata');
  });

  it('hands every parameter on as a flag behind the prompt, body fields before inline ones', () => {
    const body = {
      prompt: 'a fox --ar 1:1 --weird 7',
      size: '3:2',
      version: 7,
      stylize: 100,
      chaos: 1,
      quality: 2,
      iw: 0.5,
      seed: 0,
      negative_prompt: 'cars, snow',
      tile: true,
      raw: true,
      draft: true,
      hd: true,
      stop: 50,
      style: 'x',
      image_urls: [A],
      speed: 'TURBO',
      metadata: { order: 1 },
    };
    expect(imagine.requested(body)).toEqual({
      action: 'imagine',
      speed: 'turbo',
      niji: false,
      prompt:
        'a fox --ar 3:2 --v 7 --style x --s 100 --c 1 --w 7 --q 2 --iw 0.5 --seed 0 --stop 50 --tile --raw --draft --hd --no cars, snow',
    } satisfies ImgtoolRequest);
    expect(imagine.input(body)).toMatchObject({ metadata: { order: 1 }, version: 'v7', prompt: 'a fox' });
  });

  it('asks older versions for raw as a style', () => {
    expect(imagine.requested({ raw: true, version: '6.1' })).toMatchObject({ prompt: 'a fox --v 6.1 --style raw' });
  });

  it.each<[field: string, right: unknown[], wrong: unknown[]]>([
    ['size', ['3:2', '16:9', '139:100', '14:1', '1:14'], ['wide', '0:1', '1024x1024', '999:1', '1:15']],
    ['image_urls', [[], [A], Array(5).fill(A)], [['ftp://a'], A, Array(6).fill(A)]],
  ])('%s has its limits', (field, right, wrong) => {
    for (const value of right) expect(imagine.warnings({ [field]: value } as JsonObject)).toEqual([]);
    for (const value of wrong) expect(imagine.refused({ [field]: value } as JsonObject).param).toContain(field);
  });

  it('holds inline flags to the same limits', () => {
    expect(imagine.refused({ prompt: 'a fox --s 5000' }).param).toBe('stylize');
    expect(imagine.refused({ prompt: 'a fox --v 9' }).param).toBe('version');
  });

  it('says what a ratio is in words, and to which shapes the vendor draws', () => {
    expect(imagine.refused({ size: 'wide' }).message).toBe('size must be a ratio, such as 3:2');
    expect(imagine.refused({ size: '15:1' }).message).toBe('size must be from 1:14 to 14:1');
    expect(imagine.refused({ prompt: 'a fox --style ?' }).message).toBe(
      'style must be one word of letters a to z, digits, _ and -',
    );
  });

  it('is one job: repeat is ignored with a warning', () => {
    expect(imagine.warnings({ repeat: 3 })).toEqual([
      'repeat was ignored: each task makes its images once; submit it again for more',
    ]);
  });
});

describe('versions', () => {
  it.each([
    ...[8, '8', 8.1, '8.1', 'v8', 'V8.1'].map((version) => [version, 'v8.1', '--v 8.1'] as const),
    ...[7, '7', 'v7'].map((version) => [version, 'v7', '--v 7'] as const),
    ...[6, 6.1, 'v6.1'].map((version) => [version, 'v6.1', '--v 6.1'] as const),
    ...[5.2, 'v5.2'].map((version) => [version, 'v5.2', '--v 5.2'] as const),
    ...[5, '5.1'].map((version) => [version, 'v5.1', '--v 5.1'] as const),
  ])('%p reads %s', (version, normalised, flag) => {
    expect(imagine.input({ version })).toMatchObject({ version: normalised });
    expect(imagine.requested({ version })).toMatchObject({ prompt: `a fox ${flag}` });
    expect(imagine.input({ prompt: `a fox --v ${String(version).replace(/v/i, '')}` })).toMatchObject({
      version: normalised,
    });
  });

  it.each([
    [7, 'niji7'],
    ['6', 'niji6'],
    ['niji6', 'niji6'],
  ])('%p with niji reads %s', (version, normalised) => {
    expect(imagine.input({ version, niji: true })).toMatchObject({ version: normalised, niji: true });
    expect(imagine.requested({ version, niji: true })).toMatchObject({
      prompt: `a fox --niji ${normalised.slice(4)}`,
      niji: true,
    });
  });

  it('are refused when unknown, and with niji when they are not 6 or 7', () => {
    for (const version of ['9', 4, 'latest', '__proto__', '6.2'])
      expect(imagine.refused({ version }).param).toBe('version');
    for (const version of [8, 5, '6.1']) expect(imagine.refused({ version, niji: true }).param).toBe('version');
  });

  it('are left to the vendor when none is asked for', () => {
    expect(imagine.input()).not.toHaveProperty('version');
    expect(imagine.requested({ niji: true })).toMatchObject({ prompt: 'a fox', niji: true });
  });
});

describe('billing keys', () => {
  const body = { version: 7, speed: 'fast' };
  const keys = ['imgtool@imagine-v7-fast', 'imgtool@imagine-v7', 'imgtool@imagine-fast', 'imgtool@imagine', 'imgtool'];
  const priceBy = (priced: readonly string[], model = imagine, sent: JsonObject = body) => {
    const overrides = priced.map((key, index): [string, PriceOverride] => [key, { perTask: BigInt(index + 1) }]);
    const input = model.input(sent);
    return createPriceBook(new Map(overrides)).ratesOf(model.entry, input);
  };

  it.each(keys.slice(0, 3).map((key, level) => [key, level] as const))(
    '%s decides where nothing more specific is priced',
    (key, level) => {
      expect(priceBy(keys.slice(level).reverse())).toEqual({ [key]: BigInt(keys.length - level) });
    },
  );

  it.each(keys.slice(3))('%s of the operator leaves the more specific price of the catalogue', (key) => {
    expect(priceBy([key])).toEqual({ 'imgtool@imagine-fast': 80_000_000n });
    expect(priceBy(keys.slice(3), imagine, {})).toHaveProperty('imgtool@imagine');
  });

  it('relax, or no speed, adds no suffix', () => {
    for (const speed of ['relax', undefined]) {
      const sent = { version: 7, ...(speed === undefined ? {} : { speed }) };
      expect(imagine.entry.billing?.keys(imagine.input(sent))).toEqual([
        'imgtool@imagine-v7',
        'imgtool@imagine',
        'imgtool',
      ]);
    }
  });

  it('of a follow-up have the version of its parent', () => {
    const reroll = follow('reroll');
    const bound = reroll.bound({ speed: 'turbo' }, grid);
    if (!bound.ok) throw new Error(bound.message);
    expect(reroll.entry.billing?.keys(bound.input)[0]).toBe('imgtool@reroll-v7-turbo');
  });

  it('name every action as the specification does', () => {
    const actions =
      'imagine blend describe edits upscale variation high_variation low_variation reroll zoom pan inpaint modal video remix_strong remix_subtle';
    for (const name of actions.split(' ')) expect(catalogue.billingKeys.has(`imgtool@${name}`)).toBe(true);
    expect(catalogue.billingKeys.has('imgtool@high_variation-niji6-turbo')).toBe(true);
    expect(catalogue.billingKeys.has('imgtool@imagine-v9')).toBe(false);
    expect(catalogue.billingKeys.has('imgtool@remix_strong-v8.1')).toBe(true);
    for (const unused of ['remix_strong-fast', 'remix_subtle-v8.1-turbo', 'remix_strong-v7']) {
      expect(catalogue.billingKeys.has(`imgtool@${unused}`)).toBe(false);
    }
  });

  it('of videos go by their size, and count each video', () => {
    const video = action('video', { image_urls: [A] });
    const list = ['imgtool@video', 'imgtool@video-720p'];
    expect(priceBy(list, video, { video_type: 480 })).toEqual({ 'imgtool@video': 1n });
    expect(priceBy(list, video, { video_type: '720' })).toEqual({ 'imgtool@video-720p': 2n });
    for (const general of [['imgtool'], ['imgtool', 'imgtool@video']]) {
      expect(priceBy(general, video, { video_type: 720 })).toEqual({ 'imgtool@video-720p': 500_000_000n });
    }
    expect(priceBy(['imgtool'], video, { video_type: 480 })).toEqual({ 'imgtool@video': 250_000_000n });
    for (const batch_size of [1, 2, 4]) {
      expect(video.reserved({ batch_size }, { 'imgtool@video': 10n })).toBe(10n * BigInt(batch_size));
      expect(video.settled({ batch_size }, { images: 0 }, { 'imgtool@video': 10n })).toBe(10n * BigInt(batch_size));
    }
    // Billed is what exists, and never more than was asked for.
    for (const [videos, cost] of [
      [1, 10n],
      [3, 30n],
      [5, 40n],
    ] as const) {
      expect(video.settled({ batch_size: 4 }, { images: 0, videos }, { 'imgtool@video': 10n })).toBe(cost);
    }
  });
});

describe('blend and describe', () => {
  it.each<[body: JsonObject, dimensions: string]>([
    [{}, 'square'],
    [{ dimensions: 'portrait' }, 'portrait'],
    [{ size: '16:9' }, 'landscape'],
    [{ size: '9:16' }, 'portrait'],
    [{ size: '2:2' }, 'square'],
  ])('blends %p as %s', (body, dimensions) => {
    expect(action('blend', { image_urls: [A, B] }).requested(body)).toEqual({
      action: 'blend',
      speed: 'relax',
      dimensions,
    });
  });

  it('takes a size or dimensions, not both', () => {
    const both = { image_urls: [A, B], size: '1:1', dimensions: 'SQUARE' };
    expect(refuse(action('blend').entry, both).param).toBe('size');
  });

  it('takes images as data URLs', () => {
    const url = 'data:image/png;base64,AAAA';
    expect(action('describe').media({ image_urls: [url] })).toMatchObject([
      { url, role: 'image', field: 'image_urls[0]' },
    ]);
    expect(refuse(action('describe').entry, { image_urls: ['a.png'] }).param).toBe('image_urls[0]');
  });
});

describe('a parent', () => {
  it('is handed on with its buttons, version and the vendor’s id', () => {
    expect(requestOf(follow('upscale'), { index: 2 }, grid)).toEqual({
      action: 'upscale',
      speed: 'relax',
      index: 2,
      parent: {
        taskId: TASK,
        channelId: 'mj',
        externalId: '17',
        version: 'v7',
        buttons: expect.arrayContaining([{ customId: 'MJ::JOB::upsample::2::h', label: '' }]),
      },
    });
  });

  it('must be a completed image-tool task', () => {
    for (const wrong of [{ status: 'processing' }, { status: 'failed' }, { kind: 'image' }] as Partial<SourceTask>[]) {
      expect(follow('reroll').bound({}, { ...grid, ...wrong })).toMatchObject({ ok: false, param: 'task_id' });
    }
  });

  const NOT_AVAILABLE = {
    ok: false,
    code: 'invalid_request',
    message: expect.stringContaining('not available for this task'),
  };

  it.each<[name: string, body: JsonObject, offers: SourceTask, lacks: SourceTask]>([
    ['upscale', { index: 4 }, grid, single],
    ['upscale', { custom_id: 'MJ::JOB::upsample::1::h' }, grid, single],
    ['upscale', { custom_id: 'MJ::JOB::upsample_v7_2x_subtle::1::h::SOLO' }, single, grid],
    ['variation', { index: 1 }, grid, single],
    ['high-variation', { custom_id: 'MJ::JOB::high_variation::1::h::SOLO' }, single, grid],
    ['low-variation', { custom_id: 'MJ::JOB::low_variation::1::h::SOLO' }, single, grid],
    ['reroll', {}, grid, single],
    ['zoom', {}, single, grid],
    ['zoom', { zoom_ratio: 1.5 }, single, grid],
    ['pan', { direction: 'left' }, single, grid],
    ['inpaint', {}, single, grid],
  ])('%s %p is 400 where it has no such button', (name, body, offers, lacks) => {
    expect(follow(name).bound(body, offers)).toMatchObject({ ok: true });
    expect(follow(name).bound(body, lacks)).toMatchObject(NOT_AVAILABLE);
  });

  it('offers only the images, directions and buttons it has', () => {
    expect(follow('high-variation').bound({ index: 2 }, single)).toMatchObject(NOT_AVAILABLE);
    expect(follow('pan').bound({ direction: 'up' }, single)).toMatchObject(NOT_AVAILABLE);
    const reroll = { custom_id: 'MJ::JOB::reroll::0::h::SOLO' };
    expect(follow('upscale').bound(reroll, grid)).toMatchObject({ ...NOT_AVAILABLE, param: 'custom_id' });
  });

  it('of version 8 is varied, more or less, by the one button of an image in its grid', () => {
    const grid8 = { ...grid, input: { version: 'v8.1' } };
    for (const name of ['high-variation', 'low-variation']) {
      expect(follow(name).bound({ index: 4 }, grid8)).toMatchObject({ ok: true });
    }
  });

  it('of an older version is varied more or less after one of its images was made alone, but by no other button', () => {
    for (const name of ['high-variation', 'low-variation']) {
      expect(follow(name).bound({ index: 4 }, grid)).toMatchObject({ ok: true });
      for (const custom_id of ['MJ::JOB::upsample::4::h', 'MJ::JOB::variation::4::h']) {
        expect(follow(name).bound({ custom_id }, grid)).toMatchObject(NOT_AVAILABLE);
      }
    }
  });

  it('of a server that lists no buttons is worked on by name', () => {
    const bare = parent([]);
    expect(follow('upscale').bound({ index: 1 }, bare)).toMatchObject({ ok: true });
    expect(follow('upscale').bound({ custom_id: 'MJ::JOB::upsample::1::h' }, bare)).toMatchObject(NOT_AVAILABLE);
    expect(follow('zoom').bound({}, bare)).toMatchObject(NOT_AVAILABLE);
    const gridAlone = parent([], { result: { grid_image_url: A, image_urls: [] } });
    expect(follow('reroll').bound({}, gridAlone)).toMatchObject({ ok: true });
    // A result that is no image of four offers nothing to choose from.
    for (const result of [{ description: 'a fox' }, { image_urls: [A] }, { videos: [{ url: [A] }] }]) {
      for (const name of ['upscale', 'variation', 'reroll']) {
        expect(follow(name).bound({ index: 1 }, parent([], { result }))).toMatchObject(NOT_AVAILABLE);
      }
    }
  });

  it('cannot be smuggled in by a caller', () => {
    expect(follow('reroll').input({ parent: { channelId: 'x' }, version: 'v8.1' })).toEqual({
      task_id: TASK,
      speed: 'relax',
    });
  });

  it('is zoomed by 1.5 below 2, else by 2', () => {
    const zoom = (zoom_ratio: number) => requestOf(follow('zoom'), { zoom_ratio }, single);
    expect(zoom(1.9)).toMatchObject({ zoom: 1.5 });
    for (const ratio of [2, 3]) expect(zoom(ratio)).toMatchObject({ zoom: 2 });
    expect(requestOf(follow('zoom'), {}, single)).toMatchObject({ zoom: 2 });
  });
});

it.each(['upscale', 'variation', 'high-variation', 'low-variation'])('%s says which image, once', (name) => {
  expect(follow(name).refused({}).param).toBe('index');
  expect(follow(name).refused({ index: 1, custom_id: 'x' }).param).toBe('custom_id');
});

describe.each(['remix-strong', 'remix-subtle'])('%s', (name) => {
  const remix = follow(name, { index: 3 });

  it('is for versions 8 and 8.1 alone', () => {
    expect(remix.bound({ prompt: 'snow' }, { ...grid, input: { version: 'v8.1' } })).toMatchObject({ ok: true });
    for (const input of [{ version: 'v7' }, { version: 'niji7' }, {}] as JsonObject[]) {
      expect(remix.bound({}, { ...grid, input })).toMatchObject({ ok: false, param: 'task_id' });
    }
  });

  it('is drawn by the version of its image, which its prompt names and cannot change', () => {
    const grid8 = { ...grid, input: { version: 'v8.1' } };
    for (const prompt of ['more stars', 'more stars --v 7', 'more stars --niji 6', 'more --version 8.1 stars']) {
      expect(requestOf(remix, { prompt }, grid8)).toMatchObject({ prompt: 'more stars --v 8.1' });
      expect(remix.bound({ prompt }, grid8)).toMatchObject({ ok: true, input: { version: 'v8.1' } });
    }
    expect(remix.warnings({ prompt: 'more stars --v 7' })).toEqual([expect.stringContaining('version was ignored')]);
    // Without words the vendor takes those of the image, with all their flags.
    expect(requestOf(remix, {}, grid8)).not.toHaveProperty('prompt');
  });

  it('needs an index, and has no speed', () => {
    expect(refuse(remix.entry, { task_id: TASK }).param).toBe('index');
    expect(remix.warnings({ speed: 'fast', metadata: {} })).toHaveLength(1);
  });
});

describe('modal', () => {
  const waiting = parent([], { operation: 'imgtool.inpaint', status: 'pending', result: {} });

  it('goes on with an inpaint that waits for it', () => {
    expect(requestOf(follow('modal'), { prompt: 'a door', mask_url: A }, waiting)).toMatchObject({
      action: 'modal',
      prompt: 'a door --v 7',
      parent: { externalId: '17' },
    });
    expect(follow('modal').media({ mask_url: A })).toMatchObject([{ role: 'mask', field: 'mask_url' }]);
  });

  it.each(['relax', 'turbo'])('is drawn and paid at the speed %s of its inpaint, whatever is asked for', (speed) => {
    const inpaint = { ...waiting, input: { ...waiting.input, speed } };
    for (const asked of [{}, { speed: 'fast' }, { prompt: 'a door --fast' }]) {
      const bound = follow('modal').bound(asked, inpaint);
      expect(bound).toMatchObject({
        ok: true,
        input: { speed },
        warnings: 'speed' in asked || 'prompt' in asked ? [expect.stringContaining('speed')] : [],
      });
    }
  });

  it('is drawn by the version of its inpaint; where nobody named one, the vendor chooses', () => {
    const promptFor = (input: JsonObject, prompt: string) =>
      requestOf(follow('modal'), { prompt }, { ...waiting, input })['prompt'];
    expect(promptFor({ version: 'niji6' }, 'a door --v 7 --no cars')).toBe('a door --no cars --niji 6');
    expect(promptFor({}, 'a door')).toBe('a door');
  });

  it.each<[why: string, task: SourceTask]>([
    ['has ended well', { ...waiting, status: 'completed' }],
    ['has timed out', { ...waiting, status: 'failed' }],
    ['had its modal', { ...waiting, status: 'processing' }],
    ['has a modal that is under way', { ...waiting, isContinued: true }],
    ['is no inpaint', { ...waiting, operation: 'imgtool.pan' }],
    ['no upstream has yet', { ...waiting, upstream: { channelId: 'mj', protocol: 'midjourney-proxy' } }],
  ])('is 400 for a task that %s', (_why, task) => {
    expect(follow('modal').bound({}, task)).toMatchObject({ ok: false, param: 'task_id' });
  });
});

describe('video', () => {
  const video = action('video');

  it('begins with an image, or with one of a task', () => {
    expect(video.requested({ image_urls: [A], end_url: B })).toEqual({
      action: 'video',
      speed: 'fast',
      videoType: '480',
      batchSize: 1,
      endUrl: B,
    });
    expect(requestOf(follow('video'), { index: 4, motion: 'HIGH' }, grid)).toMatchObject({ index: 3, motion: 'high' });
    const bound = follow('video').bound({ index: 4 }, grid);
    if (!bound.ok) throw new Error(bound.message);
    // Gone or too large, it is not the caller's fault: its button is pressed.
    expect(video.entry.media(bound.input)).toMatchObject([{ url: tiles[3], role: 'image', optional: true }]);
    expect(video.media({ image_urls: [A] })).not.toMatchObject([{ optional: true }]);
  });

  it('counts images from 1, as every other operation, and reads 0 as the first', () => {
    for (const index of [0, 1]) expect(requestOf(follow('video'), { index }, grid)).toMatchObject({ index: 0 });
    expect(requestOf(follow('video'), { index: 2 }, grid)).toMatchObject({ index: 1 });
  });

  it('ends with an image that comes as images do, after the one it begins with', () => {
    const data = 'data:image/png;base64,AAAA';
    for (const end_url of [B, data, 'http://127.0.0.1:18480/v1/files/uploads/a.png']) {
      expect(video.media({ image_urls: [A], end_url })).toMatchObject([
        { field: 'image_urls[0]', url: A },
        { field: 'end_url', url: end_url, role: 'image' },
      ]);
    }
    const bound = follow('video').bound({ index: 4, end_url: data }, grid);
    if (!bound.ok) throw new Error(bound.message);
    // Without the image that it begins with there is a button; nothing stands in for the caller's own.
    expect(video.entry.media(bound.input).map(({ optional = false }) => optional)).toEqual([true, false]);
  });

  it('goes on with videos where they were made', () => {
    const made = parent([], { result: { videos: [{ url: ['https://media.example/1.mp4'] }] } });
    expect(requestOf(follow('video'), { index: 1 }, made)).toMatchObject({ parent: { taskId: TASK } });
    expect(follow('video').bound({ index: 2 }, made)).toMatchObject({ ok: false, param: 'index' });
  });

  it('refuses an image that the task does not have', () => {
    const one = { ...single, result: { image_urls: tiles.slice(0, 1), buttons: [] } };
    expect(follow('video').bound({ index: 1 }, one)).toMatchObject({ ok: true });
    expect(follow('video').bound({ index: 2 }, one)).toMatchObject({ ok: false, param: 'index' });
    const lost = { ...grid, result: { image_urls: ['', ...tiles.slice(1)], buttons: [] } };
    expect(follow('video').bound({ index: 1 }, lost)).toMatchObject({ ok: false, param: 'index' });
  });

  it.each<[body: JsonObject, param: string]>([
    [{}, 'image_urls'],
    [{ task_id: TASK }, 'index'],
    [{ task_id: TASK, index: 0, image_urls: [A] }, 'task_id'],
    [{ image_urls: [A], end_url: 'b.png' }, 'end_url'],
  ])('refuses %p', (body, param) => {
    expect(refuse(video.entry, body).param).toBe(param);
  });

  it('knows its sizes by number and by the vendor’s names', () => {
    for (const video_type of [720, '720', 'vid_1.1_i2v_720']) {
      expect(video.requested({ image_urls: [A], video_type })).toMatchObject({ videoType: '720' });
    }
    for (const video_type of [480, 'vid_1.1_i2v_480']) {
      expect(video.requested({ image_urls: [A], video_type })).toMatchObject({ videoType: '480' });
    }
  });
});

it('shorten pays for the speed that its prompt asks for', () => {
  const name = 'shorten';
  const model = follow(name);
  expect(model.requested({ prompt: 'a door --turbo' })).toMatchObject({ prompt: 'a door', speed: 'turbo' });
  expect(model.entry.billing?.keys(model.input({ prompt: 'a door --turbo' }))[0]).toBe(`imgtool@${name}-turbo`);
});

it('videos and remixes cannot be had faster or more often by a flag of their prompt', () => {
  expect(action('video', { image_urls: [A] }).requested({ prompt: 'it turns --bs 4 --turbo' })).toMatchObject({
    prompt: 'it turns',
    batchSize: 4,
    speed: 'fast',
  });
  const remix = follow('remix-strong', { index: 1 });
  expect(remix.requested({ prompt: 'snow --fast --repeat 4' })).toMatchObject({ prompt: 'snow', speed: 'relax' });
  expect(remix.warnings({ prompt: 'snow --fast --repeat 4' })).toHaveLength(2);
});
