import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { until } from '@mediagate/testkit';
import { HELD_LIMIT_MS, holdLimits } from '@mediagate/testkit/clock';
import { MAX_READ_BYTES } from '../src/inspect/conversation';
import { createProber, PROBE_POOL } from '../src/inspect/probe';
import { type ByteSource, bufferSource } from '../src/sources/byte-source';
import { makePdf } from './documents';
import { box, endlessRun, mp4, u32 } from './hostile-files';
import { makeSound, makeVideo } from './real-media';

const { playable: probe } = createProber();
const owner = { accountId: 'account' };
const limits = holdLimits();
const never = () => new AbortController().signal;
const FASTSTART = ['-movflags', '+faststart'];

/** The processes that this one's probers have started, as Linux lists them. */
function probeProcesses(): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ours = processes.filter((pid) => {
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(readOf(pid, 'status')) ?? [];
    return parent === String(process.pid) && readOf(pid, 'cmdline').includes('probe-process');
  });
  return ours.map(Number);
}

/** Empty when the process is gone by now. */
function readOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const itOnLinux = process.platform === 'linux' ? it : it.skip;

/** A million samples of as many bytes: as large as it says, and more than a process has memory for. */
function withLongTables(): Buffer {
  const samples = 1_000_000;
  const tables = { stts: box('stts', u32(0, 1, samples, 40)), ctts: box('ctts', u32(0, 1, samples, 0)) };
  const sizes = box('stsz', u32(0, 0, samples), Buffer.alloc(4 * samples, 1));
  return mp4({ ...tables, stsz: sizes });
}

/** An index of nearly the largest size that is read, `entryBytes` for each entry. */
const entriesOf = (entryBytes: number) => Math.floor((MAX_READ_BYTES - 2_000) / entryBytes);
const repeated = (count: number, ...entry: number[]) => Buffer.alloc(4 * entry.length * count, u32(...entry));

function withSizes(samples: number): Buffer {
  return mp4({ stsz: box('stsz', u32(0, 0, samples), repeated(samples, 8)) });
}

function withPlaces(chunks: number): Buffer {
  return mp4({ stco: box('stco', u32(0, chunks), repeated(chunks, 40)) });
}

/** A table of each kind, as an encoder writes them that gives each sample times of its own. */
function withAllTables(samples: number): Buffer {
  return mp4({
    stts: box('stts', u32(0, samples), repeated(samples, 1, 40)),
    ctts: box('ctts', u32(0, samples), repeated(samples, 1, 40)),
    stsz: box('stsz', u32(0, 0, samples), repeated(samples, 8)),
    stco: box('stco', u32(0, samples), repeated(samples, 40)),
  });
}

/** The most memory that a process has held, without the pages of the program, which all processes share. */
function peakBytesOf(pid: number): number {
  const kilobytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readOf(String(pid), 'status'))?.[1]);
  return 1024 * (kilobytes('VmHWM') - kilobytes('RssFile'));
}

describe('the prober', () => {
  it.each([
    ['an mp4', 'mp4', FASTSTART],
    ['an mp4 with its index at the end', 'mp4', []],
    ['an mp4 in fragments', 'mp4', ['-movflags', 'frag_keyframe+empty_moov', '-g', '12']],
    ['a mov', 'mov', []],
    ['a webm', 'webm', []],
  ] as const)('measures %s', async (_case, extension, args) => {
    const bytes = await makeVideo({ seconds: 2, size: '176x144', extension, args });
    const facts = await probe(bufferSource(bytes), { owner, signal: never(), toTheEnd: true });
    expect(facts).toMatchObject({ video: { width: 176, height: 144 }, audio: {} });
    expect(Math.abs(facts.seconds - 2)).toBeLessThan(0.1);
  });

  it('measures a turned video as it is shown', async () => {
    const flat = await makeVideo({ seconds: 1, size: '320x180', args: FASTSTART });
    // The matrix of the video track, in 16.16 fixed point: a quarter turn.
    const matrix = flat.indexOf('tkhd') + 4 + 40;
    [0, 0x10000, 0, -0x10000, 0].forEach((value, index) => {
      flat.writeInt32BE(value, matrix + 4 * index);
    });
    const facts = await probe(bufferSource(flat), { owner, signal: never() });
    expect(facts.video).toEqual({ width: 180, height: 320 });
  });

  it.each([
    ['without its table', []],
    ['of a changing bit rate', ['-q:a', '5']],
    ['without the frame that tells its length', ['-write_xing', '0']],
  ])('counts the frames of an mp3 %s', async (_case, args) => {
    const { seconds, audio } = await probe(bufferSource(await makeSound('mp3', 3.5, args)), { owner, signal: never() });
    expect(audio).toBeDefined();
    expect(Math.abs(seconds - 3.5)).toBeLessThan(0.06);
  });

  it('reads through ten minutes of sound within its own limits', async () => {
    const minute = await makeSound('mp3', 60);
    const track = Buffer.concat(Array.from({ length: 10 }, () => minute.subarray(1_000)));
    expect((await probe(bufferSource(track), { owner, signal: never() })).seconds).toBeGreaterThan(590);
  });

  it('does not believe an mp3 that says it is shorter', async () => {
    const bytes = await makeSound('mp3', 5);
    const info = Math.max(bytes.indexOf('Info'), bytes.indexOf('Xing'));
    bytes.writeUInt32BE(10, info + 8);
    expect((await probe(bufferSource(bytes), { owner, signal: never() })).seconds).toBeGreaterThan(4.9);
  });

  it('reads of a video its index alone', async () => {
    const bytes = await makeVideo({ seconds: 6, size: '1280x720', args: [...FASTSTART, '-b:v', '12M'] });
    let read = 0;
    const source: ByteSource = {
      totalBytes: bytes.length,
      read: async (start, end) => {
        read += end - start;
        return bytes.subarray(start, end);
      },
    };
    await probe(source, { owner, signal: never() });
    expect(bytes.length).toBeGreaterThan(4_000_000);
    expect(read).toBeLessThan(400_000);
  });

  it('survives a file that would fill its memory, and the process does not wait for it', async () => {
    const hostile = probe(bufferSource(withLongTables()), { owner, signal: never() });
    const caught = hostile.catch((error: unknown) => error);
    const good = await probe(bufferSource(await makeSound('wav', 1)), { owner, signal: never() });
    expect(good.seconds).toBe(1);
    expect(await caught).toMatchObject({ name: 'ProbeError', message: expect.stringMatching(/memory|CPU/) });
    await expect(probe(bufferSource(await makeSound('wav', 1)), { owner, signal: never() })).resolves.toMatchObject({
      seconds: 1,
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a name and no more', Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1')],
    ['an index of 4 GB', Buffer.from('\0\0\0\x10ftypisom\0\0\0\0\xff\xff\xff\xffmoov', 'latin1')],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/x.ts\n')],
    ['noise', Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 251))],
  ])('finds nothing to play in %s', async (_case, bytes) => {
    const found = await probe(bufferSource(bytes), { owner, signal: never() }).catch((error: unknown) => error);
    expect([{ seconds: 0 }, expect.objectContaining({ name: 'ProbeError' })]).toContainEqual(found);
  });

  it('has no part brought that is larger than any needs to be', async () => {
    const index = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0\x02\0\0\0moov', 'latin1');
    let largest = 0;
    const read = async (start: number, end: number) => {
      largest = Math.max(largest, end - start);
      return Buffer.concat([index.subarray(start, end), Buffer.alloc(end - start)]).subarray(0, end - start);
    };
    const found = probe({ totalBytes: 0x02000010, read }, { owner, signal: never() });
    await expect(found).rejects.toMatchObject({ name: 'ProbeError', message: 'a part of the file is too large' });
    expect(largest).toBeLessThan(1_000_000);
  });

  it('refuses an index that is larger than its memory has room for', async () => {
    const found = probe(bufferSource(withSizes(entriesOf(4) + 50_000)), { owner, signal: never() });
    await expect(found).rejects.toMatchObject({ name: 'ProbeError', message: 'a part of the file is too large' });
  });

  const kinds = [
    ['sizes', () => withSizes(entriesOf(4))],
    ['places', () => withPlaces(entriesOf(4))],
    ['tables of each kind', () => withAllTables(entriesOf(24))],
  ] as const;
  for (const [kind, build] of kinds) {
    itOnLinux(`reads the largest index of ${kind} within the memory that its container has for it`, async () => {
      const before = new Set(probeProcesses());
      const facts = await createProber().playable(bufferSource(build()), { owner, signal: never(), toTheEnd: true });
      expect(facts.video).toEqual({ width: 320, height: 180 });
      const [pid = 0] = probeProcesses().filter((each) => !before.has(each));
      expect(peakBytesOf(pid)).toBeLessThanOrEqual(PROBE_POOL.processBytes);
    });
  }

  itOnLinux('counts the pages of a PDF of 5,000, which its reader has repaired, within that memory', async () => {
    const before = new Set(probeProcesses());
    const source = bufferSource(makePdf(5_000, { start: '999999' }));
    expect(await createProber().pdfPages(source, { owner, signal: never() })).toBe(5_000);
    const [pid = 0] = probeProcesses().filter((each) => !before.has(each));
    expect(peakBytesOf(pid)).toBeLessThanOrEqual(PROBE_POOL.processBytes);
  });

  itOnLinux('does not hold a file to account for a process that was ended', async () => {
    const own = createProber().playable;
    const stuck = own({ totalBytes: 1_000, read: () => new Promise(() => {}) }, { owner, signal: never() });
    const caught = stuck.catch((error: unknown) => error);
    const good = await own(bufferSource(await makeSound('wav', 1)), { owner, signal: never() });
    expect(good.seconds).toBe(1);
    const killed = probeProcesses();
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    expect(await caught).toMatchObject({ name: 'Error', message: expect.stringMatching(/SIGKILL$/) });
    // The prober knows of the other one's end, too, once that is no zombie any more.
    await until(async () => killed.every((pid) => readOf(String(pid), 'status') === ''), 'both are gone');
    await expect(own(bufferSource(await makeSound('wav', 1)), { owner, signal: never() })).resolves.toMatchObject({
      seconds: 1,
    });
  });

  itOnLinux(
    'has the kernel bound the CPU, the memory and the files of a process, which yields to the services',
    async () => {
      const own = createProber().playable;
      const before = new Set(probeProcesses());
      await own(bufferSource(await makeSound('wav', 1)), { owner, signal: never() });
      const [pid] = probeProcesses().filter((other) => !before.has(other));
      const limits = readOf(String(pid), 'limits');
      // Sources are compiled first, which takes more than production has.
      expect(limits).toMatch(/^Max cpu time +16 +17 +seconds/m);
      expect(limits).toMatch(/^Max address space +4294967296 /m);
      expect(limits).toMatch(/^Max file size +16777216 /m);
      expect(getPriority(pid)).toBe(Math.min(getPriority() + 10, 19));
    },
  );

  itOnLinux('has the next file read by the same process, whether the file before it was good or not', async () => {
    const own = createProber().playable;
    const before = new Set(probeProcesses());
    for (const file of [await makeSound('wav', 1), endlessRun(), endlessRun(), await makeSound('wav', 1)]) {
      await own(bufferSource(file), { owner, signal: never() }).catch(() => undefined);
    }
    expect(probeProcesses().filter((pid) => !before.has(pid))).toHaveLength(1);
  });

  itOnLinux('keeps no process for long that nobody needs, and finds what comes later all the same', async () => {
    const own = createProber({ maxIdleMs: 50 }).playable;
    const sound = await makeSound('wav', 1);
    const before = new Set(probeProcesses());
    await own(bufferSource(sound), { owner, signal: never() });
    const kept = () => probeProcesses().filter((pid) => !before.has(pid));
    await until(() => kept().length === 0, 'no process is kept');
    await expect(own(bufferSource(sound), { owner, signal: never() })).resolves.toMatchObject({ seconds: 1 });
  });

  itOnLinux('gives nobody the process that another account or paid work keeps, until the pool is full', async () => {
    const { playable } = createProber();
    const before = new Set(probeProcesses());
    const own = () => new Set(probeProcesses().filter((pid) => !before.has(pid)));
    const sound = bufferSource(await makeSound('mp3', 0.2));
    const measure = (isTest: boolean, accountId = 'account') =>
      playable(sound, { owner: { accountId, isTest }, signal: never() });
    await measure(false);
    const paid = own();
    await measure(true);
    const all = own();
    expect([paid.size, all.size]).toEqual([1, 2]);
    await measure(false);
    await measure(true);
    expect(own()).toEqual(all);
    await measure(false, 'another');
    expect(own().size).toBe(3);
    const accounts = Array.from({ length: PROBE_POOL.processes }, (_, index) => ({ accountId: `account-${index}` }));
    await Promise.all(accounts.map((each) => playable(sound, { owner: each, signal: never() })));
    await measure(true);
    await measure(false, 'one more');
    expect(own().size).toBe(PROBE_POOL.processes);
  });

  it('passes on what its source throws, and what calls it off', async () => {
    const broken = new Error('the disk is gone');
    const source = { totalBytes: 1_000, read: () => Promise.reject(broken) };
    await expect(probe(source, { owner, signal: never() })).rejects.toBe(broken);
    const work = new AbortController();
    const reason = new Error('called off');
    const waiting = probe({ totalBytes: 1_000, read: () => new Promise(() => {}) }, { owner, signal: work.signal });
    work.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('counts its own time, not that of its source', async () => {
    const bytes = await makeSound('wav', 1);
    const openMeanwhile: number[] = [];
    const read = async (start: number, end: number) => {
      // While its source takes its time no limit is open: there is none to pass.
      openMeanwhile.push(limits.open());
      return bytes.subarray(start, end);
    };
    const patient = createProber({ maxThinkingMs: HELD_LIMIT_MS }).playable;
    await expect(patient({ totalBytes: bytes.length, read }, { owner, signal: never() })).resolves.toMatchObject({
      seconds: 1,
    });
    expect(new Set(openMeanwhile)).toEqual(new Set([0]));
    const hasty = createProber({ maxThinkingMs: 1 }).playable(bufferSource(bytes), { owner, signal: never() });
    await expect(hasty).rejects.toMatchObject({ name: 'ProbeError', tookTooLong: true });
  });

  it('lets files that are at hand pass those of another account that wait for their servers', async () => {
    const own = createProber().playable;
    const [bytes, work] = [await makeSound('wav', 1), new AbortController()];
    const silent = { totalBytes: 1_000, read: () => new Promise<Buffer>(() => {}) };
    const byOther = { owner: { accountId: 'another' }, signal: work.signal };
    const waiting = Promise.allSettled(Array.from({ length: 16 }, () => own(silent, byOther)));
    const all = await Promise.all(
      Array.from({ length: 8 }, () => own(bufferSource(bytes), { owner, signal: never() })),
    );
    expect(all.map(({ seconds }) => seconds)).toEqual(Array.from({ length: 8 }, () => 1));
    work.abort(new Error('over'));
    expect((await waiting).map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 'rejected'));
  });

  it('measures twenty files at once', async () => {
    const bytes = await makeVideo({ seconds: 1 });
    const all = await Promise.all(
      Array.from({ length: 20 }, () => probe(bufferSource(bytes), { owner, signal: never() })),
    );
    expect(all.map(({ video }) => video?.width)).toEqual(Array.from({ length: 20 }, () => 320));
  });
});
