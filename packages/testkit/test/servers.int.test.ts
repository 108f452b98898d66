import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { commandOf, endProcess, ensureRedis, freePort, type Postgres, startPostgres, startRedis } from '../src/servers';

let directory: string;
let running: { stop(): Promise<void> }[];

beforeEach(() => {
  directory = openFolder();
  running = [];
});

afterEach(async () => {
  for (const server of running) await server.stop();
  rmSync(directory, { recursive: true });
});

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  // The user that root runs PostgreSQL as must pass.
  chmodSync(folder, 0o755);
  return folder;
}

async function postgres(folder = directory): Promise<Postgres> {
  const server = await startPostgres({ directory: join(folder, 'postgres'), port: await freePort(), durable: true });
  running.push(server);
  return server;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('PostgreSQL', () => {
  /** Folder of a cluster that one test leaves to the next: making one takes longer than all that most of them do. */
  let kept: string;
  beforeAll(() => {
    kept = openFolder();
  });
  afterAll(() => rmSync(kept, { recursive: true }));

  it('shares little memory where it is to be small, and still takes 60 sessions and copies for backups', async () => {
    const server = await startPostgres({
      directory: join(kept, 'postgres'),
      port: await freePort(),
      durable: true,
      isSmall: true,
    });
    running.push(server);
    const settings = await query(
      server.url,
      `SELECT current_setting('max_connections') AS sessions, current_setting('max_wal_senders') AS copies,
        (SELECT sum(allocated_size) < 60 * 1048576 FROM pg_shmem_allocations) AS "isSmall"`,
    );
    expect(settings).toEqual([{ sessions: '60', copies: '2', isSmall: true }]);
  });

  it('keeps what was committed through a kill, with a durable setting', async () => {
    const first = await postgres(kept);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

    const second = await postgres(kept);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(await query(second.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  });

  it('ends a server that was left behind on the same directory, and no other process', async () => {
    const first = await postgres(kept);
    const second = await postgres(kept);
    expect(await first.exited).toEqual({ code: 0, signal: null });
    await second.stop();

    // A kill and a restart of the machine leave this file: its number now belongs to somebody else, here to this test.
    const data = join(kept, 'postgres/data');
    writeFileSync(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n`);
    const third = await postgres(kept);
    expect(await query(third.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts over after an initialisation that was cut short', async () => {
    const unfinished = join(directory, 'postgres/data.unfinished');
    const first = await postgres();
    await first.stop();
    rmSync(join(directory, 'postgres/data'), { recursive: true });
    writeFileSync(unfinished, 'half');
    const second = await postgres();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(unfinished)).toBe(false);
  });

  it('lets nobody in without the password', async () => {
    const { url } = await postgres(kept);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('keeps its folder from other users', async () => {
    await postgres(kept);
    expect(statSync(join(kept, 'postgres')).mode & 0o777).toBe(0o700);
  });

  const itAsRoot = process.getuid?.() === 0 ? it : it.skip;
  itAsRoot('moves to where its user can reach it when root starts it in a closed folder', async () => {
    chmodSync(directory, 0o700);
    const before = process.umask(0o077);
    const first = await postgres().finally(() => process.umask(before));
    const moved = readlinkSync(join(directory, 'postgres/moved'));
    try {
      await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.stop();
      expect(await query((await postgres()).url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    } finally {
      await running.pop()?.stop();
      rmSync(moved, { recursive: true });
    }
  });

  it('says why it does not start', async () => {
    const { port } = new URL((await postgres(kept)).url);
    const other = startPostgres({ directory: join(directory, 'other'), port: Number(port), durable: false });
    await expect(other).rejects.toThrow(/PostgreSQL did not start|password authentication failed/);
  });
});

/** Redis's replies to these lines of its own protocol, until it says goodbye. */
function ask(url: string, ...commands: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let replies = '';
    const lines = [...commands, 'QUIT'].map((command) => `${command}\r\n`).join('');
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(lines));
    socket.on('data', (reply) => {
      replies += reply.toString('utf8');
    });
    socket.once('end', () => resolve(replies.replace(/\+OK\r\n$/, '').trim()));
    socket.once('error', reject);
  });
}

describe('Redis', () => {
  async function redis(options: { password?: string } = {}) {
    const program = await ensureRedis(() => undefined);
    const server = await startRedis({ program, directory, port: await freePort(), durable: true, ...options });
    running.push(server);
    return server;
  }

  const PASSWORD = 'a-password_of-1-test';
  const LOGIN = `AUTH mediagate ${PASSWORD}`;

  it('keeps its entries through a stop, and never evicts', async () => {
    const first = await redis();
    await ask(first.url, 'SET kept 42');
    await first.stop();
    const second = await redis();
    expect(await ask(second.url, 'GET kept')).toBe('$2\r\n42');
    expect(await ask(second.url, 'CONFIG GET maxmemory-policy')).toContain('noeviction');
  });

  it('ends a server that was left behind on the same directory, and no other process', async () => {
    const first = await redis();
    const second = await redis();
    expect((await first.exited).code).toBe(0);
    await second.stop();

    writeFileSync(join(directory, 'redis.pid'), String(process.pid));
    await redis();
    expect(readFileSync(join(directory, 'redis.pid'), 'utf8').trim()).not.toBe(String(process.pid));
  });

  it('lets nobody in without the password, where it has one', async () => {
    const { url } = await redis({ password: PASSWORD });
    expect(await ask(url, 'GET kept')).toMatch(/^-NOAUTH/);
    expect(await ask(url, 'AUTH mediagate wrong')).toMatch(/^-WRONGPASS/);
    expect(await ask(url, `AUTH default ${PASSWORD}`)).toMatch(/^-WRONGPASS/);
    expect(new URL(url).username).toBe('mediagate');
    expect(await ask(url, LOGIN, 'SET kept 42')).toBe('+OK\r\n+OK');
  });

  it('lets its user work with queues, and neither administer nor empty it', async () => {
    const { url } = await redis({ password: PASSWORD });
    expect(await ask(url, LOGIN, 'EVAL "return 1" 0', 'CLIENT SETNAME test', 'XADD s * a b')).not.toMatch(/^-/m);
    expect(await ask(url, LOGIN, 'INFO server')).toContain('redis_version');
    for (const refused of ['CONFIG GET dir', 'FLUSHALL', 'SHUTDOWN', 'REPLICAOF NO ONE', 'MODULE LIST']) {
      expect(await ask(url, LOGIN, refused)).toMatch(/^\+OK\r\n-NOPERM/);
    }
  });

  it('shows its password on no command line and in no file', async () => {
    const { pid } = await redis({ password: PASSWORD });
    expect(await commandOf(pid)).not.toContain(PASSWORD);
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toContain('redis.log');
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), 'latin1')).not.toContain(PASSWORD);
    }
  });

  it('keeps the entries of a time without a password, and ends the server that was left behind from it', async () => {
    const first = await redis();
    await ask(first.url, 'SET kept 42');
    const second = await redis({ password: PASSWORD });
    expect((await first.exited).code).toBe(0);
    expect(await ask(second.url, LOGIN, 'GET kept')).toBe('+OK\r\n$2\r\n42');
    process.kill(second.pid, 'SIGKILL');
    await second.exited;
    const third = await redis({ password: PASSWORD });
    expect(await ask(third.url, LOGIN, 'GET kept')).toBe('+OK\r\n$2\r\n42');
  });
});

describe('a process', () => {
  it('is known by its command line, and by none once it is gone', async () => {
    const { pid } = await postgres();
    expect(await commandOf(pid)).toContain(directory);
    await endProcess(pid, { signal: 'SIGINT' });
    expect(await commandOf(pid)).toBeUndefined();
  });
});
