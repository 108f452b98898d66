import { judgedFetch } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';

let system: System;
let account: SystemAccount;
beforeAll(async () => {
  ({ system } = await sharedSystem());
  account = await system.account(1_000_000_000_000n);
});

const MUSIC = '/v1/music/generations';

interface Track {
  audio_id: string;
  title: string;
  lyrics: string;
  tags: string;
  duration: number;
  audio_url: string;
  image_url: string;
}

async function make(path: string, body: Record<string, unknown>) {
  const taskId = await account.caller.submit(body, `${MUSIC}${path}`);
  const record = await account.caller.ended(taskId, 90_000);
  expect([path, body, record.status, record.error?.message]).toEqual([path, body, 'completed', undefined]);
  const result = record.result as unknown as { music?: Track[]; bpm?: number; midi?: object };
  return { taskId, result, tracks: result.music ?? [] };
}

async function channelsOf(taskId: string): Promise<string[]> {
  const attempts = await system.attempts(taskId);
  return attempts.map(({ channelId }) => channelId);
}

function first<T>([found]: readonly T[]): T {
  if (found === undefined) throw new Error('there is none');
  return found;
}

/** Operations that any finished track takes, whoever made it. */
const FOLLOW_UPS: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
  ['/extend', { continue_at: 6, prompt: 'La la' }],
  ['/extend', { continue_at: 6, gpt_description: 'softer' }],
  ['/extend', { continue_at: 6, tags: 'rock' }],
  ['/cover', { prompt: 'La la' }],
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

/** All of them; the error names the one that failed. */
async function followUps(taskId: string): Promise<void> {
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
  let music: Awaited<ReturnType<typeof make>>;
  beforeAll(async () => {
    const rules = outOfOrder === undefined ? [] : [{ match: { wire: outOfOrder, path: 'music' }, scenario: 'balance' }];
    await system.simulator.setRules(rules);
    // Directives in the words of a track go before the simulator's rules.
    music = await make('', { prompt: '[Verse]\nThe tide goes out', title: 'Harbour', tags: 'waltz' });
    await system.simulator.setRules([]);
    expect((await channelsOf(music.taskId)).at(-1)).toBe(channel);
  });

  it('takes every operation on tracks', async () => {
    await followUps(music.taskId);
  });

  it('ends where it is said to end', async () => {
    const { duration } = first(music.tracks);
    await Promise.all([
      make('/crop', { task_id: music.taskId, start_s: 1, end_s: duration }),
      make('/fade', { task_id: music.taskId, fade_in_s: duration }),
      make('/extend', { task_id: music.taskId, continue_at: duration, gpt_description: 'softer' }),
      make('/sample', { task_id: music.taskId, tags: 'march' }),
    ]);
  });
});

describe('a track that was edited here', () => {
  let original: Awaited<ReturnType<typeof make>>;
  let edited: Awaited<ReturnType<typeof make>>;
  beforeAll(async () => {
    original = await make('', { prompt: '[Verse]\nThe tide [[sim:seconds=12]]', title: 'Harbour', tags: 'waltz' });
    edited = await make('/fade', { task_id: original.taskId, fade_in_s: 2, fade_out_s: 2 });
    expect((await channelsOf(edited.taskId)).at(-1)).toBe('music-local');
  });

  it('keeps title, tags, lyrics and cover', () => {
    const { title, tags, lyrics } = first(original.tracks);
    expect(first(edited.tracks)).toMatchObject({ title, tags, lyrics, image_url: expect.stringMatching(/^http/) });
  });

  it('takes every operation on tracks', async () => {
    await followUps(edited.taskId);
  });

  it('remastered by a vendor it keeps its words', async () => {
    const { tracks } = await make('/remaster', { task_id: edited.taskId });
    const { title, tags, lyrics } = first(original.tracks);
    expect(first(tracks)).toMatchObject({ title, tags, lyrics });
  });

  it('has no words that a vendor could align', async () => {
    const { status } = await account.caller.post(`${MUSIC}/aligned-lyrics`, { task_id: edited.taskId });
    expect(status).toBe(400);
  });
});

it('an own result can be uploaded by its link', async () => {
  const { tracks } = await make('', { tags: 'rock' });
  const uploaded = await make('/upload', { audio_url: first(tracks).audio_url });
  await make('/extend', { task_id: uploaded.taskId, continue_at: 5, tags: 'rock' });
});

it.each([
  ['wav', 'audio/wav'],
  ['m4a', 'audio/mp4'],
])('a track is a %s where that is asked for', async (audioFormat, contentType) => {
  const { tracks } = await make('', { gpt_description: 'A waltz', audio_format: audioFormat });
  const response = await judgedFetch(first(tracks).audio_url);
  expect(response.headers.get('content-type')).toBe(contentType);
});

it('the tempo of a track can be asked for again and again', async () => {
  const { taskId } = await make('', { tags: 'rock' });
  for (let times = 0; times < 6; times += 1) await make('/bpm', { task_id: taskId });
});
