import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { Slots } from '@mediagate/concurrency';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import { createFfmpeg } from '../src';
import { findIsolation, RUN_LIMITS } from '../src/ffmpeg/confine';
import { checkFfmpeg } from '../src/ffmpeg/ffmpeg';
import { inputArguments } from '../src/ffmpeg/input-format';
import { trim } from '../src/ffmpeg/trim';
import { serve } from './fixtures';
import { makeVideo } from './real-media';

const itOnLinux = process.platform === 'linux' ? it : it.skip;
const never = () => new AbortController().signal;
const by = (signal: AbortSignal) => ({ owner: { accountId: 'account' }, signal });
/** Runs for so many seconds, or until it is killed. */
const lasting = (seconds: number) => ['-re', '-f', 'lavfi', '-i', `sine=duration=${seconds}`, '-f', 'null', '-'];
const slotsFor = (capacity: number) => new Slots({ capacity, perOwner: 1, forTests: 1 });

describe('ffmpeg', () => {
  it('is found at start-up, or its absence is reported', async () => {
    await expect(checkFfmpeg(ffmpegProgram())).resolves.toMatch(/^ffmpeg version \S+$/);
    await expect(checkFfmpeg('/nowhere/ffmpeg')).rejects.toMatchObject({
      name: 'FfmpegError',
      message: expect.stringMatching(/^\/nowhere\/ffmpeg could not be started: .*ENOENT/),
    });
    await expect(checkFfmpeg('/bin/true')).rejects.toThrow('/bin/true is not ffmpeg');
  });

  it('is killed when the work is called off', async () => {
    const work = new AbortController();
    const reason = new Error('called off');
    const run = createFfmpeg({ path: ffmpegProgram() }).run(lasting(60), by(work.signal));
    setTimeout(() => work.abort(reason), 100);
    await expect(run).rejects.toBe(reason);
    await expect(createFfmpeg({ path: ffmpegProgram() }).run(lasting(60), by(work.signal))).rejects.toBe(reason);
  });

  it('is killed when it takes too long', async () => {
    const run = createFfmpeg({ path: ffmpegProgram(), timeoutMs: 200 }).run(lasting(60), by(never()));
    await expect(run).rejects.toMatchObject({
      name: 'FfmpegError',
      message: 'ffmpeg took longer than 0.2 s',
      exitCode: undefined,
    });
  });

  it('runs no more than so many times at once', async () => {
    const { run } = createFfmpeg({ path: ffmpegProgram(), slots: slotsFor(1) });
    const startedAt = performance.now();
    await Promise.all([run(lasting(0.5), by(never())), run(lasting(0.5), by(never()))]);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it('encodes one video at a time, whatever else it does', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-test-'));
    const program = path.join(folder, 'ffmpeg');
    const log = path.join(folder, 'log');
    // Its last argument is its name.
    const script = `for name; do :; done; echo "begin $name" >> ${log}; sleep 0.2; echo "end $name" >> ${log}`;
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { run } = createFfmpeg({ path: program, slots: slotsFor(4) });
    const encoding = ['a', 'b', 'c'].map((name) => run([name], { ...by(never()), encodesVideo: true }));
    await Promise.all([...encoding, run(['other'], by(never()))]);
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    expect(lines).toEqual(expect.arrayContaining(['begin other', 'end other']));
    expect(lines.filter((line) => !line.endsWith('other'))).toEqual(
      ['a', 'b', 'c'].flatMap((name) => [`begin ${name}`, `end ${name}`]),
    );
    await rm(folder, { recursive: true });
  });

  it('makes a video of 3840x2160 anew in far less memory than a run may have', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-test-'));
    const file = { path: path.join(folder, 'whole.mp4'), extension: 'mp4' };
    await writeFile(file.path, await makeVideo({ seconds: 1, size: '3840x2160', sound: false }));
    const limits = { ...RUN_LIMITS, memoryBytes: 640 * 1024 * 1024 };
    const ffmpeg = createFfmpeg({ path: ffmpegProgram(), limits });
    const made = await trim(ffmpeg, file, { keepSeconds: 0.5, exact: true, ...by(never()) });
    expect((await stat(made)).size).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
  });

  it('has its complaints reported, but not all of them', async () => {
    const run = createFfmpeg({ path: ffmpegProgram() }).run(['-i', `/nowhere/${'x'.repeat(20_000)}`], by(never()));
    const error = await run.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'FfmpegError',
      message: expect.stringMatching(/^ffmpeg ended with code \d+: /),
      exitCode: expect.any(Number),
    });
    expect(String(error).length).toBeLessThan(1_100);
  });

  describe('is ended by the kernel when it', () => {
    const limited = (limits: Partial<typeof RUN_LIMITS>) =>
      createFfmpeg({ path: ffmpegProgram(), limits: { ...RUN_LIMITS, ...limits } });
    /** Draws as fast as it can, and would not end by itself. */
    const endless = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720'];
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'mediagate-test-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('takes more CPU than it may', async () => {
      const run = limited({ cpuSeconds: 1 }).run([...endless, '-f', 'null', '-'], by(never()));
      await expect(run).rejects.toThrow('ffmpeg was ended by SIGKILL: it took more CPU or memory than it may');
    });

    it('writes a larger file than it may', async () => {
      const file = path.join(folder, 'large.yuv');
      const run = limited({ fileBytes: 1024 * 1024 }).run([...endless, '-f', 'rawvideo', file], by(never()));
      await expect(run).rejects.toThrow('ffmpeg was ended by SIGXFSZ: it wrote a larger file than it may');
      expect((await stat(file)).size).toBeLessThanOrEqual(1024 * 1024);
    });

    itOnLinux('takes more memory than it may', async () => {
      const encode = ['-t', '1', '-c:v', 'libx264', '-f', 'null', '-'];
      const run = (memoryBytes: number) => limited({ memoryBytes }).run([...endless, ...encode], by(never()));
      await expect(run(192 * 1024 * 1024)).rejects.toMatchObject({ name: 'FfmpegError' });
      await expect(run(RUN_LIMITS.memoryBytes)).resolves.toBeUndefined();
    });
  });

  it('leaves the CPU to the services', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-test-'));
    const program = path.join(folder, 'ffmpeg');
    await writeFile(program, `#!/bin/sh\nnice > ${folder}/niceness\nulimit -c > ${folder}/core\n`, { mode: 0o755 });
    await createFfmpeg({ path: program }).run([], by(never()));
    expect(await readFile(path.join(folder, 'niceness'), 'utf8')).toBe(`${Math.min(getPriority() + 10, 19)}\n`);
    expect(await readFile(path.join(folder, 'core'), 'utf8')).toBe('0\n');
    await rm(folder, { recursive: true });
  });

  it('does not follow a playlist that calls itself a video', async () => {
    const sockets: unknown[] = [];
    const connected = new AbortController();
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-test-'));
    const file = path.join(folder, 'list.mp4');
    const watched = await serve((_request, response) => {
      sockets.push(1);
      connected.abort();
      response.end();
    });
    await writeFile(file, `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${watched.origin}/x.ts\n#EXT-X-ENDLIST\n`);
    const { run } = createFfmpeg({ path: ffmpegProgram(), timeoutMs: 2_000 });
    const output = ['-f', 'null', '-'];
    for (const extension of ['mp4', 'of no known kind']) {
      const args = [...inputArguments({ path: file, extension }), ...output];
      await expect(run(args, by(never()))).rejects.toMatchObject({ name: 'FfmpegError' });
    }
    expect(sockets).toEqual([]);
    const fetching = ['-protocol_whitelist', 'file,http,tcp', '-f', 'hls', '-i', file, ...output];
    const isolation = await findIsolation();
    if (isolation.length > 0) {
      const isolated = createFfmpeg({ path: ffmpegProgram(), timeoutMs: 2_000, isolation });
      await expect(isolated.run(fetching, by(never()))).rejects.toMatchObject({ name: 'FfmpegError' });
      expect(sockets).toEqual([]);
    }
    // Without isolation, and with this whitelist, ffmpeg does connect.
    const unhurried = createFfmpeg({ path: ffmpegProgram() });
    await unhurried.run(fetching, by(connected.signal)).catch(() => undefined);
    expect(sockets.length).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
    await watched.close();
  });
});
