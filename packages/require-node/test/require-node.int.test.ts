import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const REGISTER = join(ROOT, 'scripts/register-typescript.cjs');
const CHECK = join(ROOT, 'packages/require-node/src/index.ts');
const mainOf = (folder: string) => join(ROOT, folder, 'src/main.ts');
const SERVICES = readdirSync(join(ROOT, 'services')).map((name) => `services/${name}`);
/** A folder without sources was left behind by an older checkout. */
const PROCESSES = [...SERVICES, 'simulator'].filter((folder) => existsSync(mainOf(folder)));

/** Processes compile their sources first. */
/** Loads a file as the Node of that version would, and prints which files that loaded. */
function loadOn(version: string, file: string) {
  const script = `
    require(${JSON.stringify(REGISTER)});
    const before = new Set(Object.keys(require.cache));
    const versions = { ...process.versions, node: ${JSON.stringify(version)} };
    Object.defineProperty(process, 'versions', { value: versions });
    process.on('exit', () => {
      const loaded = Object.keys(require.cache).filter((path) => !before.has(path));
      process.stdout.write(JSON.stringify(loaded));
    });
    require(${JSON.stringify(file)});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=source', '-e', script], {
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: process.env['PATH'] },
  });
  // The compiler's own files do not count as files that the sources load.
  const loaded = (JSON.parse(stdout) as string[]).filter(
    (file) => !file.includes('/@swc/') && !file.includes('/@swc+'),
  );
  return { status, stderr, loaded };
}

const refusalOf = (version: string) => `mediagate needs Node 24.11 or newer (24, or 26 and up); this is ${version}\n`;

describe('a Node that is not supported', () => {
  it('has eleven processes to look at', () => {
    expect(PROCESSES).toHaveLength(11);
  });

  it.each(PROCESSES)('is named by %s in one line, before anything else is loaded', (folder) => {
    const main = mainOf(folder);
    expect(loadOn('20.20.2', main)).toEqual({ status: 1, stderr: refusalOf('20.20.2'), loaded: [main, CHECK] });
  });

  it.each(['20.19.0', '22.23.3', '24.10.0', '25.9.0'])('is %s', (version) => {
    expect(loadOn(version, CHECK)).toMatchObject({ status: 1, stderr: refusalOf(version) });
  });

  it.each(['24.11.0', '24.21.0', '26.0.0', '27.1.0'])('is not %s', (version) => {
    expect(loadOn(version, CHECK)).toMatchObject({ status: 0, stderr: '' });
  });
});
