import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type LoadedMedia, type MusicRequest, message, NOBODY, type StartOutcome } from '@mediagate/contracts';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import { callContext } from '../../test/fixtures';
import { startReplayServer } from '../conformance/replay-server';
import { type Adapter, type Clients, checkChannelOptions, createAdapters, createHttpClient } from '../index';

const run = promisify(execFile);
const http = createHttpClient();
const RATE = 44_100;
/** Seconds of 440 Hz, and then as many of 880 Hz. */
const HALF_SECONDS = 2;

const ffmpeg: NonNullable<Clients['runFfmpeg']> = async (args, { signal }) => {
  await run(ffmpegProgram(), ['-nostdin', '-loglevel', 'error', '-y', ...args], { signal }).catch(
    ({ message, code }) => {
      throw Object.assign(new Error(message), typeof code === 'number' ? { exitCode: code } : {});
    },
  );
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'local-audio-test-'));
});
afterAll(async () => {
  await http.close();
  await rm(folder, { recursive: true, force: true });
});

function localAudio(tools: Omit<Clients, 'http'> = { runFfmpeg: ffmpeg }): Adapter {
  const found = createAdapters({ http, ...tools }).get('local-audio');
  if (!found) throw new Error('no adapter local-audio');
  return found;
}

/** A WAV of one channel at half of its full strength. */
function wave(): Buffer {
  const count = 2 * HALF_SECONDS * RATE;
  const bytes = Buffer.alloc(44 + count * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + count * 2, 4);
  bytes.write('WAVEfmt ', 8);
  for (const [offset, value] of [
    [16, 16],
    [24, RATE],
    [28, RATE * 2],
  ] as const)
    bytes.writeUInt32LE(value, offset);
  for (const [offset, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, offset);
  bytes.write('data', 36);
  bytes.writeUInt32LE(count * 2, 40);
  for (let index = 0; index < count; index += 1) {
    const hertz = index < count / 2 ? 440 : 880;
    bytes.writeInt16LE(Math.round(16_384 * Math.sin((2 * Math.PI * hertz * index) / RATE)), 44 + index * 2);
  }
  return bytes;
}

function loaded(bytes: Buffer, contentType: string, seconds = 2 * HALF_SECONDS): LoadedMedia {
  return { field: 'audio_url', role: 'audio', contentType, bytes, seconds };
}

const SOURCE = {
  taskId: 'task_1',
  channelId: 'another-channel',
  audioUrl: 'https://media.example/1.wav',
  seconds: 2 * HALF_SECONDS,
  title: 'Harbour Light',
};

function start(
  music: Partial<MusicRequest>,
  { media = [loaded(wave(), 'audio/wav')], adapter = localAudio(), signal = new AbortController().signal } = {},
): Promise<StartOutcome> {
  const request = { attemptId: 'attempt-1', request: { source: SOURCE, ...music } as never, media };
  return adapter.start(request, callContext('http://localhost', {}, { signal }));
}

async function result(music: Partial<MusicRequest>, media?: LoadedMedia[]) {
  const outcome = await start(music, media && { media });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  const [{ bytes, contentType } = {}] = outcome.outputs;
  if (!Buffer.isBuffer(bytes)) throw new Error('no bytes');
  return { outcome, bytes, contentType, ...(await listen(bytes)) };
}

/** Samples of one channel from -1 to 1, read by a decoder that is given the bytes alone. */
async function listen(bytes: Buffer) {
  const [file, raw] = [path.join(folder, 'heard'), path.join(folder, 'raw')];
  await writeFile(file, bytes);
  await ffmpeg(['-i', file, '-ac', '1', '-ar', String(RATE), '-f', 'f32le', raw], {
    owner: NOBODY,
    signal: new AbortController().signal,
  });
  const pcm = await readFile(raw);
  const samples = Float32Array.from({ length: pcm.length / 4 }, (_, index) => pcm.readFloatLE(index * 4));
  return { samples, seconds: samples.length / RATE };
}

/** Upward passes through zero a second, in the middle of the part between two shares of the whole. */
function hertz(samples: Float32Array, from: number, to: number): number {
  const margin = (to - from) / 5;
  const part = samples.slice((from + margin) * samples.length, (to - margin) * samples.length);
  let passes = 0;
  for (let index = 1; index < part.length; index += 1) {
    if ((part[index - 1] ?? 0) < 0 && (part[index] ?? 0) >= 0) passes += 1;
  }
  return passes / (part.length / RATE);
}

function loudest(samples: Float32Array, fromSeconds: number, toSeconds: number): number {
  return samples
    .slice(fromSeconds * RATE, toSeconds * RATE)
    .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

it('the tempo of any track is heard', async () => {
  const clicks = wave();
  // Two a second, over silence.
  for (let index = 0; index < (clicks.length - 44) / 2; index += 1) {
    const into = index % (RATE / 2);
    clicks.writeInt16LE(into < 800 ? Math.round(16_384 * Math.sin(into * 0.2)) : 0, 44 + index * 2);
  }
  expect(await start({ operation: 'bpm' }, { media: [loaded(clicks, 'audio/wav')] })).toMatchObject({
    kind: 'done',
    facts: { bpm: expect.closeTo(120, 0) },
  });
  const silence = Buffer.from(clicks).fill(0, 44);
  expect(await start({ operation: 'bpm' }, { media: [loaded(silence, 'audio/wav')] })).toMatchObject({
    fault: { code: 'generation_failed', message: message('no_beat') },
  });
});

it('what comes out keeps the words and the cover of its track', async () => {
  const source = { ...SOURCE, lyrics: 'La', tags: 'folk' };
  const image: LoadedMedia = {
    field: 'task_id',
    role: 'image',
    contentType: 'image/jpeg',
    bytes: Buffer.from('an image'),
  };
  const media = [loaded(wave(), 'audio/wav'), image];
  const { outcome } = await result({ operation: 'fade', fadeIn: 1, fadeOut: 1, source }, media);
  expect(outcome.outputs[0]?.facts).toEqual({ title: 'Harbour Light', lyrics: 'La', tags: 'folk' });
  expect(outcome.outputs[1]).toEqual({ role: 'cover', contentType: 'image/jpeg', bytes: image.bytes });
  expect(outcome.outputs).toHaveLength(2);
});

/** Compressed formats begin and end with a packet's silence. */
const TOLERANCE_SECONDS = 0.06;

function expectTones(samples: Float32Array) {
  expect(hertz(samples, 0, 0.5)).toBeCloseTo(440, -1);
  expect(hertz(samples, 0.5, 1)).toBeCloseTo(880, -1);
}

describe('edits of a track', () => {
  it.each([0.25, 0.5, 0.8, 1.5, 2, 4])('at speed %d last as long as they should, at the same pitch', async (speed) => {
    const { samples, seconds, outcome } = await result({ operation: 'adjust_speed', speed });
    expect(Math.abs(seconds - (2 * HALF_SECONDS) / speed)).toBeLessThan(TOLERANCE_SECONDS);
    expectTones(samples);
    expect(outcome.usage).toEqual({ seconds: Math.round((2 * HALF_SECONDS) / speed) });
  });

  it('keep what is cropped', async () => {
    const { samples, seconds } = await result({ operation: 'crop', start: 1, end: 3 });
    expect(seconds).toBeCloseTo(2, 3);
    expectTones(samples);
  });

  it.each([
    ['the middle', 1, 3, 440, 880],
    ['the beginning', 0, 2, 880, 880],
    ['the end', 2, 4, 440, 440],
  ])('leave out %s', async (_, from, to, first, second) => {
    const { samples, seconds } = await result({ operation: 'remove', start: from, end: to });
    expect(seconds).toBeCloseTo(2, 3);
    expect(hertz(samples, 0, 0.5)).toBeCloseTo(first, -1);
    expect(hertz(samples, 0.5, 1)).toBeCloseTo(second, -1);
  });

  it('begin and end softly, and are as loud as before between', async () => {
    const { samples, seconds } = await result({ operation: 'fade', fadeIn: 1, fadeOut: 1 });
    expect(seconds).toBeCloseTo(4, 3);
    expect(loudest(samples, 0, 0.1)).toBeLessThan(0.06);
    expect(loudest(samples, 1.5, 2.5)).toBeCloseTo(0.5, 1);
    expect(loudest(samples, 3.9, 4)).toBeLessThan(0.06);
  });

  it('fade however shortly', async () => {
    const { samples, seconds } = await result({ operation: 'fade', fadeIn: 1e-7, fadeOut: 1 });
    expect(seconds).toBeCloseTo(4, 3);
    expect(loudest(samples, 0, 0.1)).toBeCloseTo(0.5, 1);
    expect(loudest(samples, 3.9, 4)).toBeLessThan(0.06);
  });

  it.each([
    ['mp3', 'audio/mpeg', /^(ID3|ÿ[ûóú])/],
    ['m4a', 'audio/mp4', /^....ftypM4A /s],
    ['wav', 'audio/wav', /^RIFF....WAVE/s],
  ] as const)('come as %s where that is asked for', async (audioFormat, contentType, magic) => {
    const made = await result({ operation: 'crop', start: 1, end: 3, audioFormat });
    expect(made.contentType).toBe(contentType);
    expect(made.bytes.toString('latin1', 0, 12)).toMatch(magic);
    expect(Math.abs(made.seconds - 2)).toBeLessThan(TOLERANCE_SECONDS);
    expectTones(made.samples);
  });

  it('stay in the format of the track, keep its title as a fact and none of what its file says', async () => {
    const titled = path.join(folder, 'titled.mp3');
    await writeFile(path.join(folder, 'plain.wav'), wave());
    const tag = ['-metadata', 'title=words of a caller'];
    await ffmpeg(['-i', path.join(folder, 'plain.wav'), ...tag, titled], {
      owner: NOBODY,
      signal: new AbortController().signal,
    });
    const source = await readFile(titled);
    expect(source.includes('words of a caller')).toBe(true);
    const { outcome, bytes, contentType, samples } = await result({ operation: 'crop', start: 1, end: 3 }, [
      loaded(source, 'audio/mpeg'),
    ]);
    expect(contentType).toBe('audio/mpeg');
    expect(bytes.includes('words of a caller')).toBe(false);
    expect(outcome.outputs[0]?.facts).toEqual({ title: 'Harbour Light' });
    expectTones(samples);
  });
});

describe('what cannot be done here', () => {
  it.each([
    ['needs a vendor', { operation: 'extend', continueAt: 3 }, [loaded(wave(), 'audio/wav')]],
    ['was not fetched', { operation: 'crop', start: 1, end: 2 }, []],
    ['was only inspected', { operation: 'crop', start: 1, end: 2 }, [loaded(Buffer.alloc(0), 'audio/wav')]],
    ['is no sound', { operation: 'crop', start: 1, end: 2 }, [loaded(wave(), 'video/mp4')]],
    ['would leave nothing', { operation: 'remove', start: 0, end: 4 }, [loaded(wave(), 'audio/wav')]],
    ['would take too much memory', { operation: 'adjust_speed', speed: 0.25 }, [loaded(wave(), 'audio/wav', 480)]],
  ] as const)('is left to other channels when it %s', async (_, music, media) => {
    const outcome = await start(music, { media: [...media] });
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'cannot_carry' } });
  });

  it('is a matter for the operator where there is no ffmpeg', async () => {
    const outcome = await start({ operation: 'crop', start: 1, end: 2 }, { adapter: localAudio({}) });
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'operator' } });
  });
});

describe('work on a file', () => {
  const crop = { operation: 'crop', start: 1, end: 2 } as const;

  it('that is no track fails without a word of where it was done', async () => {
    const outcome = await start(crop, { media: [loaded(Buffer.from('no sound at all'), 'audio/wav')] });
    if (outcome.kind !== 'refused') throw new Error('a song was made of nothing');
    // Not a fault of the channel, which the next caller with such a file would take away from all others.
    expect(outcome.fault.code).toBe('generation_failed');
    expect(outcome.fault.detail).not.toMatch(/sound-\w{6}/);
  });

  it('that is a list of addresses fetches none of them', async () => {
    const server = await startReplayServer((response) => response.end());
    const list = Buffer.from(`#EXTM3U\n#EXTINF:5,\n${server.origin}/1.mp3\n`);
    const outcome = await start(crop, { media: [loaded(list, 'audio/mpeg')] });
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'generation_failed' } });
    expect(server.connections()).toBe(0);
    await server.close();
  });

  it('that does not come to an end counts against the channel', async () => {
    const stuck: Omit<Clients, 'http'> = {
      runFfmpeg: () => Promise.reject(new Error('ffmpeg took longer than 120 s')),
    };
    const outcome = await start(crop, { adapter: localAudio(stuck) });
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'upstream_fault' } });
  });

  it('that is stopped may be done again', async () => {
    const abort = new AbortController();
    const stopped: Omit<Clients, 'http'> = {
      runFfmpeg: async (_, { signal }) => {
        abort.abort();
        signal.throwIfAborted();
      },
    };
    const outcome = await start(crop, { adapter: localAudio(stopped), signal: abort.signal });
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'not_accepted' } });
    expect(localAudio().afterLostAnswer).toBe('idempotent');
  });

  it.each([true, false])('leaves no file behind, also when it fails (%s)', async (fails) => {
    let input = '';
    const seen: Omit<Clients, 'http'> = {
      runFfmpeg: async (args) => {
        input = args[args.indexOf('-i') + 1] ?? '';
        expect(existsSync(input)).toBe(true);
        if (fails) throw new Error('it failed');
        await writeFile(args.at(-1) ?? '', 'a result');
      },
    };
    const outcome = await start(crop, { adapter: localAudio(seen) });
    expect(outcome.kind).toBe(fails ? 'refused' : 'done');
    expect(existsSync(path.dirname(input))).toBe(false);
  });
});

it("the channel's options are the bitrate of compressed results", () => {
  expect(checkChannelOptions('local-audio', { bitrate_kbps: 256 })).toBeUndefined();
  expect(checkChannelOptions('local-audio', { bitrate_kbps: 8 })).toContain('bitrate_kbps');
  expect(checkChannelOptions('local-audio', { speed: 2 })).toContain('speed');
});
