import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../../..');
const NODE_PROGRAM = join(ROOT, 'scripts/node-program.cjs');
const OLDEST_SUPPORTED = 24;

interface Machine {
  version: string;
  platform?: string;
  arch?: string;
}

/** The answer of `nodeProgram`, or its error's message, where the machine's own Node is `version`. */
async function chosenOn({ version, platform = process.platform, arch = process.arch }: Machine): Promise<string> {
  const script = `
    const machine = ${JSON.stringify({ platform, arch, versions: { ...process.versions, node: version } })};
    for (const [name, value] of Object.entries(machine)) Object.defineProperty(process, name, { value });
    try {
      process.stdout.write(require(${JSON.stringify(NODE_PROGRAM)}).nodeProgram());
    } catch (error) {
      process.stdout.write(error.message);
    }`;
  return (await promisify(execFile)(process.execPath, ['-e', script])).stdout;
}

const versionOf = (program: string) => spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout;

describe('the Node that things run on', () => {
  it('is a supported one for the tests themselves', async () => {
    expect(await chosenOn({ version: process.versions.node })).toBe(process.execPath);
  });

  it.each(['24.11.0', '24.21.0', '26.0.0', '27.1.0'])('is the own one of a machine with %s', async (version) => {
    expect(await chosenOn({ version })).toBe(process.execPath);
  });

  // npm has one for Linux and for Macs of the older kind.
  const hasPackage = process.platform === 'linux' || process.arch === 'x64';
  (hasPackage ? it : it.skip).each(['20.19.0', '20.20.2', '22.23.3', '24.10.0', '25.9.0'])(
    'is the one of the lockfile on a machine with %s',
    async (version) => {
      const chosen = await chosenOn({ version });
      expect(chosen).toMatch(/node_modules\/.*\/bin\/node$/);
      expect(Number.parseInt(versionOf(chosen), 10)).toBeGreaterThanOrEqual(OLDEST_SUPPORTED);
    },
  );

  it('is to be installed, says one line, where npm has none for the platform', async () => {
    expect(await chosenOn({ version: '20.20.2', platform: 'sunos', arch: 'x64' })).toBe(
      'npm brings no Node for sunos x64: install Node 24, this machine has 20.20.2.',
    );
  });

  it('is to be installed where the package of the platform is absent', async () => {
    const other = process.platform === 'darwin' ? 'linux' : 'darwin';
    expect(await chosenOn({ version: '20.20.2', platform: other, arch: 'x64' })).toBe(
      `node-${other}-x64 is not installed (optional dependencies left out?): install Node 24, this machine has 20.20.2.`,
    );
  });
});

describe('scripts/run.sh', () => {
  let tree: string;
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'run script-'));
    mkdirSync(join(tree, 'scripts'));
    for (const script of ['run.sh', 'judge-options.mjs'])
      copyFileSync(join(ROOT, 'scripts', script), join(tree, 'scripts', script));
    bootstrapPrints(process.execPath);
  });
  afterEach(() => rmSync(tree, { recursive: true }));

  const write = (name: string, text: string) => writeFileSync(join(tree, 'scripts', name), text);
  const bootstrapPrints = (program: string) =>
    write('bootstrap.mjs', `process.stdout.write(${JSON.stringify(program)})`);
  const run = (...words: string[]) => {
    const { status, stdout } = spawnSync('sh', [join(tree, 'scripts/run.sh'), ...words], {
      cwd: '/',
      encoding: 'utf8',
    });
    return { status, stdout };
  };

  it('hands arguments and the exit code on, at the root of the checkout', () => {
    write('show.mjs', 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)])); process.exitCode = 7;');
    expect(run('show', 'a b', '--verbose')).toEqual({
      status: 7,
      stdout: `${JSON.stringify([tree, 'a b', '--verbose'])}\n`,
    });
  });

  it('is the process that the script is: a signal reaches it alone and at once', async () => {
    write(
      'wait.mjs',
      `process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); console.log(process.pid);`,
    );
    const child = spawn('sh', [join(tree, 'scripts/run.sh'), 'wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [pid] = await once(child.stdout.setEncoding('utf8'), 'data');
    expect(Number(pid)).toBe(child.pid);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([9, null]);
  });

  it('makes the chosen Node the one that is found by name', () => {
    write(
      'named.mjs',
      `import('node:child_process').then((m) => m.spawnSync('sh', ['-c', 'command -v node'], { stdio: 'inherit' }));`,
    );
    expect(run('named')).toEqual({ status: 0, stdout: `${process.execPath}\n` });
  });

  it('leaves PATH as it is where the machine has the right one', () => {
    bootstrapPrints('node');
    write('path.mjs', 'process.stdout.write(process.env.PATH);');
    expect(run('path')).toEqual({ status: 0, stdout: process.env['PATH'] });
  });

  it('ends with the result of no test where a checkout could not be made ready for `npm test`', () => {
    write('bootstrap.mjs', 'process.exitCode = 1;');
    expect(run('test')).toEqual({ status: 1, stdout: '0 passed, 1 failed\n' });
    expect(run('start')).toEqual({ status: 1, stdout: '' });
  });
});
