import { download } from '../system/judged-answers';
import type { MediaHost } from '../system/media-host';
import { sharedSystem } from '../system/shared-system';
import * as sound from '../system/sound';
import type { System, SystemAccount } from '../system/start-system';

let system: System;
let media: MediaHost;
let account: SystemAccount;
/** A track of some 12 seconds that the other operations work on. */
let music: Made;

const MUSIC = '/v1/music/generations';

beforeAll(async () => {
  ({ system, media } = await sharedSystem());
  account = await system.account(1_000_000_000_000n);
  music = await make('', { prompt: '[Verse]\nThe tide goes out [[sim:seconds=12]]', title: 'Harbour', tags: 'waltz' });
});

interface Made {
  taskId: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  result: any;
  heard: sound.Sound;
}

/** A finished operation, with the sound of its first track if it has tracks. */
async function make(path: string, body: Record<string, unknown>): Promise<Made> {
  const at = path.startsWith('/v1/') ? path : `${MUSIC}${path}`;
  const taskId = await account.caller.submit(body, at);
  const { status, error, result = {} } = await account.caller.ended(taskId, 90_000);
  expect([path, status, error?.message]).toEqual([path, 'completed', undefined]);
  const { music = [] } = result as unknown as { music?: { audio_url: string; duration: number }[] };
  const [track] = music;
  if (!track) return { taskId, result, heard: new Float32Array() };
  const heard = sound.decode(await download(track.audio_url));
  expect(Math.abs(sound.seconds(heard) - track.duration)).toBeLessThan(0.15);
  return { taskId, result, heard };
}

/** Returns the body of the last call of a path of the vendor. */
async function asked(action: string): Promise<unknown> {
  const starts = (await system.simulator.journal()).filter(({ path }) => path.endsWith(`/suno/v1/${action}`));
  return starts.at(-1)?.request;
}

const onTrack = (path: string, body: Record<string, unknown> = {}) => make(path, { task_id: music.taskId, ...body });

it('a track has all of its fields', () => {
  const [track] = music.result.music;
  const { audio_id, title, lyrics, tags, duration, audio_url, image_url, expires_at } = track;
  expect([title, tags]).toEqual(['Harbour', 'waltz']);
  expect(lyrics).toContain('The tide goes out');
  expect([typeof audio_id, typeof duration]).toEqual(['string', 'number']);
  for (const link of [audio_url, image_url]) expect(link).toMatch(/^http.*\/v1\/files\//);
  expect(expires_at).toBeGreaterThan(Date.now() / 1000);
});

it.each([
  ['/cover', { gpt_description: 'the same as a tango' }],
  ['/sample', { start_s: 1, end_s: 6, custom: true, prompt: 'La', tags: 'march', instrumental: true }],
  ['/replace', { start_s: 2, end_s: 9, infill_lyrics: 'And home', tags: 'waltz', title: 'Harbour' }],
  ['/concat', {}],
])('%s makes a track of the track', async (path, body) => {
  const { heard } = await onTrack(path, body);
  expect(sound.seconds(heard)).toBeGreaterThan(5);
  expect(sound.loudness(heard)).toBeGreaterThan(0.005);
});

it('/remove leaves the rest of the track', async () => {
  const { heard } = await onTrack('/remove', { start_s: 2, end_s: 6 });
  expect(await asked('remove-section')).toMatchObject({ crop_start_s: 2, crop_end_s: 6 });
  expect(Math.abs(sound.seconds(heard) - (sound.seconds(music.heard) - 4))).toBeLessThan(0.15);
});

it('/fade at one end is asked of the vendor', async () => {
  const { heard } = await onTrack('/fade', { fade_in_s: 4 });
  expect(await asked('fade-in')).toMatchObject({ fade_time_s: 4 });
  expect(Math.abs(sound.seconds(heard) - sound.seconds(music.heard))).toBeLessThan(0.15);
});

it('/fade at both ends, which its vendor does not do at once, lets the sound come and go', async () => {
  const { heard } = await onTrack('/fade', { fade_in_s: 4, fade_out_s: 4 });
  const length = sound.seconds(heard);
  expect(Math.abs(length - sound.seconds(music.heard))).toBeLessThan(0.15);
  const share = (from: number, to: number) =>
    sound.loudness(sound.between(heard, from, to)) / sound.loudness(sound.between(music.heard, from, to));
  expect([share(0, 1) < 0.3, share(length - 1, length) < 0.3]).toEqual([true, true]);
  expect(share(5, 7)).toBeCloseTo(1, 1);
});

it('/crop gives another format where one is asked for', async () => {
  const { result, heard } = await onTrack('/crop', { start_s: 1, end_s: 5, audio_format: 'wav' });
  const file = await download(result.music[0].audio_url);
  expect(file.subarray(0, 4).toString()).toBe('RIFF');
  expect(Math.abs(sound.seconds(heard) - 4)).toBeLessThan(0.1);
});

it.each([
  ['one-shot', { type: 'one-shot' }],
  ['loop', { type: 'loop', bpm: 120, key: 'F#m' }],
])('/sounds makes a %s', async (_type, body) => {
  expect(sound.loudness((await make('/sounds', { prompt: 'a gong', ...body })).heard)).toBeGreaterThan(0.001);
});

it('/bpm, /midi and /aligned-lyrics tell of the track what is no file', async () => {
  const [bpm, midi, aligned] = await Promise.all(['/bpm', '/midi', '/aligned-lyrics'].map((path) => onTrack(path)));
  expect(bpm?.result.bpm).toBeGreaterThan(30);
  expect(midi?.result.midi.instruments.length).toBeGreaterThan(0);
  const [word] = aligned?.result.alignment ?? [];
  expect(word).toMatchObject({ word: expect.any(String), start_s: expect.any(Number), end_s: expect.any(Number) });
  for (const made of [bpm, midi, aligned]) expect(made?.result).not.toHaveProperty('music');
});

it.each([
  ['classic', {}],
  ['remi', { lyrics_model: 'remi' }],
])('/lyrics of %s gives words, and the first of them by itself', async (_model, body) => {
  const { result } = await make('/lyrics', { prompt: 'a lighthouse', ...body });
  expect(result.text).toBe(result.lyrics[0].text);
  expect(result.text).toMatch(/\w/);
});

it('/upload makes the caller’s own sound a track that operations work on', async () => {
  const uploaded = await make('/upload', { audio_url: media.url('beat.mp3') });
  expect(Math.abs(sound.seconds(uploaded.heard) - 4)).toBeLessThan(0.15);
  const cropped = await make('/crop', { task_id: uploaded.taskId, start_s: 1, end_s: 3 });
  expect(Math.abs(sound.seconds(cropped.heard) - 2)).toBeLessThan(0.15);
});

describe('what the vendor answers with itself', () => {
  const costOf = async ({ taskId }: Made) => (await account.caller.ended(taskId)).cost;

  it('a track of another model is as long as was wanted, and charged by its seconds', async () => {
    const made = await make('', { model: 'musictrack-2', prompt: 'A slow waltz', duration: 9, instrumental: true });
    expect(sound.seconds(made.heard)).toBeCloseTo(9, 0);
    expect(made.result.music).toHaveLength(1);
    expect(await costOf(made)).toBe(0.045);
  });

  it('a track that came out shorter is charged as it came out', async () => {
    const made = await make('', { model: 'musictrack-2', prompt: 'A march [[sim:seconds=5]]', duration: 30 });
    expect(sound.seconds(made.heard)).toBeCloseTo(5, 0);
    expect(await costOf(made)).toBe(0.025);
  });

  it('a sound effect comes as long as was wanted, as WAV, at the price of one', async () => {
    const body = { prompt: 'Rain on a tin roof', duration: 2.5, loop: true, audio_format: 'wav' };
    const made = await make('/v1/audio/sound-effects', body);
    expect(sound.seconds(made.heard)).toBeCloseTo(2.5, 0);
    expect(await costOf(made)).toBe(0.12);
    const [attempt] = await system.attempts(made.taskId);
    // 20 credits a second, at 0.0001.
    expect(attempt).toMatchObject({ protocol: 'elevenlabs', costNano: 5_000_000n, costOrigin: 'reported' });
  });

  it('a prompt that the vendor will not follow is refused as its caller’s, and costs nothing', async () => {
    const body = { model: 'musictrack-2', prompt: 'As somebody famous [[sim:policy-submit]]', duration: 9 };
    const record = await account.caller.ended(await account.caller.submit(body, MUSIC));
    expect(record).toMatchObject({ status: 'failed', cost: 0, error: { reason: 'content_policy' } });
  });
});
