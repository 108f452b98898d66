import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mediagate/testkit/servers';

const ROOT = join(__dirname, '../../..');
const REGISTER = join(ROOT, 'scripts/register-typescript.cjs');
const HIDE = join(__dirname, 'hide-programs.cjs');
/** A process compiles its sources first. */
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mediagate-missing-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Runs a program of the checkout to its end, with an environment of these variables alone. */
async function runMain(main: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const flags = ['--require', REGISTER, '--require', HIDE];
  const child = spawn(process.execPath, [...flags, main], { cwd: ROOT, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

const INSTALLERS = ['apt-get', 'dnf', 'apk', 'brew', 'docker'];

describe('npm start', () => {
  /** Without it, a test would have the system's package manager look for Redis. */
  const OTHER_REDIS = { REDIS_URL: 'redis://127.0.0.1:9' };
  const start = async (hidden: readonly string[], more: Record<string, string> = {}) => {
    const ports = { PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()) };
    const env = { PATH: '/nowhere', MEDIAGATE_HOME: home, HIDDEN_PROGRAMS: hidden.join(','), ...ports, ...more };
    return runMain('tools/dev/src/main.ts', env);
  };

  it.each([
    [
      'ffmpeg',
      ['ffmpeg'],
      OTHER_REDIS,
      /ffmpeg, which makes, cuts and converts media, is not among the packages of \S+: remove node_modules and start again, or set FFMPEG_PATH/,
    ],
    [
      'PostgreSQL',
      ['postgres'],
      OTHER_REDIS,
      /PostgreSQL, which keeps tasks and money, is not among the packages of \S+ \(no postgres\): remove node_modules and start again, or set DATABASE_URL/,
    ],
    [
      'Redis, and all that could install it',
      ['redis-server', 'valkey-server', ...INSTALLERS],
      {},
      /redis-server, which keeps the queues, is not on PATH and could not be installed\. Install redis-server \(6\.2 or newer\), or set REDIS_URL/,
    ],
  ])('names a missing %s, and starts nothing', async (_name, hidden, more: Record<string, string>, message) => {
    const { code, output } = await start(hidden, more);
    expect(output).toMatch(message);
    expect(code).toBe(1);
    expect(existsSync(join(home, 'postgres'))).toBe(false);
    expect(existsSync(join(home, 'redis'))).toBe(false);
    expect(existsSync(join(home, 'run.json'))).toBe(false);
  });

  it('names all that are missing at once', async () => {
    const { output } = await start(['ffmpeg', 'initdb', 'redis-server', 'valkey-server', ...INSTALLERS]);
    expect(output).toMatch(/ffmpeg, which .*\n.*PostgreSQL, which .*\(no initdb\).*\n.*redis-server, which /);
  });

  it('names an FFMPEG_PATH that leads nowhere', async () => {
    const { code, output } = await start([], { ...OTHER_REDIS, FFMPEG_PATH: '/nowhere/ffmpeg' });
    expect(output).toContain('FFMPEG_PATH is /nowhere/ffmpeg, which is not the absolute path of a program');
    expect(code).toBe(1);
  });
});

describe('a process that needs ffmpeg and has none ends at start, before it takes any work:', () => {
  /** Nobody listens there: whoever came as far as that would say something else. */
  const SETTINGS = {
    DATABASE_URL: 'postgresql://nobody:none@127.0.0.1:9/none',
    REDIS_URL: 'redis://127.0.0.1:9',
    MEDIAGATE_CONFIG: 'deploy/config/simulator.yaml',
    MEDIAGATE_LINK_SECRET: 'a link secret for tests only',
    PUBLIC_BASE_URL: 'http://127.0.0.1:9',
  };

  it.each([
    ['a worker without FFMPEG_PATH', 'services/video', {}, 'FFMPEG_PATH is missing: absolute path of ffmpeg'],
    [
      'a worker whose FFMPEG_PATH does not run',
      'services/music',
      { FFMPEG_PATH: '/nowhere/ffmpeg' },
      '/nowhere/ffmpeg could not',
    ],
    [
      'a worker with another program there',
      'services/imgtool',
      { FFMPEG_PATH: '/bin/true' },
      '/bin/true is not ffmpeg',
    ],
    ['the simulator without FFMPEG_PATH', 'simulator', {}, 'FFMPEG_PATH must be the absolute path of ffmpeg'],
    [
      'the simulator whose FFMPEG_PATH does not run',
      'simulator',
      { FFMPEG_PATH: '/nowhere/ffmpeg', PORT: '0' },
      'FFMPEG_PATH names /nowhere/ffmpeg, which does not run',
    ],
  ])('%s', async (_case, folder, env: Record<string, string>, message) => {
    const { code, output } = await runMain(`${folder}/src/main.ts`, { ...SETTINGS, ...env });
    expect(output).toContain(message);
    expect(code).toBe(1);
  });
});
