import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { FileOnDisk, Output, Owner } from '@mediagate/contracts';
import { createGuardedClient } from '@mediagate/egress';
import { until } from '@mediagate/testkit';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import sharp from 'sharp';
import { createFfmpeg, createOutputFetcher, type FetchedOutput, WorkSlots } from '../src';
import { createProber } from '../src/inspect/probe';
import { createFileBringer } from '../src/outputs/bring-file';
import { withFileSource } from '../src/sources/file-source';
import { serve } from './fixtures';
import { makeSound, makeVideo } from './real-media';

const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [80], allowOrigins: [] });
const ffmpeg = createFfmpeg({ path: ffmpegProgram() });
/** The work folder of this test file alone: others work in the system's temporary folder at the same time. */
const workFolder = mkdtempSync(path.join(tmpdir(), 'mediagate-playable-'));
const GIB = 1024 * 1024 * 1024;
const work = { folder: workFolder, maxBytes: 2 * GIB, maxFileBytes: GIB, slots: new WorkSlots() };
const prober = createProber();
const { playable: probe } = prober;
const fetchOutput = createOutputFetcher({ client, prober, ffmpeg, work });
const owner: Owner = { accountId: 'account' };
const source = { channelBaseUrl: 'https://vendor.example', owner, signal: new AbortController().signal };
/** The fault of a program that is not there. */
const NOT_STARTED = /^\/nowhere\/ffmpeg could not be started: /;
const open: FetchedOutput[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((output) => output.dispose()));
});
afterAll(() => rm(workFolder, { recursive: true }));

async function fetch(output: Output, fetcher = fetchOutput): Promise<FetchedOutput & { bytes: FileOnDisk }> {
  const fetched = await fetcher(output, source);
  open.push(fetched);
  if (Buffer.isBuffer(fetched.bytes)) throw new Error('expected a file');
  return { ...fetched, bytes: fetched.bytes };
}

const workFolders = () => readdir(workFolder);

/** Whether a browser can begin before it has the end: the index stands before the images. */
async function beginsWithIndex({ path: file }: FileOnDisk): Promise<boolean> {
  const bytes = await readFile(file);
  return bytes.indexOf('moov') < bytes.indexOf('mdat');
}

/** The size that the container gives: of the sample's description, and as shown. */
function claimSides(bytes: Buffer, { width, height }: { width: number; height: number }): void {
  const [sample, track] = [bytes.lastIndexOf('avc1', bytes.indexOf('mdat')), bytes.indexOf('tkhd')];
  for (const at of [sample + 28, track + 80]) bytes.writeUInt16BE(width, at);
  for (const at of [sample + 30, track + 84]) bytes.writeUInt16BE(height, at);
}

describe('a sound', () => {
  it.each([
    ['mp4', 'audio/mp4', 'm4a'],
    ['webm', 'audio/webm', 'webm'],
  ] as const)(
    'in a %s without a video track is kept to the byte, as sound',
    async (container, contentType, extension) => {
      const bytes = await makeSound(container, 1);
      const sound = await fetch({ role: 'audio', bytes });
      expect(sound).toMatchObject({ role: 'audio', contentType, extension, faults: [] });
      expect((await readFile(sound.bytes.path)).equals(bytes)).toBe(true);
    },
  );

  it('is not what has a video track', async () => {
    const bytes = await makeVideo({ seconds: 1 });
    await expect(fetch({ role: 'audio', bytes })).rejects.toMatchObject({
      message: expect.stringMatching(/it is a video$/),
    });
  });
});

describe('a video', () => {
  it.each([
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
  ] as const)('that is a %s is measured and kept to the byte', async (extension, contentType) => {
    const bytes = await makeVideo({ seconds: 2, size: '320x180', extension });
    const video = await fetch({ role: 'video', bytes });
    expect(video).toMatchObject({ role: 'video', contentType, extension, width: 320, height: 180, faults: [] });
    expect(Math.abs((video.seconds ?? 0) - 2)).toBeLessThan(0.05);
    expect(video.bytes.totalBytes).toBe(bytes.length);
    expect((await readFile(video.bytes.path)).equals(bytes)).toBe(true);
  });

  it('has its first image as a cover', async () => {
    const { cover, bytes } = await fetch({ role: 'video', bytes: await makeVideo({ seconds: 1, size: '320x180' }) });
    const madeOf = { bytes, contentType: 'video/mp4', actions: ['converted'] };
    expect(cover).toMatchObject({ contentType: 'image/jpeg', width: 320, height: 180, madeOf });
    await expect(sharp(cover?.bytes).metadata()).resolves.toMatchObject({ format: 'jpeg', width: 320, height: 180 });
  });

  it.each([
    ['1920x1080', 1280, 720],
    ['1080x1920', 720, 1280],
    ['1600x1600', 1280, 1280],
  ])('of %s has a cover of %ix%i', async (size, width, height) => {
    const bytes = await makeVideo({ seconds: 0.2, size, sound: false });
    await expect(fetch({ role: 'video', bytes })).resolves.toMatchObject({ cover: { width, height } });
  });

  it.each([
    ['with key frames where it is cut', ['-g', '24', '-bf', '0'], ['trimmed']],
    ['with one key frame and images that refer to later ones', ['-g', '600', '-bf', '3'], ['trimmed', 'transcoded']],
  ])('%s is cut to the length asked for', async (_case, args, actions) => {
    const bytes = await makeVideo({ seconds: 6, args });
    const video = await fetch({ role: 'video', bytes, keepSeconds: 5 });
    expect(video.faults).toEqual([]);
    // The vendor's statements may stand in its own file alone.
    expect(video.madeOf).toMatchObject({ contentType: 'video/mp4', actions, bytes: { totalBytes: bytes.length } });
    expect(Math.abs((video.seconds ?? 0) - 5)).toBeLessThanOrEqual(0.05);
    expect(await beginsWithIndex(video.bytes)).toBe(true);
    const { signal } = source;
    const facts = await withFileSource(video.bytes.path, (file) => probe(file, { owner, signal, toTheEnd: true }));
    expect(facts).toMatchObject({ video: { width: 320, height: 180 }, audio: {} });
    expect(facts.seconds).toBeCloseTo(video.seconds ?? 0, 2);
  });

  it('that is no longer than asked for is left as it is', async () => {
    const bytes = await makeVideo({ seconds: 2 });
    const video = await fetch({ role: 'video', bytes, keepSeconds: 5 });
    expect((await readFile(video.bytes.path)).equals(bytes)).toBe(true);
  });

  it('of images too large to be decoded is kept as it came', async () => {
    const bytes = await makeVideo({ seconds: 3, sound: false, args: ['-movflags', '+faststart'] });
    claimSides(bytes, { width: 9_000, height: 8_000 });
    const video = await fetch({ role: 'video', bytes, keepSeconds: 2 });
    const fault = 'the video of 9000x8000 pixels is too large to be decoded';
    expect(video).toMatchObject({ width: 9_000, height: 8_000, seconds: 3, faults: [fault, fault] });
    expect((await readFile(video.bytes.path)).equals(bytes)).toBe(true);
  });

  it('of images too large to be encoded is kept as it came where it would have to be made anew', async () => {
    const args = ['-g', '600', '-bf', '3', '-movflags', '+faststart'];
    const bytes = await makeVideo({ seconds: 3, sound: false, args });
    claimSides(bytes, { width: 4_097, height: 2_304 });
    const video = await fetch({ role: 'video', bytes, keepSeconds: 2 });
    const fault = 'the video of 4097x2304 pixels is too large to be made anew';
    expect(video).toMatchObject({ width: 4_097, height: 2_304, seconds: 3, faults: [fault] });
    expect((await readFile(video.bytes.path)).equals(bytes)).toBe(true);
  });

  it('without a cover is a result all the same, and so is one that cannot be cut', async () => {
    const broken = createOutputFetcher({ client, prober, ffmpeg: createFfmpeg({ path: '/nowhere/ffmpeg' }) });
    const bytes = await makeVideo({ seconds: 3 });
    const video = await fetch({ role: 'video', bytes, keepSeconds: 2 }, broken);
    expect(video).toMatchObject({
      seconds: 3,
      faults: [expect.stringMatching(NOT_STARTED), expect.stringMatching(NOT_STARTED)],
    });
    expect(video.cover).toBeUndefined();
    await expect(fetch({ role: 'video', bytes }, createOutputFetcher({ client, prober }))).resolves.toMatchObject({
      faults: [],
    });
  });

  it.each([
    ['lost its end', ['-movflags', '+faststart'], 0.6, /the last packet is missing/],
    ['lost its index', [], 0.6, /holds no video|cannot be played/],
  ])('that %s is none', async (_case, args, part, message) => {
    const whole = await makeVideo({ seconds: 2, args });
    const bytes = whole.subarray(0, Math.floor(whole.length * part));
    await expect(fetch({ role: 'video', bytes })).rejects.toMatchObject({
      name: 'OutputError',
      transient: false,
      message: expect.stringMatching(message),
    });
  });

  it('that holds only sound, or nothing, is none', async () => {
    const sound = await makeSound('mp4', 1);
    await expect(fetch({ role: 'video', bytes: sound })).rejects.toMatchObject({
      message: expect.stringMatching(/it holds no video$/),
    });
    const empty = Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1');
    await expect(fetch({ role: 'video', bytes: empty })).rejects.toMatchObject({ name: 'OutputError' });
  });

  it('leaves nothing behind, whether it was good or not', async () => {
    const good = await fetchOutput({ role: 'video', bytes: await makeVideo({ seconds: 1 }) }, source);
    expect(await workFolders()).toHaveLength(1);
    await good.dispose();
    await good.dispose();
    await expect(fetchOutput({ role: 'video', bytes: Buffer.from('<html>') }, source)).rejects.toThrow(
      'of no known type',
    );
    expect(await workFolders()).toEqual([]);
  });

  it('is given up in the middle when the worker must go', async () => {
    const bytes = await makeVideo({ seconds: 1 });
    const site = await serve((_request, response) => response.write(bytes.subarray(0, 5_000)));
    const worker = new AbortController();
    const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [], allowOrigins: [] });
    const pending = createOutputFetcher({ client, prober, ffmpeg, work })(
      { role: 'video', url: `${site.origin}/x` },
      { channelBaseUrl: site.origin, owner, signal: worker.signal },
    );
    setImmediate(() => worker.abort());
    await expect(pending).rejects.toMatchObject({ name: 'EgressError', reason: 'aborted' });
    expect(await workFolders()).toEqual([]);
    await site.close();
  });

  it('comes in when there is room for as much as it may be, whichever family of the process brings it', async () => {
    const bytes = await makeSound('wav', 1);
    const begun: string[] = [];
    const space = { ...work, maxBytes: 20 * bytes.length, slots: new WorkSlots() };
    const families = [createFileBringer(space), createFileBringer(space)] as const;
    let turn = 0;
    const keep = (name: string, signal = source.signal) =>
      families[++turn % 2 === 0 ? 0 : 1]({
        maxBytes: 6 * bytes.length,
        owner: { accountId: name },
        signal,
        receive: (take) => {
          begun.push(name);
          return take(Readable.from([bytes]));
        },
      });
    const kept = [await keep('first'), await keep('second'), await keep('third'), await keep('fourth')];
    // Four are kept, and a fifth fits; then five more bytes in ten fit, not six.
    kept.push(await keep('fifth'));
    const worker = new AbortController();
    const [late, leaving] = [keep('late'), keep('leaving', worker.signal)];
    const reason = new Error('called off');
    setImmediate(() => worker.abort(reason));
    await expect(leaving).rejects.toBe(reason);
    expect(begun).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
    await kept[0]?.dispose();
    kept.push(await late);
    expect(begun.at(-1)).toBe('late');
    await Promise.all(kept.map((each) => each.dispose()));
  });

  it.each(['a link', 'bytes'])('of more bytes than the setting ever allows, from %s, is too large', async (from) => {
    const bytes = await makeVideo({ seconds: 1 });
    const site = await serve((_request, response) => response.end(bytes));
    const output = { role: 'video', ...(from === 'bytes' ? { bytes } : { url: `${site.origin}/x` }) } as Output;
    const small = { ...work, maxFileBytes: bytes.length - 1, slots: new WorkSlots() };
    const fetcher = createOutputFetcher({ client, prober, work: small });
    await expect(fetcher(output, { ...source, channelBaseUrl: site.origin })).rejects.toMatchObject({
      name: 'OutputError',
      message: expect.stringMatching(/^the result is larger than \d+ bytes, /),
      mayComeLater: false,
    });
    expect(await workFolders()).toEqual([]);
    await site.close();
  });

  it('of more bytes than the volume had free comes in alone, and whole', async () => {
    const bytes = await makeVideo({ seconds: 1 });
    const slots = new WorkSlots();
    const full = { ...work, maxBytes: bytes.length, slots };
    const file = await createOutputFetcher({ client, prober, ffmpeg, work: full })({ role: 'video', bytes }, source);
    expect(slots.resultBytes(full).areAllTaken).toBe(true);
    await file.dispose();
  });

  it.each([
    ['twice its bytes, where it alone may have a copy', 1, 2, 2],
    ['its bytes of a space that is counted in pairs', 2, 2, 1],
    ['half of them there, where it has none', 2, 1, 0.5],
  ] as const)('takes %s', async (_what, ofAll, ofThis, times) => {
    const bytes = await makeSound('wav', 1);
    const space = { ...work, filesPerResult: ofAll, slots: new WorkSlots() };
    const output = { role: 'audio', bytes } as const;
    const file = await createOutputFetcher({ client, prober, ffmpeg, work: space })(output, {
      ...source,
      filesPerResult: ofThis,
    });
    expect(space.slots.resultBytes(space).held).toBe(Math.ceil(bytes.length * times));
    await file.dispose();
  });

  /** A bringer whose transfers last until `go`, with the owners of those that have begun. */
  async function slowTransfers() {
    const bytes = await makeSound('wav', 1);
    const bringFile = createFileBringer();
    const [begun, open]: [string[], (() => void)[]] = [[], []];
    const keep = async (accountId: string, isTest = false) => {
      const kept = await bringFile({
        maxBytes: bytes.length,
        owner: { accountId, isTest },
        signal: source.signal,
        receive: async (take) => {
          begun.push(accountId);
          await new Promise<void>((resolve) => open.push(resolve));
          return take(Readable.from([bytes]));
        },
      });
      await kept.dispose();
    };
    /** Lets those that have begun go on, until all are done. */
    const goOn = async (all: Promise<void>[]) => {
      const look = setInterval(() => {
        for (const go of open.splice(0)) go();
      }, 5);
      await Promise.all(all);
      clearInterval(look);
    };
    const begunAre = async (count: number) => {
      await until(() => begun.length >= count, `${count} have begun`);
      return begun;
    };
    return { keep, begunAre, goOn };
  }

  it('comes in eight at a time, four of one account', async () => {
    const { keep, begunAre, goOn } = await slowTransfers();
    const accounts = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'b', 'c'];
    const all = accounts.map((account) => keep(account));
    expect((await begunAre(8)).toSorted().join('')).toBe('aaaabbbb');
    await goOn(all);
    expect(await begunAre(12)).toHaveLength(12);
  });

  it('of a paid task waits for none of the test tasks of ten accounts, however slow theirs are', async () => {
    const { keep, begunAre, goOn } = await slowTransfers();
    const tests = Array.from({ length: 10 }, (_, index) => keep(`tester ${index}`, true));
    expect((await begunAre(2)).toSorted()).toEqual(['tester 0', 'tester 1']);
    const paid = keep('paid');
    expect((await begunAre(3)).toSorted()).toEqual(['paid', 'tester 0', 'tester 1']);
    await goOn([...tests, paid]);
  });

  it('that comes as a link goes to disk, not to memory', async () => {
    // An MP4 may end in a box that nobody reads.
    const video = await makeVideo({ seconds: 1, args: ['-movflags', '+faststart'] });
    const paddingBytes = 200 * 1024 * 1024;
    const box = Buffer.alloc(8);
    box.writeUInt32BE(paddingBytes + 8);
    box.write('free', 4, 'latin1');
    const chunk = Buffer.alloc(1024 * 1024);
    const site = await serve(async (_request, response) => {
      response.writeHead(200, { 'content-length': video.length + 8 + paddingBytes });
      response.write(video);
      response.write(box);
      for (let sent = 0; sent < paddingBytes; sent += chunk.length) {
        if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
      }
      response.end();
    });
    const before = process.memoryUsage().rss;
    const fetched = await createOutputFetcher({ client, prober, ffmpeg, work })(
      { role: 'video', url: `${site.origin}/x` },
      { ...source, channelBaseUrl: site.origin },
    );
    const grown = process.memoryUsage().rss - before;
    open.push(fetched);
    expect(fetched).toMatchObject({ bytes: { totalBytes: video.length + 8 + paddingBytes }, width: 320 });
    expect(grown).toBeLessThan(0.75 * paddingBytes);
    await site.close();
  });
});

describe('sound', () => {
  it.each([
    ['mp3', 'audio/mpeg', []],
    ['wav', 'audio/wav', []],
    ['flac', 'audio/flac', []],
    ['ogg', 'audio/ogg', ['-c:a', 'libopus']],
    ['m4a', 'audio/mp4', []],
  ])('that is a %s has a length and no cover', async (extension, contentType, args) => {
    const sound = await fetch({ role: 'audio', bytes: await makeSound(extension, 2.5, args) });
    expect(sound).toMatchObject({ role: 'audio', contentType, extension, faults: [] });
    expect(Math.abs((sound.seconds ?? 0) - 2.5)).toBeLessThan(0.06);
    expect(sound).not.toHaveProperty('width');
    expect(sound).not.toHaveProperty('cover');
  });

  it('written without knowing its length, is measured', async () => {
    const bytes = await makeSound('wav', 2);
    bytes.writeUInt32LE(0xffffffff, 4);
    bytes.writeUInt32LE(0xffffffff, bytes.indexOf('data') + 4);
    await expect(fetch({ role: 'audio', bytes })).resolves.toMatchObject({ seconds: 2 });
  });

  it.each(['wav', 'm4a'])('that is a %s without its end is none', async (extension) => {
    const bytes = await makeSound(extension, 2);
    const cutOff = fetch({ role: 'audio', bytes: bytes.subarray(0, bytes.length / 2) });
    await expect(cutOff).rejects.toMatchObject({ name: 'OutputError' });
  });

  it('is cut as well', async () => {
    const bytes = await makeSound('mp3', 6);
    const sound = await fetch({ role: 'audio', bytes, keepSeconds: 5 });
    expect(Math.abs((sound.seconds ?? 0) - 5)).toBeLessThanOrEqual(0.05);
  });
});

describe('a sound that is wanted in another format', () => {
  it.each([
    ['wav', 'audio/wav'],
    ['m4a', 'audio/mp4'],
    ['mp3', 'audio/mpeg'],
  ] as const)('is brought into %s, as long as it was', async (audioFormat, contentType) => {
    const bytes = await makeSound(audioFormat === 'mp3' ? 'wav' : 'mp3', 3);
    const sound = await fetch({ role: 'audio', bytes, audioFormat });
    expect([sound.contentType, sound.extension, sound.faults]).toEqual([contentType, audioFormat, []]);
    expect(Math.abs((sound.seconds ?? 0) - 3)).toBeLessThan(0.1);
    expect(sound.madeOf).toMatchObject({ actions: ['transcoded'], bytes: { totalBytes: bytes.length } });
  });

  it('is cut before, where it is longer than was asked for', async () => {
    const bytes = await makeSound('wav', 3);
    const sound = await fetch({ role: 'audio', bytes, keepSeconds: 2, audioFormat: 'mp3' });
    expect(sound.madeOf).toMatchObject({ contentType: 'audio/wav', actions: ['trimmed', 'transcoded'] });
  });

  it('stays what it is where it is that already', async () => {
    const bytes = await makeSound('wav', 1);
    const sound = await fetch({ role: 'audio', bytes, audioFormat: 'wav' });
    expect(await readFile(sound.bytes.path)).toEqual(bytes);
  });

  it('is kept as it came where it cannot be brought into it, with a fault for operators', async () => {
    const bytes = await makeSound('mp3', 1);
    const sound = await fetch({ role: 'audio', bytes, audioFormat: 'wav' }, createOutputFetcher({ client, prober }));
    expect(sound.contentType).toBe('audio/mpeg');
    expect(sound.faults).toEqual(['there is no ffmpeg to bring it into wav with']);
  });
});
