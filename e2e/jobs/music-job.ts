import { download, judgedFetch } from '../system/judged-answers';
import type { MediaHost } from '../system/media-host';
import { sharedSystem } from '../system/shared-system';
import * as sound from '../system/sound';
import type { System, SystemAccount } from '../system/start-system';

const MUSIC = '/v1/music/generations';
/** Seconds by which a file may differ from the length that its record states. */
const TOLERANCE = 0.15;

let system: System;
let media: MediaHost;
let account: SystemAccount;
/** A track of 12 seconds that the other operations work on. */
let music: Made;
let original: sound.Sound;

beforeAll(async () => {
  ({ system, media } = await sharedSystem());
  account = await system.account(1_000_000_000_000n);
  music = await make('', { prompt: '[Verse]\nThe tide goes out [[sim:seconds=12]]', title: 'Harbour', tags: 'waltz' });
  original = first(music.heard);
});

interface Track {
  audio_id: string;
  title: string;
  lyrics: string;
  tags: string;
  duration: number;
  audio_url: string;
  image_url: string;
  expires_at: number;
}

interface Made {
  taskId: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  result: any;
  tracks: Track[];
  files: Buffer[];
  heard: sound.Sound[];
}

/** A finished operation with its tracks, each of which can be heard and is as long as its record states. */
async function make(path: string, body: Record<string, unknown>): Promise<Made> {
  const taskId = await account.caller.submit(body, path.startsWith('/v1/') ? path : `${MUSIC}${path}`);
  const { status, error, result = {} } = await account.caller.ended(taskId, 90_000);
  expect([path, body, status, error?.message]).toEqual([path, body, 'completed', undefined]);
  const { music: tracks = [] } = result as unknown as { music?: Track[] };
  const files = await Promise.all(tracks.map(({ audio_url }) => download(audio_url)));
  const heard = files.map(sound.decode);
  for (const [index, { duration }] of tracks.entries()) expectLength(first(heard.slice(index)), duration);
  for (const each of heard) expect(sound.loudness(each)).toBeGreaterThan(0.001);
  return { taskId, result, tracks, files, heard };
}

function expectLength(heard: sound.Sound, seconds: number): void {
  expect(Math.abs(sound.seconds(heard) - seconds)).toBeLessThan(TOLERANCE);
}

function first<T>([found]: readonly T[]): T {
  if (found === undefined) throw new Error('there is none');
  return found;
}

const onTrack = (path: string, body: Record<string, unknown> = {}) => make(path, { task_id: music.taskId, ...body });

/** The channels that the attempts at a task went to, in order. */
async function channelsOf({ taskId }: Made): Promise<string[]> {
  const attempts = await system.attempts(taskId);
  return attempts.map(({ channelId }) => channelId);
}

/** The body of the last call of a path of the first vendor. */
async function asked(action: string): Promise<unknown> {
  const starts = (await system.simulator.journal()).filter(({ path }) => path.endsWith(`/suno/v1/${action}`));
  return starts.at(-1)?.request;
}

it('a track has all of its fields', () => {
  const { audio_id, title, lyrics, tags, duration, audio_url, image_url, expires_at } = first(music.tracks);
  expect([title, tags]).toEqual(['Harbour', 'waltz']);
  expect(lyrics).toContain('The tide goes out');
  expect([typeof audio_id, typeof duration]).toEqual(['string', 'number']);
  for (const link of [audio_url, image_url]) expect(link).toMatch(/^http.*\/v1\/files\//);
  expect(expires_at).toBeGreaterThan(Date.now() / 1000);
  expectLength(original, 12);
});

describe('the first vendor', () => {
  it('is asked to extend where it is wanted, and the track is longer', async () => {
    const { heard, taskId } = await onTrack('/extend', { continue_at: 10, gpt_description: 'softer' });
    expect((await account.caller.ended(taskId)).parent_task_id).toBe(music.taskId);
    expect(await asked('extend')).toMatchObject({ continue_at: 10 });
    expect(sound.seconds(first(heard))).toBeGreaterThan(sound.seconds(original));
  });

  it.each([
    ['/crop', { start_s: 2, end_s: 8 }, 'crop', { crop_start_s: 2, crop_end_s: 8 }, 6],
    ['/remove', { start_s: 2, end_s: 6 }, 'remove-section', { crop_start_s: 2, crop_end_s: 6 }, 8],
    ['/fade', { fade_in_s: 4 }, 'fade-in', { fade_time_s: 4 }, 12],
    ['/adjustSpeed', { speed: 1.5, version: 'v5' }, 'adjust-speed', { speed_multiplier: 1.5, keep_pitch: true }, 8],
    ['/adjustSpeed', { speed: 0.75, version: 'v5' }, 'adjust-speed', { speed_multiplier: 0.75, keep_pitch: true }, 16],
  ])('does %s %j', async (path, body, action, fields, seconds) => {
    const made = await onTrack(path, body);
    expect(await channelsOf(made)).toEqual(['music-ttapi']);
    expect(await asked(action)).toMatchObject(fields);
    expectLength(first(made.heard), seconds);
  });

  it('separates stems, two sounds as long as the track and beside it', async () => {
    const { heard, files } = await onTrack('/stems');
    expect(new Set([...files, ...music.files].map((file) => file.toString('base64'))).size).toBe(4);
    for (const stem of heard) expectLength(stem, 12);
  });

  it('remasters the same track into another sound', async () => {
    const { heard, files } = await onTrack('/remaster', { version: 'v5' });
    expectLength(first(heard), 12);
    expect(first(files).equals(first(music.files))).toBe(false);
  });
});

describe('beside music, the first vendor', () => {
  it.each([
    ['one-shot', { type: 'one-shot' }],
    ['loop', { type: 'loop', bpm: 120, key: 'F#m' }],
  ])('makes a sound, a %s', async (_type, body) => {
    expect((await make('/sounds', { prompt: 'a gong', ...body })).heard).not.toEqual([]);
  });

  it('tells tempo, notes and the times of words, which are no file, again and again', async () => {
    const [bpm, midi, aligned] = await Promise.all(['/bpm', '/midi', '/aligned-lyrics'].map((path) => onTrack(path)));
    expect(bpm?.result.bpm).toBeGreaterThan(30);
    expect(midi?.result.midi.instruments.length).toBeGreaterThan(0);
    const [word] = aligned?.result.alignment ?? [];
    expect(word).toMatchObject({ word: expect.any(String), start_s: expect.any(Number), end_s: expect.any(Number) });
    for (const made of [bpm, midi, aligned]) expect(made?.result).not.toHaveProperty('music');
    for (let times = 0; times < 5; times += 1) await onTrack('/bpm');
  });

  it.each([
    ['classic', {}],
    ['remi', { lyrics_model: 'remi' }],
  ])('writes lyrics by %s, the first of them by itself', async (_model, body) => {
    const { result } = await make('/lyrics', { prompt: 'a lighthouse', ...body });
    expect(result.text).toBe(result.lyrics[0].text);
    expect(result.text).toMatch(/\w/);
  });
});

describe('the gateway itself', () => {
  it.each([1.5, 0.5])('changes the speed by %d where no vendor is there for it', async (speed) => {
    await system.simulator.setRules([{ match: { wire: 'ttapi', path: 'adjust-speed' }, scenario: 'balance' }]);
    const made = await onTrack('/adjustSpeed', { speed });
    await system.simulator.setRules([]);
    expect((await channelsOf(made)).at(-1)).toBe('music-local');
    expectLength(first(made.heard), 12 / speed);
  });

  it('converts a track to a format that the vendor does not make', async () => {
    const made = await onTrack('/crop', { start_s: 0, end_s: 8, audio_format: 'wav' });
    expect((await channelsOf(made)).at(-1)).toBe('music-local');
    expect(first(made.files).toString('latin1', 0, 12)).toMatch(/^RIFF....WAVE$/s);
    expectLength(first(made.heard), 8);
  });

  it('fades both ends, which the vendor does not do at once', async () => {
    const heard = first((await onTrack('/fade', { fade_in_s: 4, fade_out_s: 4 })).heard);
    const share = (from: number, to: number) =>
      sound.loudness(sound.between(heard, from, to)) / sound.loudness(sound.between(original, from, to));
    expect([share(0, 1) < 0.3, share(11, sound.seconds(heard)) < 0.3]).toEqual([true, true]);
    expect(share(5, 7)).toBeCloseTo(1, 1);
  });

  it.each([
    ['wav', 'audio/wav'],
    ['m4a', 'audio/mp4'],
  ])('gives a new track as %s where that is asked for', async (audioFormat, contentType) => {
    const { tracks } = await make('', { gpt_description: 'A waltz', audio_format: audioFormat });
    const response = await judgedFetch(first(tracks).audio_url);
    expect(response.headers.get('content-type')).toBe(contentType);
  });
});

it('an operation works on the result of an operation', async () => {
  const cropped = await onTrack('/crop', { start_s: 0, end_s: 8 });
  const faster = await make('/adjustSpeed', { task_id: cropped.taskId, speed: 2 });
  expectLength(first(faster.heard), 4);
  const { body } = await account.caller.get(`/v1/tasks/${faster.taskId}/lineage`);
  expect(body.data.ancestors.map(({ id }: { id: string }) => id)).toEqual([cropped.taskId, music.taskId]);
});

it('a caller’s own sound, or result, is uploaded by its link and worked on', async () => {
  const uploaded = await make('/upload', { audio_url: media.url('beat.mp3') });
  expectLength(first(uploaded.heard), 4);
  expectLength(first((await make('/crop', { task_id: uploaded.taskId, start_s: 1, end_s: 3 })).heard), 2);
  const again = await make('/upload', { audio_url: first(music.tracks).audio_url });
  await make('/extend', { task_id: again.taskId, continue_at: 5, tags: 'rock' });
});

/** Operations that any finished track takes, whoever made it. */
const FOLLOW_UPS: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
  ['/extend', { continue_at: 6, prompt: 'La la' }],
  ['/extend', { continue_at: 6, gpt_description: 'softer' }],
  ['/extend', { continue_at: 6, tags: 'rock' }],
  ['/cover', { prompt: 'La la' }],
  ['/cover', { gpt_description: 'the same as a tango' }],
  ['/cover', { tags: 'tango' }],
  ['/sample', { start_s: 1, end_s: 6, tags: 'march' }],
  ['/replace', { start_s: 2, end_s: 4, infill_lyrics: 'And home' }],
  ['/remaster', {}],
  ['/stems', {}],
  ['/concat', {}],
  ['/midi', {}],
  ['/bpm', {}],
  ['/crop', { start_s: 1, end_s: 5 }],
];

const AT_ONCE = 5;

/** Does all of them; the error names the one that failed. */
async function followUps({ taskId }: Made): Promise<void> {
  const left = [...FOLLOW_UPS];
  const ask = async () => {
    for (let next = left.shift(); next; next = left.shift()) await make(next[0], { task_id: taskId, ...next[1] });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
}

describe.each([
  ['the first vendor', 'music-ttapi', undefined],
  ['the other vendor', 'music-sunoapi', 'ttapi'],
])('a track of %s', (_, channel, outOfOrder) => {
  let made: Made;
  beforeAll(async () => {
    const rules = outOfOrder === undefined ? [] : [{ match: { wire: outOfOrder, path: 'music' }, scenario: 'balance' }];
    await system.simulator.setRules(rules);
    // Directives in the words of a track go before the simulator's rules.
    made = await make('', { prompt: '[Verse]\nThe tide goes out', title: 'Harbour', tags: 'waltz' });
    await system.simulator.setRules([]);
    expect((await channelsOf(made)).at(-1)).toBe(channel);
  });

  it('takes every operation on tracks', () => followUps(made));

  it('ends where it is said to end', async () => {
    const { duration } = first(made.tracks);
    await Promise.all([
      make('/crop', { task_id: made.taskId, start_s: 1, end_s: duration }),
      make('/fade', { task_id: made.taskId, fade_in_s: duration }),
      make('/extend', { task_id: made.taskId, continue_at: duration, gpt_description: 'softer' }),
      make('/sample', { task_id: made.taskId, tags: 'march' }),
    ]);
  });
});

describe('a track that was edited here', () => {
  let edited: Made;
  const words = () => {
    const { title, tags, lyrics } = first(music.tracks);
    return { title, tags, lyrics };
  };
  beforeAll(async () => {
    edited = await onTrack('/fade', { fade_in_s: 2, fade_out_s: 2 });
    expect((await channelsOf(edited)).at(-1)).toBe('music-local');
  });

  it('keeps title, tags, lyrics and cover', () => {
    expect(first(edited.tracks)).toMatchObject({ ...words(), image_url: expect.stringMatching(/^http/) });
  });

  it('takes every operation on tracks', () => followUps(edited));

  it('remastered by a vendor it keeps its words', async () => {
    expect(first((await make('/remaster', { task_id: edited.taskId })).tracks)).toMatchObject(words());
  });

  it('has no words that a vendor could align', async () => {
    const { status } = await account.caller.post(`${MUSIC}/aligned-lyrics`, { task_id: edited.taskId });
    expect(status).toBe(400);
  });
});

describe('what the vendor answers with itself', () => {
  const costOf = async ({ taskId }: Made) => (await account.caller.ended(taskId)).cost;

  it('a track of another model is as long as was wanted, and charged by its seconds', async () => {
    const made = await make('', { model: 'musictrack-2', prompt: 'A slow waltz', duration: 9, instrumental: true });
    expect(made.heard.map(sound.seconds)).toEqual([expect.closeTo(9, 0)]);
    expect(await costOf(made)).toBe(0.045);
  });

  it('a track that came out shorter is charged as it came out', async () => {
    const made = await make('', { model: 'musictrack-2', prompt: 'A march [[sim:seconds=5]]', duration: 30 });
    expect(sound.seconds(first(made.heard))).toBeCloseTo(5, 0);
    expect(await costOf(made)).toBe(0.025);
  });

  it('a sound effect comes as long as was wanted, as WAV, at the price of one', async () => {
    const body = { prompt: 'Rain on a tin roof', duration: 2.5, loop: true, audio_format: 'wav' };
    const made = await make('/v1/audio/sound-effects', body);
    expect(sound.seconds(first(made.heard))).toBeCloseTo(2.5, 0);
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
