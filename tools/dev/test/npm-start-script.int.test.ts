import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devSettings } from '../src/settings';

const ROOT = join(__dirname, '../../..');
const LIMIT_MS = 60_000;
/** In place of what installs and builds: leaves a mark, and goes on with the machine's Node. */
const BOOTSTRAP = `require('node:fs').writeFileSync('installed', ''); process.stdout.write('node');`;
/** In place of the system: goes on until its input ends. */
const SYSTEM = `
  process.on('SIGTERM', () => console.log('stopping'));
  process.stdin.resume().on('end', () => {
    console.log('stopped');
    process.exit(0);
  });
  console.log('up');`;

let checkout: string;
let started: ChildProcess | undefined;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
  mkdirSync(join(checkout, 'scripts'));
  for (const file of ['.env.example', 'scripts/run.sh', 'scripts/judge-options.mjs']) {
    copyFileSync(join(ROOT, file), join(checkout, file));
  }
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name: 'checkout', version: '1.0.0', scripts }));
  const asModule = (text: string) =>
    `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${text}`;
  writeFileSync(join(checkout, 'scripts/bootstrap.mjs'), asModule(BOOTSTRAP));
  writeFileSync(join(checkout, 'scripts/start.mjs'), asModule(SYSTEM));
});
afterEach(() => {
  started?.stdin?.end();
  rmSync(checkout, { recursive: true });
});

interface Started {
  npm: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
  /** Resolves once this was printed, or npm has ended. */
  until(line: string): Promise<void>;
}

const npmStart = (...options: string[]) => npmRun('start', ...options);

function npmRun(script: string, ...options: string[]): Started {
  const args = ['run', script, '--silent', ...(options.length === 0 ? [] : ['--', ...options])];
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  const npm = spawn('npm', args, { cwd: checkout, env, stdio: ['pipe', 'pipe', 'pipe'] });
  started = npm;
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      npm.emit('printed');
    });
  }
  const ended = once(npm, 'close').then(([code]) => code as number | null);
  npm.once('exit', () => npm.emit('printed'));
  return {
    npm,
    output: () => output,
    ended,
    async until(line) {
      while (!output.split('\n').includes(line) && npm.exitCode === null && npm.signalCode === null) {
        await once(npm, 'printed');
      }
    },
  };
}

it.each(['--help', '-h'])(
  'npm start -- %s lists every setting, and installs nothing',
  async (option) => {
    const { output, ended } = npmStart(option);
    expect(await ended).toBe(0);
    for (const name of Object.keys(devSettings)) expect(output()).toMatch(new RegExp(`^  ${name} +\\S+ \\S+`, 'm'));
    expect(existsSync(join(checkout, 'installed'))).toBe(false);
  },
  LIMIT_MS,
);

it.each([
  ['bench', '--fast', '--only <ids>'],
  ['fuzz', 'operatrs', 'callers|operators'],
  ['make-migration', 'Add-Fence', 'add_delivery_fence'],
])(
  'npm run %s refuses %s, and shows in its help %s, before it installs anything',
  async (script, option, shown) => {
    const refused = npmRun(script, option);
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(`npm run ${script} has no option ${option}`);
    const helped = npmRun(script, '--help');
    expect(await helped.ended).toBe(0);
    expect(helped.output()).toContain(shown);
    expect(existsSync(join(checkout, 'installed'))).toBe(false);
  },
  LIMIT_MS,
);

it.each([
  [['--hepl'], '--hepl'],
  [['--verbose', 'now'], 'now'],
  [['--port=9000'], '--port=9000'],
])(
  'npm start with the options %j names what there is none of, and installs nothing',
  async (options, unknown) => {
    const { output, ended } = npmStart(...options);
    expect(await ended).toBe(1);
    expect(output()).toContain(`npm start has no option ${unknown}; npm start -- --help lists what there is`);
    expect(existsSync(join(checkout, 'installed'))).toBe(false);
  },
  LIMIT_MS,
);

it.each([[[]], [['--verbose']]])(
  'SIGTERM to npm start with %j stops the system, and npm ends when that has',
  async (options) => {
    const { npm, output, ended, until } = npmStart(...options);
    await until('up');
    npm.kill('SIGTERM');
    await until('stopping');
    npm.stdin?.end();
    expect(await ended).toBe(0);
    expect(output().trimEnd().split('\n')).toEqual(['up', 'stopping', 'stopped']);
  },
  LIMIT_MS,
);
