import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegProgram } from '@mediagate/local-servers';
import { createSpeechStudio, type SpeechStudio } from '../src/media/speech/speech-studio';

let folder: string;
let ffmpegPath: string;
let studio: SpeechStudio;

/** An ffmpeg that writes a line whenever it is run. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-studio-test-'));
  ffmpegPath = join(folder, 'ffmpeg');
  await writeFile(ffmpegPath, `#!/bin/sh\necho run >> '${folder}/runs'\nexec '${ffmpegProgram()}' "$@"\n`);
  await chmod(ffmpegPath, 0o755);
});
afterEach(async () => {
  await studio.close();
  await rm(folder, { recursive: true });
});

const open = (options: { ffmpegPath?: string; maxCacheBytes?: number; onRest?: () => void } = {}) => {
  studio = createSpeechStudio({ ffmpegPath, onRest: () => undefined, ...options });
};
const never = new AbortController().signal;
const say = async (text: string, signal = never): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  const order = { text, voice: 'sage', speed: 1, instructions: '' } as const;
  for await (const piece of studio.speak(order, 'pcm', signal)) pieces.push(piece);
  return Buffer.concat(pieces);
};
const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n').length;

it('reads a text once for all who want it, now and later', async () => {
  open();
  const [one, ...others] = await Promise.all([say('Tide.'), say('Tide.'), say('Tide.')]);
  for (const other of [...others, await say('Tide.')]) expect(one?.equals(other)).toBe(true);
  expect(await runs()).toBe(1);
  await say('Ebb.');
  expect(await runs()).toBe(2);
});

it('forgets what was wanted longest ago when its memory is full', async () => {
  const oneBytes = 48_000 * 3;
  open({ maxCacheBytes: oneBytes });
  for (const word of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) await say(`${word}.`);
  expect(await runs()).toBe(7);
  await say('Seven.');
  expect(await runs()).toBe(7);
  await say('One.');
  expect(await runs()).toBe(8);
});

it('reads two texts at once, however many are wanted', async () => {
  let most = 0;
  open({
    onRest() {
      most = Math.max(most, studio.work().running);
    },
  });
  const all = Array.from({ length: 6 }, (_, index) => say(`Number ${index}.`));
  expect(studio.work()).toEqual({ running: 2, waiting: 4 });
  await Promise.all(all);
  expect(await runs()).toBe(6);
  expect(most).toBeLessThanOrEqual(2);
});

it('says that it cannot run ffmpeg, and tries again the next time', async () => {
  open({ ffmpegPath: join(folder, 'none') });
  await expect(say('x')).rejects.toThrow('FFMPEG_PATH');
  await expect(say('x')).rejects.toThrow('FFMPEG_PATH');
  expect(studio.work()).toEqual({ running: 0, waiting: 0 });
});

it('stops in the middle of everything', async () => {
  open();
  const readings = Array.from({ length: 5 }, (_, index) =>
    say(`${index} `.repeat(2_000)).catch((error: Error) => error),
  );
  await new Promise(setImmediate);
  await studio.close();
  expect((await Promise.all(readings)).every((result) => !Buffer.isBuffer(result))).toBe(true);
  expect(studio.work()).toEqual({ running: 0, waiting: 0 });
});
