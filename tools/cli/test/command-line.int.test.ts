import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openWorld, type Ran, runIn, type World } from './world';

const ROOT = join(__dirname, '../../..');

const COMMANDS = [
  ...['account create', 'account top-up', 'account list'],
  ...['key create', 'key list', 'key revoke', 'key rotate'],
  ...['task show', 'task retry', 'task fail', 'delivery list', 'delivery redeliver'],
  ...['channel check', 'audit', 'migrate'],
];

describe('the command line', () => {
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

  it('ends with code 2 when a variable cannot be read', async () => {
    const ran = await runIn({ DATABASE_URL: 'not a url' }, 'account', 'list');
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining('DATABASE_URL') });
  });
});

describe('as a process', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** From the sources, because tests need no build. */
  function start(...words: string[]): Promise<Ran> {
    const flags = ['--conditions=source', '--require', join(ROOT, 'scripts/register-typescript.cjs')];
    const child = spawn(process.execPath, [...flags, join(ROOT, 'tools/cli/src/main.ts'), ...words], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...world.env },
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

  it('keeps stdout for the result, ends by itself, and tells by its code how it went', async () => {
    const created = await start('account', 'create', '--name', 'Real', '--balance', '3', '--json');
    expect({ code: created.code, err: created.err }).toEqual({ code: 0, err: '' });
    const account = JSON.parse(created.out);
    expect(account).toMatchObject({ name: 'Real', balance: 3 });
    expect((await world.notes(account.id))[0]?.actor).toMatch(/^cli:.+/);

    expect(await start('task', 'show', `task_${'0'.repeat(26)}`)).toMatchObject({ code: 1, out: '' });
    expect(await start('account', 'create', '--balance', 'lots')).toMatchObject({ code: 2, out: '' });
  }, 30_000);
});
