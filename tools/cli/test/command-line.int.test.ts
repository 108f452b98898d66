import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forAllTests } from '@mediagate/testkit';
import type { Command } from 'commander';
import { version } from '../package.json';
import { createProgram } from '../src/program';
import { openSession } from '../src/session';
import { NO_SURROUNDINGS } from './no-surroundings';
import { openWorld, type Ran, runIn } from './world';

const ROOT = join(__dirname, '../../..');
/** From the sources, because tests need no build. */
const FROM_SOURCES = ['--require', join(ROOT, 'scripts/register-typescript.cjs')];
const MAIN = join(ROOT, 'tools/cli/src/main.ts');
const SURROUNDINGS = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

/** @param env beside PATH and HOME. */
function runProcess(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...SURROUNDINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    ran.out += text;
  });
  child.stderr.on('data', (text) => {
    ran.err += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, ...ran })));
}

/** The words of each command, and of those of its group that are commands themselves. */
function wordsOf(group: Command, before: readonly string[] = []): string[] {
  return group.commands.flatMap((each) => {
    const words = [...before, each.name()];
    return each.commands.length === 0 || each.name() === 'audit'
      ? [words.join(' '), ...wordsOf(each, words)]
      : wordsOf(each, words);
  });
}

const COMMANDS = wordsOf(createProgram(openSession(NO_SURROUNDINGS), NO_SURROUNDINGS));

describe('the command line', () => {
  it('has commands of many groups', () => {
    expect(COMMANDS).toEqual(expect.arrayContaining(['account list', 'audit', 'audit list', 'notice set', 'restore']));
  });

  it.each(COMMANDS)('explains %s with --help, and knows --json there', async (command) => {
    const { code, out, err } = await runIn({}, ...command.split(' '), '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: mediagate ${command}`);
    expect(out).toContain('--json');
  });

  it('names every group, and how it ends, with --help', async () => {
    const { code, out } = await runIn({}, '--help');
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(out).toContain(`\n  ${command.split(' ')[0]} `);
    expect(out).toContain('Exit codes: 0 done');
  });

  it.each([[[]], [['account']], [['acount', 'list']], [['account', 'delete']], [['audit', '--yaml']]])(
    'ends with code 2 and a word on stderr for %j',
    async (words) => {
      const { code, out, err } = await runIn({}, ...words);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).not.toBe('');
    },
  );

  it('prints its version', async () => {
    expect(await runIn({}, '--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('ends with code 2 when a variable cannot be read', async () => {
    const ran = await runIn({ DATABASE_URL: 'not a url' }, 'account', 'list');
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining('DATABASE_URL') });
  });
});

describe('the operator’s documents', () => {
  const runbooks = readdirSync(join(ROOT, 'docs/runbooks')).map((file) => `runbooks/${file}`);
  const written = /(?:npx mediagate|docker compose run --rm mediagate) ([^\n`>|]+)/g;

  /** The words behind the program's name in a document: the command, `task show`, and its options. */
  function commandsIn(document: string) {
    const text = readFileSync(join(ROOT, 'docs', document), 'utf8');
    return [...text.matchAll(written)].map(([, line = '']) => {
      const words = line
        .trim()
        .replace(/"[^"]*"/g, 'text')
        .split(/\s+/);
      const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
      const name = words.slice(0, Math.min(2, end === -1 ? words.length : end)).join(' ');
      return { document, name, options: words.filter((word) => word.startsWith('--')) };
    });
  }

  it('name commands and options as they are', async () => {
    const commands = ['deployment.md', 'operators-week.md', ...runbooks].flatMap(commandsIn);
    const names = commands.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['account top-up', 'audit', 'channel check', 'migrate', 'task show']));
    for (const { document, name, options } of commands) {
      const { out } = await runIn({}, ...name.split(' '), '--help');
      const known = new Set(out.match(/--[a-z-]+(?=\s)/g));
      expect([document, name, out.split('\n')[0]]).toEqual([
        document,
        name,
        expect.stringContaining(`Usage: mediagate ${name}`),
      ]);
      expect([document, name, options.filter((option) => !known.has(option))]).toEqual([document, name, []]);
    }
  });
});

describe('as a process', () => {
  const world = forAllTests(openWorld);

  const start = (...words: string[]) => runProcess(process.execPath, [...FROM_SOURCES, MAIN, ...words], world.env);

  it('keeps stdout for the result, ends by itself, and tells by its code how it went', async () => {
    const created = await start('account', 'create', '--name', 'Real', '--balance', '3', '--json');
    expect({ code: created.code, err: created.err }).toEqual({ code: 0, err: '' });
    const account = JSON.parse(created.out);
    expect(account).toMatchObject({ name: 'Real', balance: 3 });
    expect((await world.notes(account.id))[0]?.actor).toMatch(/^cli:.+/);

    expect(await start('task', 'show', `task_${'0'.repeat(26)}`)).toMatchObject({ code: 1, out: '' });
    expect(await start('account', 'create', '--balance', 'lots')).toMatchObject({ code: 2, out: '' });
  });
});

describe('what the command line takes to start', () => {
  it('is no package behind a command, for --help and --version', async () => {
    const listLoaded = `process.on('exit', () => console.log(Object.keys(require.cache).join('\\n')))`;
    const loadMain = `process.argv.splice(1, 0, 'mediagate'); require(${JSON.stringify(MAIN)})`;
    for (const flag of ['--help', '--version']) {
      const script = `${listLoaded}; ${loadMain}`;
      const { code, out } = await runProcess(process.execPath, [...FROM_SOURCES, '-e', script, '--', flag]);
      expect(code).toBe(0);
      expect(out).toContain('/commander/');
      for (const heavy of ['/pg/', '/bullmq/', '/winston/', '/ajv/', '/packages/database/']) {
        expect(out).not.toContain(heavy);
      }
    }
  });

  // A checkout that was never built is built by its first command.
  it('is found by npx in the checkout: nothing is linked or fetched into the cache of npm', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'npm-cache-'));
    try {
      const ran = await runProcess('npx', ['mediagate', '--version'], { npm_config_cache: cache });
      expect(ran).toMatchObject({ code: 0, out: `${version}\n` });
      expect(readdirSync(cache)).not.toContain('_npx');
    } finally {
      rmSync(cache, { recursive: true, force: true });
    }
  });
});

describe('completion', () => {
  const complete = (...words: string[]) =>
    runProcess(process.execPath, [...FROM_SOURCES, MAIN, 'complete', '--', ...words]);

  it.each([
    [
      [''],
      [
        'account',
        'key',
        'task',
        'doctor',
        'trouble',
        'delivery',
        'queue',
        'listen',
        'channel',
        'settings',
        'audit',
        'action',
        'migrate',
        'protocol',
        'completion',
      ],
    ],
    [
      ['key', ''],
      ['create', 'list', 'revoke', 'rotate'],
    ],
    [
      ['key', 'create', '--'],
      ['--account', '--quota', '--families', '--json'],
    ],
    [
      ['delivery', 'list', '--state', ''],
      ['pending', 'exhausted'],
    ],
  ])('knows what may follow %j', async (words, expected) => {
    const { code, out } = await complete(...words);
    expect(code).toBe(0);
    const offered = out.split('\n').map((line) => line.split('\t')[0]);
    expect(offered).toEqual(expect.arrayContaining(expected));
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that asks this program', async (shell) => {
    const { code, out } = await runProcess(process.execPath, [...FROM_SOURCES, MAIN, 'completion', shell]);
    expect(code).toBe(0);
    expect(out).toContain('mediagate complete');
  });

  it('refuses a shell that it does not know', async () => {
    expect(await runProcess(process.execPath, [...FROM_SOURCES, MAIN, 'completion', 'csh'])).toMatchObject({ code: 2 });
  });
});
