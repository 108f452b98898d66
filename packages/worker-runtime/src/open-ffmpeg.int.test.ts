import { NOBODY } from '@mediagate/contracts';
import type { LogFields } from '@mediagate/host';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import { openWorkerFfmpeg } from './open-media';

const lines: [string, LogFields | undefined][] = [];
const logger = { info: (event: string, fields?: LogFields) => void lines.push([event, fields]) };

describe('the ffmpeg of a worker', () => {
  it.each([
    ['is not set', undefined, 'FFMPEG_PATH is missing: absolute path of ffmpeg'],
    ['is a bare name', 'ffmpeg', 'FFMPEG_PATH is ffmpeg, not an absolute path: absolute path of ffmpeg'],
    [
      'is not there',
      '/nowhere/ffmpeg',
      /FFMPEG_PATH is of no use \(\/nowhere\/ffmpeg could not be started: .*ENOENT\)/,
    ],
    ['is another program', '/bin/true', 'FFMPEG_PATH is of no use (/bin/true is not ffmpeg)'],
  ])('that %s is a fault of the environment, named', async (_case, path, message) => {
    await expect(openWorkerFfmpeg(path, logger)).rejects.toMatchObject({ name: 'ConfigError' });
    await expect(openWorkerFfmpeg(path, logger)).rejects.toThrow(message);
  });

  it('is used when it runs, and the log says which it is and what it can reach', async () => {
    const ffmpeg = await openWorkerFfmpeg(ffmpegProgram(), logger);
    const detail = expect.stringMatching(/^ffmpeg version \S+, with(out)? a network$/);
    expect(lines).toEqual([['process.ffmpeg', { detail }]]);
    const second = ['-f', 'lavfi', '-i', 'sine=duration=1', '-f', 'null', '-'];
    await expect(ffmpeg.run(second, { owner: NOBODY, signal: new AbortController().signal })).resolves.toBeUndefined();
  });
});
