import { type System, type SystemAccount, startSystem } from './system/start-system';
import { watchAudio } from './system/watch-audio';

let system: System;
let account: SystemAccount;
beforeAll(async () => {
  system = await startSystem();
  account = await system.account(1_000_000_000_000n);
}, 120_000);
afterAll(() => system.stop(), 60_000);

const MUSIC = '/v1/music/generations';

interface Song {
  audio_id?: string;
  duration: number;
  audio_url: string;
  image_url?: string;
}

async function make(path: string, body: Record<string, unknown>) {
  const taskId = await account.caller.submit({ model: 'musicgen', ...body }, `${MUSIC}${path}`);
  const record = await account.caller.ended(taskId, 90_000);
  expect([record.status, record.error?.message]).toEqual(['completed', undefined]);
  const songs = (record.result as unknown as { music?: Song[] }).music ?? [];
  const heard = await Promise.all(
    songs.map(async ({ audio_url: url }) => watchAudio(Buffer.from(await (await fetch(url)).arrayBuffer()))),
  );
  return { taskId, record, songs, heard };
}

describe('a chain of music jobs, each on the result of the one before', () => {
  it('creates, extends, crops, changes speed, separates and remasters, and every step can be heard', async () => {
    const created = await make('', { gpt_description: 'A calm waltz [[sim:seconds=12]]' });
    expect(created.songs.length).toBeGreaterThan(0);
    expect(Math.abs((created.heard[0]?.seconds ?? 0) - (created.songs[0]?.duration ?? 0))).toBeLessThan(0.2);

    const extended = await make('/extend', { task_id: created.taskId, continue_at: 10, gpt_description: 'softer' });
    expect(extended.record.parent_task_id).toBe(created.taskId);

    const cropped = await make('/crop', { task_id: created.taskId, start_s: 2, end_s: 8 });
    expect(cropped.heard[0]?.seconds).toBeCloseTo(6, 0);

    const faster = await make('/adjustSpeed', { task_id: created.taskId, speed: 1.5, version: 'v5' });
    expect(faster.heard[0]?.seconds).toBeCloseTo((created.heard[0]?.seconds ?? 0) / 1.5, 0);

    const stems = await make('/stems', { task_id: created.taskId });
    expect(stems.songs.length).toBeGreaterThan(0);

    const remastered = await make('/remaster', { task_id: created.taskId, version: 'v5' });
    expect(Math.abs((remastered.heard[0]?.seconds ?? 0) - (created.heard[0]?.seconds ?? 0))).toBeLessThan(0.5);
  }, 240_000);

  it('refuses a source that is not there, or not complete, before anything is charged', async () => {
    const missing = { model: 'musicgen', task_id: 'task_00000000000000000000000000', start_s: 0, end_s: 1 };
    expect((await account.caller.post(`${MUSIC}/crop`, missing)).status).toBe(404);
  });

  it('writes lyrics, which are no file', async () => {
    const { record } = await make('/lyrics', { prompt: 'a lighthouse' });
    expect((record.result as unknown as { lyrics: { text: string }[] }).lyrics[0]?.text).toMatch(/\w/);
  }, 60_000);

  it('leaves the books right', async () => {
    expect(await system.audit()).toEqual([]);
  });
});
