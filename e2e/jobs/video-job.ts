import { inspectImage } from '@mediagate/media';
import { prismaOf, until } from '@mediagate/testkit';
import { download, judgedFetch } from '../system/judged-answers';
import type { MediaHost } from '../system/media-host';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';
import { watchVideo } from '../system/watch-video';

let system: System;
let media: MediaHost;
let account: SystemAccount;
/** Task ids of all jobs, by name: the jobs run beside each other. */
const ids = new Map<string, string>();

const VIDEOS = '/v1/videos/generations';

beforeAll(async () => {
  ({ system, media } = await sharedSystem());
  account = await system.account(1_000_000_000_000n);
  for (const { name, body } of JOBS) ids.set(name, await account.caller.submit(body(), VIDEOS));
});

interface Asked {
  name: string;
  body: () => Record<string, unknown>;
  /** Length in seconds, pixels of the shorter side, and whether it has sound. */
  seconds: number;
  shortSide: number;
  audio?: boolean;
}

const first = () => media.url('first.jpg');
const last = () => media.url('last.jpg');
const clip = () => media.url('clip.mp4');
const beat = () => media.url('beat.mp3');

const JOBS: Asked[] = [
  {
    name: 'videoa-2.6 from text',
    body: () => ({ model: 'videoa-2.6', prompt: 'a kite', duration: 5, resolution: '720p' }),
    seconds: 5,
    shortSide: 720,
    audio: true,
  },
  {
    name: 'videoa-2.6 from an image',
    body: () => ({ model: 'videoa-2.6', prompt: 'a kite', image_urls: [first()], duration: 10 }),
    seconds: 10,
    shortSide: 720,
    audio: true,
  },
  {
    name: 'videoa-2.7 from text, upright',
    body: () => ({ model: 'videoa-2.7', prompt: 'a kite', duration: 3, resolution: '720P', size: '9:16' }),
    seconds: 3,
    shortSide: 720,
  },
  {
    name: 'videoa-2.7 from first and last frame',
    body: () => ({ model: 'videoa-2.7', image_urls: [first(), last()], duration: 4, resolution: '720P' }),
    seconds: 4,
    shortSide: 720,
  },
  {
    name: 'videoa-2.7 going on from a clip',
    body: () => ({ model: 'videoa-2.7', prompt: 'go on', video_urls: [clip()], duration: 6, resolution: '720P' }),
    seconds: 6,
    shortSide: 720,
  },
  {
    name: 'videoa-3.0 from text, silent',
    body: () => ({ model: 'videoa-3.0-video', prompt: 'a kite', resolution: '480p', audio: false }),
    seconds: 5,
    shortSide: 480,
    audio: false,
  },
  {
    name: 'videoa-3.0 from a first frame, as long as the model likes',
    body: () => ({ model: 'videoa-3.0-video', image_urls: [first()], resolution: '480P', duration: -1 }),
    seconds: Number.NaN,
    shortSide: 480,
    audio: true,
  },
  {
    name: 'videoa-3.0 from a BMP',
    body: () => ({ model: 'videoa-3.0-video', image_urls: [media.url('first.bmp')], resolution: '480P', duration: 2 }),
    seconds: 2,
    shortSide: 480,
  },
  {
    name: 'videoa-3.0-prime from references',
    body: () => ({
      model: 'videoa-3.0-video-prime',
      prompt: 'Image 1 moves as Video 1, to Audio 1',
      resolution: '480P',
      image_urls: [first()],
      video_urls: [clip()],
      audio_url: beat(),
      duration: 4,
    }),
    seconds: 4,
    shortSide: 480,
    audio: true,
  },
  {
    name: 'videoa-3.0 from a document',
    body: () => ({ model: 'videoa-3.0-video', file_url: media.url('note.txt'), resolution: '480P', duration: 2 }),
    seconds: 2,
    shortSide: 480,
  },
  {
    name: 'videoc-v4-fast from text',
    body: () => ({ model: 'videoc-v4-fast', prompt: 'a kite', duration: 3, resolution: '480p' }),
    seconds: 3,
    shortSide: 480,
  },
  {
    name: 'videoc-v4-std from three frames',
    body: () => ({
      model: 'videoc-v4-std',
      prompt: 'from the gate past the @fountain',
      duration: 5,
      resolution: '720p',
      first_frame_image: first(),
      end_frame_image: last(),
      mid_frame_images: [{ tag: '@fountain', image_url: last(), time_stamp: 2 }],
    }),
    seconds: 5,
    shortSide: 720,
  },
  {
    name: 'videoc-v4-fast from a BMP',
    body: () => ({
      model: 'videoc-v4-fast',
      prompt: 'a kite',
      duration: 3,
      resolution: '480p',
      first_frame_image: media.url('first.bmp'),
    }),
    seconds: 3,
    shortSide: 480,
  },
  {
    name: 'videoc-v4-fast from a reference video, as long as that',
    body: () => ({
      model: 'videoc-v4-fast',
      prompt: '@fox moves as in @dance',
      resolution: '480p',
      ref_images: [{ tag: '@fox', type: 'image', image_urls: [first()] }],
      ref_videos: [{ tag: '@dance', type: 'reference', video_url: clip() }],
    }),
    seconds: 4,
    shortSide: 480,
  },
  {
    name: 'videod-02 of five seconds, which its vendor does not make',
    body: () => ({ model: 'videod-02', prompt: 'a kite', duration: 5, resolution: '768p' }),
    seconds: 5,
    shortSide: 768,
  },
  {
    name: 'videod-02 from a first frame',
    body: () => ({
      model: 'videod-02',
      prompt: 'a kite',
      duration: 10,
      resolution: '512p',
      first_frame_image: first(),
    }),
    seconds: 10,
    shortSide: 512,
  },
  {
    name: 'videoe-v3 from text, with sound',
    body: () => ({ model: 'videoe-v3', prompt: 'a kite', duration: 3, audio: true }),
    seconds: 3,
    shortSide: 720,
    audio: true,
  },
  {
    name: 'videoe-v3 pro from two frames',
    body: () => ({ model: 'videoe-v3', prompt: 'a kite', mode: 'pro', duration: 5, image_urls: [first(), last()] }),
    seconds: 5,
    shortSide: 1080,
  },
  {
    name: 'videoe-v3 in shots, with an element',
    body: () => ({
      model: 'videoe-v3',
      multi_shot: true,
      shot_type: 'customize',
      duration: 4,
      multi_prompt: [
        { index: 1, prompt: 'a door', duration: 2 },
        { index: 2, prompt: '@Iris enters', duration: 2 },
      ],
      element_list: [{ name: 'Iris', description: 'a detective', element_input_urls: [first(), last()] }],
    }),
    seconds: 4,
    shortSide: 720,
  },
  {
    name: 'videof-3.1-fast from two frames, in the answer itself',
    body: () => ({
      model: 'videof-3.1-fast',
      prompt: 'a kite',
      first_frame_image: first(),
      last_frame_image: last(),
      duration: 4,
    }),
    seconds: 4,
    shortSide: 720,
    audio: true,
  },
];

it.each(JOBS)(
  '$name: as long, as large and as loud as asked, told in the record, billed and served',
  async ({ name, seconds, shortSide, audio }) => {
    const record = await account.caller.ended(ids.get(name) ?? '');
    expect(record).toMatchObject({ status: 'completed', progress: 100 });
    const [made] = record.result?.videos ?? [];
    const link = made?.url[0] ?? '';
    const response = await judgedFetch(link);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    const seen = watchVideo(Buffer.from(await response.arrayBuffer()));
    expect(Math.min(seen.width, seen.height)).toBe(shortSide);
    if (!Number.isNaN(seconds)) expect(Math.abs(seen.seconds - seconds)).toBeLessThan(0.1);
    if (audio !== undefined) expect(seen.hasAudio).toBe(audio);
    expect(made).toMatchObject({ width: seen.width, height: seen.height });
    expect(Math.abs((made?.duration ?? 0) - seen.seconds)).toBeLessThan(0.1);
    expect(await inspectImage(await download(made?.cover_url))).toMatchObject({ format: 'jpeg' });
    const part = await judgedFetch(link, { headers: { range: 'bytes=1000-1999' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 1000]);
    expect(record.cost).toBeGreaterThan(0);
  },
);

it('that lasts as long as the model likes is reserved at thirty seconds and settled on what was made', async () => {
  const { caller } = account;
  const body = { model: 'videoa-3.0-video', prompt: 'a kite', duration: -1 };
  const taskId = await caller.submit(body, VIDEOS);
  const { amountNano } = await system.database.reservation.findUniqueOrThrow({ where: { taskId } });
  expect(amountNano).toBe(36_000_000_000n);
  const record = await caller.ended(taskId);
  const duration = record.result?.videos[0]?.duration ?? 0;
  expect(record.cost).toBeCloseTo(1.2 * Math.round(duration), 9);
});

it.each([
  ['video_urls', { video_urls: ['clip'] }, /^video_urls\[0\]/],
  ['image_urls', { image_urls: ['beat'] }, /^image_urls\[0\]/],
])('with %s that break a limit fails, names the file and is refunded', async (_name, wrong, message) => {
  const { caller } = await system.account(100_000_000_000n);
  const urls = Object.fromEntries(
    Object.entries(wrong).map(([field, [kind]]) => [field, [kind === 'clip' ? beat() : clip()]]),
  );
  const body = { model: 'videoa-3.0-video', prompt: 'Video 1', generation_type: 'reference', ...urls };
  const record = await caller.ended(await caller.submit(body, VIDEOS));
  expect(record).toMatchObject({
    status: 'failed',
    error: { type: 'task_failed', message: expect.stringMatching(message) },
  });
  expect(await caller.balance()).toMatchObject({ remain_balance: 100, used_balance: 0 });
});

it.each([
  ['videoa-2.6', 'image_urls[0]', () => ({ image_urls: [media.url('flat.jpg')] })],
  ['videoa-2.7', 'image_with_roles[0].url', () => ({ image_with_roles: [{ url: media.url('flat.jpg') }] })],
])(
  'of %s from an image elsewhere that its vendor refuses fails by its file, and is refunded',
  async (model, param, images) => {
    const { caller } = await system.account(100_000_000_000n);
    const record = await caller.ended(await caller.submit({ model, ...images() }, VIDEOS));
    const problem = 'The image has 640x200 pixels; each side must have at least 240.';
    expect(record).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { type: 'task_failed', reason: 'bad_media', param, message: `${param}: ${problem}` },
    });
    expect(await caller.balance()).toMatchObject({ remain_balance: 100, used_balance: 0 });
  },
);

it('with nsfw_check is reviewed first, and without it no review is asked for', async () => {
  const { caller } = account;
  const reviews = async () => (await system.simulator.journal()).filter(({ path }) => path.endsWith('/moderations'));
  const before = (await reviews()).length;
  await caller.submit({ model: 'videod-02', prompt: 'a kite', nsfw_check: false }, VIDEOS);
  expect(await reviews()).toHaveLength(before);
  await caller.submit({ model: 'videod-02', prompt: 'a kite', nsfw_check: true }, VIDEOS);
  expect(await reviews()).toHaveLength(before + 1);
});

it('that its vendor calls done without a video is refunded whole after ten such answers over five minutes', async () => {
  const { caller } = await system.account(100_000_000_000n);
  const taskId = await caller.submit({ model: 'videod-02', prompt: 'a kite [[sim:missing-url]]' }, VIDEOS);
  await until(async () => (await emptySuccessesOf(taskId)) > 0);
  expect((await caller.get(`/v1/tasks/${taskId}`)).body.data.status).toBe('processing');
  expect((await caller.balance()).remain_balance).toBeLessThan(100);
  // A check that is under way writes its own count over this.
  await until(async () => {
    await passFiveMinutes(taskId);
    return (await caller.get(`/v1/tasks/${taskId}`)).body.data.status === 'failed';
  });
  expect(await caller.balance()).toMatchObject({ remain_balance: 100, used_balance: 0 });
  const attempts = await system.attempts(taskId);
  expect(attempts).toMatchObject([
    { fault: 'generation_failed', detail: expect.stringMatching(/^10 answers in a row/) },
  ]);
});

async function emptySuccessesOf(taskId: string): Promise<number> {
  const { upstreamOperation } = await system.database.task.findUniqueOrThrow({ where: { id: taskId } });
  return Number((upstreamOperation as { emptySuccesses?: number } | null)?.emptySuccesses ?? 0);
}

/** As if the job had been called done without a result nine times over five minutes. */
async function passFiveMinutes(taskId: string): Promise<void> {
  const marks = JSON.stringify({ emptySuccesses: 9, emptySince: Date.now() - 5 * 60_000 });
  await prismaOf(system.database).$executeRaw`
    UPDATE tasks SET upstream_operation = upstream_operation || ${marks}::jsonb
    WHERE id = ${taskId} AND upstream_operation ? 'emptySuccesses'`;
}
