import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ffmpegProgram } from '@mediagate/local-servers';
import { checkFfmpeg, createFfmpeg } from '../src';
import { inputArguments } from '../src/ffmpeg/input-format';
import { serve } from './fixtures';

const never = () => new AbortController().signal;
/** Runs for so many seconds, or until it is killed. */
const lasting = (seconds: number) => ['-re', '-f', 'lavfi', '-i', `sine=duration=${seconds}`, '-f', 'null', '-'];

describe('ffmpeg', () => {
  it('is found at start-up, or its absence is told', async () => {
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
    const run = createFfmpeg({ path: ffmpegProgram() }).run(lasting(60), work.signal);
    setTimeout(() => work.abort(reason), 100);
    await expect(run).rejects.toBe(reason);
    await expect(createFfmpeg({ path: ffmpegProgram() }).run(lasting(60), work.signal)).rejects.toBe(reason);
  });

  it('is killed when it takes too long', async () => {
    const run = createFfmpeg({ path: ffmpegProgram(), timeoutMs: 200 }).run(lasting(60), never());
    await expect(run).rejects.toMatchObject({
      name: 'FfmpegError',
      message: 'ffmpeg took longer than 0.2 s',
      exitCode: undefined,
    });
  });

  it('runs no more than so many times at once', async () => {
    const { run } = createFfmpeg({ path: ffmpegProgram(), maxAtOnce: 1 });
    const startedAt = performance.now();
    await Promise.all([run(lasting(0.5), never()), run(lasting(0.5), never())]);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it('has its complaints told, but not all of them', async () => {
    const run = createFfmpeg({ path: ffmpegProgram() }).run(['-i', `/nowhere/${'x'.repeat(20_000)}`], never());
    const error = await run.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'FfmpegError',
      message: expect.stringMatching(/^ffmpeg ended with code \d+: /),
      exitCode: expect.any(Number),
    });
    expect(String(error).length).toBeLessThan(1_100);
  });

  it('does not follow a playlist that calls itself a video', async () => {
    const sockets: unknown[] = [];
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-test-'));
    const file = path.join(folder, 'list.mp4');
    const watched = await serve((_request, response) => {
      sockets.push(1);
      response.end();
    });
    await writeFile(file, `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${watched.origin}/x.ts\n#EXT-X-ENDLIST\n`);
    const { run } = createFfmpeg({ path: ffmpegProgram(), timeoutMs: 2_000 });
    const output = ['-f', 'null', '-'];
    for (const extension of ['mp4', 'of no known kind']) {
      const args = [...inputArguments({ path: file, extension }), ...output];
      await expect(run(args, never())).rejects.toMatchObject({ name: 'FfmpegError' });
    }
    expect(sockets).toEqual([]);
    // It would, if it were let.
    await run(['-protocol_whitelist', 'file,http,tcp', '-f', 'hls', '-i', file, ...output], never()).catch(
      () => undefined,
    );
    expect(sockets.length).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
    await watched.close();
  });
});
