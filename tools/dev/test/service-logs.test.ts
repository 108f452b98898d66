import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogFile } from '../src/logs/log-file';
import { createNoticeLimit } from '../src/logs/notice-limit';
import { openServiceLogs } from '../src/logs/service-logs';
import { Screen } from '../src/screen/screen';

let folder: string;
let printed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logs-'));
  printed = '';
});

afterEach(() => rmSync(folder, { recursive: true }));

const failOn = (error: Error) => {
  throw error;
};

function logsOf({ isVerbose = false } = {}) {
  const write = (text: string) => {
    printed += text;
  };
  const screen = new Screen({ write, isInteractive: false, inColour: false, columns: () => 100 });
  return openServiceLogs({ folder, screen, isVerbose });
}

describe('a log file', () => {
  it('is bounded in size and in number, keeps the newest, and is for its owner alone', async () => {
    const file = openLogFile({ folder, name: 'api.log', maxBytes: 1000, keptFiles: 2, onError: failOn });
    for (let line = 0; line < 200; line += 1) file.write(`line ${line} ${'x'.repeat(50)}`);
    await file.close();
    const names = readdirSync(folder).filter((name) => name.startsWith('api.log'));
    expect(names.sort()).toEqual(['api.log', 'api.log.1', 'api.log.2']);
    for (const name of names) {
      const { size, mode } = statSync(join(folder, name));
      expect(size).toBeLessThan(1100);
      expect(mode & 0o077).toBe(0);
    }
    const kept = ['api.log.2', 'api.log.1', 'api.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join('');
    expect(kept.trimEnd().split('\n').at(-1)).toMatch(/^line 199 /);
  });

  it('goes on where an earlier start left it', async () => {
    for (const line of ['first', 'second']) {
      const file = openLogFile({ folder, name: 'api.log', onError: failOn });
      file.write(line);
      await file.close();
    }
    expect(readFileSync(join(folder, 'api.log'), 'utf8')).toBe('first\nsecond\n');
  });
});

describe('the notices of a service', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are shown at most once a second, with how many were left out', () => {
    const shown: [string, number][] = [];
    const limit = createNoticeLimit((notice, leftOut) => shown.push([notice, leftOut]));
    for (const notice of ['a', 'b', 'c', 'd']) limit.add(notice);
    expect(shown).toEqual([['a', 0]]);
    jest.advanceTimersByTime(999);
    expect(shown).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(shown).toEqual([
      ['a', 0],
      ['d', 2],
    ]);
    limit.add('e');
    expect(shown).toHaveLength(2);
    jest.advanceTimersByTime(1000);
    expect(shown.at(-1)).toEqual(['e', 0]);
    jest.advanceTimersByTime(1000);
    limit.add('f');
    expect(shown.at(-1)).toEqual(['f', 0]);
  });

  it('are all out when it ends', () => {
    const shown: string[] = [];
    const limit = createNoticeLimit((notice) => shown.push(notice));
    for (const notice of ['a', 'b']) limit.add(notice);
    limit.close();
    expect(shown).toEqual(['a', 'b']);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('what services print', () => {
  const INFO = '2026-11-22 08:44:00.123 info  process.started';
  const WARNING = '2026-11-22 08:44:00.124 warn  upstream.slow channelId=images';
  const ERROR = '2026-11-22 08:44:00.125 error task.attempted reason=warn';

  it('is all in a file a service, and on the screen are warnings and errors alone', async () => {
    const logs = logsOf();
    const [api, image] = [logs.outputOf('api'), logs.outputOf('image')];
    api.line(INFO);
    api.line(WARNING);
    image.line(ERROR);
    image.line('text that mentions an error');
    await logs.close();
    expect(readFileSync(logs.pathOf('api'), 'utf8')).toBe(`${INFO}\n${WARNING}\n`);
    expect(readFileSync(logs.pathOf('image'), 'utf8')).toBe(`${ERROR}\ntext that mentions an error\n`);
    expect(printed.trimEnd().split('\n')).toEqual([
      'api                08:44:00.124 warn  upstream.slow channelId=images',
      'image              08:44:00.125 error task.attempted reason=warn',
    ]);
  });

  it('counts as an error when it comes on standard error', async () => {
    const logs = logsOf();
    const api = logs.outputOf('api');
    for (const line of ['TypeError: x is not a function', '    at main', '    at run']) api.errorLine(line);
    await logs.close();
    expect(readFileSync(logs.pathOf('api'), 'utf8').split('\n')).toHaveLength(4);
    expect(printed).toBe(
      'api                TypeError: x is not a function\napi                (1 more left out)     at run\n',
    );
  });

  it('is all on the screen too when that is asked for', async () => {
    const logs = logsOf({ isVerbose: true });
    const api = logs.outputOf('api');
    for (const line of [INFO, WARNING, ERROR]) api.line(line);
    await logs.close();
    expect(printed.trimEnd().split('\n')).toEqual([
      'api                | 08:44:00.123 info  process.started',
      'api                | 08:44:00.124 warn  upstream.slow channelId=images',
      'api                | 08:44:00.125 error task.attempted reason=warn',
    ]);
  });
});
