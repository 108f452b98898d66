import { download } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';
import * as sound from '../system/sound';
import type { System, SystemAccount } from '../system/start-system';

let system: System;
let account: SystemAccount;
beforeAll(async () => {
  ({ system } = await sharedSystem());
  account = await system.account(1_000_000_000_000n);
});

const MUSIC = '/v1/music/generations';

interface Track {
  audio_id?: string;
  title: string;
  duration: number;
  audio_url: string;
}

/** A finished operation: its record, its tracks, the files behind them and their sound. */
async function make(path: string, body: Record<string, unknown>) {
  const taskId = await account.caller.submit({ model: 'musicgen', ...body }, `${MUSIC}${path}`);
  const record = await account.caller.ended(taskId, 90_000);
  expect([path, record.status, record.error?.message]).toEqual([path, 'completed', undefined]);
  const tracks = (record.result as unknown as { music?: Track[] }).music ?? [];
  const files = await Promise.all(tracks.map(({ audio_url }) => download(audio_url)));
  const heard = files.map((file) => sound.decode(file));
  for (const [index, { duration }] of tracks.entries())
    expect(Math.abs(sound.seconds(first(heard, index)) - duration)).toBeLessThan(0.15);
  return { taskId, record, tracks, files, heard };
}

function first<T>(list: readonly T[], index = 0): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is nothing at ${index}`);
  return found;
}

/** The channels that the attempts at a task went to, in order. */
async function channelsOf(taskId: string): Promise<string[]> {
  const attempts = await system.attempts(taskId);
  return attempts.map(({ channelId }) => channelId);
}

let created: Awaited<ReturnType<typeof make>>;
let original: sound.Sound;
beforeAll(async () => {
  created = await make('', { gpt_description: 'A calm waltz [[sim:seconds=12]]' });
  original = first(created.heard);
});

const onTrack = (path: string, body: Record<string, unknown> = {}) => make(path, { task_id: created.taskId, ...body });

it('a track has sound', () => {
  expect(sound.seconds(original)).toBeGreaterThan(10);
  expect(sound.loudness(original)).toBeGreaterThan(0.01);
});

/** Returns the body of the last call of a path of the vendor. */
async function asked(action: string): Promise<unknown> {
  const starts = (await system.simulator.journal()).filter(({ path }) => path.endsWith(`/suno/v1/${action}`));
  return first(starts.slice(-1)).request;
}

it('extend goes on where it is asked to, and is longer', async () => {
  const extended = await onTrack('/extend', { continue_at: 10, gpt_description: 'softer' });
  expect(extended.record.parent_task_id).toBe(created.taskId);
  expect(await asked('extend')).toMatchObject({ continue_at: 10 });
  expect(sound.seconds(first(extended.heard))).toBeGreaterThan(sound.seconds(original));
});

it('crop keeps exactly the range', async () => {
  const cropped = first((await onTrack('/crop', { start_s: 2, end_s: 8 })).heard);
  expect(await asked('crop')).toMatchObject({ crop_start_s: 2, crop_end_s: 8 });
  expect(Math.abs(sound.seconds(cropped) - 6)).toBeLessThan(0.1);
});

it.each([1.5, 0.75])(
  'adjustSpeed by %d changes the length to its part, and asks that the pitch stays',
  async (speed) => {
    const { heard, taskId } = await onTrack('/adjustSpeed', { speed, version: 'v5' });
    expect(await channelsOf(taskId)).toEqual(['music-ttapi']);
    expect(await asked('adjust-speed')).toMatchObject({ speed_multiplier: speed, keep_pitch: true });
    expectSpeed(first(heard), { speed, of: original });
  },
);

it.each([1.5, 0.5])(
  'adjustSpeed by %d changes the length to its part where no vendor is there for it',
  async (speed) => {
    await system.simulator.setRules([{ match: { wire: 'ttapi', path: 'adjust-speed' }, scenario: 'balance' }]);
    const { heard, taskId } = await onTrack('/adjustSpeed', { speed });
    await system.simulator.setRules([]);
    expect((await channelsOf(taskId)).at(-1)).toBe('music-local');
    expectSpeed(first(heard), { speed, of: original });
  },
);

it('crop converts the track where a format is asked for that the vendor does not make', async () => {
  const { files, heard, taskId } = await onTrack('/crop', { start_s: 0, end_s: 8, audio_format: 'wav' });
  expect((await channelsOf(taskId)).at(-1)).toBe('music-local');
  expect(first(files).toString('latin1', 0, 12)).toMatch(/^RIFF....WAVE$/s);
  expect(Math.abs(sound.seconds(first(heard)) - 8)).toBeLessThan(0.1);
});

it('stems are two sounds as long as the track, beside it', async () => {
  const { heard, files } = await onTrack('/stems');
  expect(new Set([...files, ...created.files].map((file) => file.toString('base64'))).size).toBe(4);
  for (const stem of heard) expect(Math.abs(sound.seconds(stem) - sound.seconds(original))).toBeLessThan(0.1);
});

it('remaster gives the same track in another sound', async () => {
  const { heard, files } = await onTrack('/remaster', { version: 'v5' });
  expect(Math.abs(sound.seconds(first(heard)) - sound.seconds(original))).toBeLessThan(0.1);
  expect(first(files).equals(first(created.files))).toBe(false);
});

it('an operation works on the result of an operation', async () => {
  const cropped = await onTrack('/crop', { start_s: 0, end_s: 8 });
  const faster = await make('/adjustSpeed', { task_id: cropped.taskId, speed: 2 });
  expectSpeed(first(faster.heard), { speed: 2, of: first(cropped.heard) });
  const { body } = await account.caller.get(`/v1/tasks/${faster.taskId}/lineage`);
  expect(body.data.ancestors.map(({ id }: { id: string }) => id)).toEqual([cropped.taskId, created.taskId]);
});

it('writes lyrics, which are no file', async () => {
  const { record } = await make('/lyrics', { prompt: 'a lighthouse' });
  const { lyrics, text } = record.result as unknown as { lyrics: { text: string }[]; text: string };
  expect(lyrics[0]?.text).toMatch(/\w/);
  expect(text).toBe(lyrics[0]?.text);
});

function expectSpeed(heard: sound.Sound, { speed, of }: { speed: number; of: sound.Sound }) {
  expect(Math.abs(sound.seconds(heard) - sound.seconds(of) / speed)).toBeLessThan(0.15);
}
