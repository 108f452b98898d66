import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, listServices, openDatabase } from '@mediagate/database';
import { openRedis } from '@mediagate/queue';
import { canOpenSmallDisk, forAllTests, openSmallDisk, PATIENCE, runSql, until } from '@mediagate/testkit';
import { ensureRedis, freePort, makeDevelopmentCertificate, startRedis } from '@mediagate/testkit/servers';
import { version } from '../package.json';
import { acceptedTask, fundedKey, openWorld, runIn, runWithInput } from './world';

const world = forAllTests(openWorld);
const services: Database[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  // PostgreSQL lists a connection until its process has ended.
  const isOver = async () => (await listServices(world.database)).every(({ service }) => service === 'cli');
  await until(isOver, 'the connections are over');
});

/** Connections as a service has them: they say who has opened them. */
async function connectAs(...applications: string[]): Promise<void> {
  for (const application of applications) {
    const url = world.env['DATABASE_URL'] ?? '';
    const service = openDatabase({ url, poolSize: 1, ...PATIENCE, applicationName: `mediagate-${application}` });
    services.push(service);
    await service.ping();
  }
}

const connectAll = () => connectAs(...['api', 'webhook-delivery', 'reconciler'].map((name) => `${name} ${version}`));

interface Finding {
  check: string;
  state: string;
  found: string;
  action: string | null;
  runbook: string | null;
}

interface Examined {
  code: number;
  clean: boolean;
  of(check: string): Finding[];
}

/** The limit is long enough for every machine: no test here is about time. */
async function examine(env: Record<string, string> = {}, ...words: string[]): Promise<Examined> {
  const { code, out } = await runIn({ ...world.env, ...env }, 'doctor', '--timeout', '300', '--json', ...words);
  const { clean, checks } = JSON.parse(out) as { clean: boolean; checks: Finding[] };
  return { code, clean, of: (check) => checks.filter((each) => each.check === check) };
}

const fault = (found: string) => expect.objectContaining({ state: 'fault', found: expect.stringContaining(found) });
const warning = (found: string) => expect.objectContaining({ state: 'warning', found: expect.stringContaining(found) });
const ok = (found: string) => expect.objectContaining({ state: 'ok', found: expect.stringContaining(found) });

it('finds no fault in a deployment without one, and ends with 0', async () => {
  await connectAll();
  const { code, clean, of } = await examine();
  expect({ code, clean }).toEqual({ code: 0, clean: true });
  expect(of('PostgreSQL')).toEqual([ok('answers: version')]);
  expect(of('connections')).toEqual([ok('are free')]);
  expect(of('migrations')).toEqual([ok(version)]);
  expect(of('clock of PostgreSQL')).toEqual([ok('within 1 s')]);
  expect(of('processes')).toEqual([ok(`reconciler ${version}`)]);
  expect(of('Redis')).toEqual([ok('append-only file')]);
  expect(of('storage')).toEqual([ok('written, read back and removed')]);
  expect(of('configuration file')).toEqual([ok('no fault')]);
  expect(of('variables')).toEqual([ok('none contradicts')]);
  expect(of('troubles')).toEqual([ok('none')]);
});

it('says in a line each what was found, what to do and where that is written, and ends with 1', async () => {
  const { code, out } = await runIn(world.env, 'doctor', '--timeout', '300');
  expect(code).toBe(1);
  expect(out).toContain(
    [
      'fault    processes: no reconciler is connected to the database',
      '         → Start a reconciler; if one runs, its log says why it does not connect. docs/runbooks/process-down.md',
    ].join('\n'),
  );
  expect(out).toMatch(/^\d+ faults, \d+ warnings, \d+ not looked at\n$/m);
});

it('names processes that are missing or of another release', async () => {
  await connectAs(`api ${version}`, 'webhook-delivery', 'image 0.0.9');
  const { of } = await examine();
  expect(of('processes')).toEqual([
    fault('no reconciler'),
    warning(`of another release than ${version}: image 0.0.9, webhook-delivery unknown`),
  ]);
});

it('compares the migrations of the database with those of its release', async () => {
  const rename = (from: string, to: string) =>
    runSql(world.database, `update _prisma_migrations set migration_name = ${to} where migration_name = ${from}`);
  const [last] = await runSql<{ name: string }>(
    world.database,
    'select max(migration_name) as name from _prisma_migrations',
  );
  await rename(`'${last?.name}'`, "'29990101000000_later'");
  const { of } = await examine();
  await rename("'29990101000000_later'", `'${last?.name}'`);
  expect(of('migrations')).toEqual([fault(`not applied: ${last?.name}`), warning('of a later release')]);
});

it.each([
  ['is away', 'postgresql://ada:a-secret@127.0.0.1:1/books'],
  ['is not named', undefined],
])('looks at everything else where the database %s, shows no password, and says once what to do', async (_, url) => {
  const { code, out } = await runIn({ ...world.env, DATABASE_URL: url }, 'doctor', '--timeout', '300', '--json');
  const { checks } = JSON.parse(out) as { checks: Finding[] };
  expect({ code, faults: checks.filter(({ state }) => state === 'fault') }).toEqual({
    code: 1,
    faults: [expect.objectContaining({ check: 'PostgreSQL', runbook: 'docs/runbooks/postgres-down.md' })],
  });
  expect(checks).toContainEqual(expect.objectContaining({ check: 'Redis', state: 'ok' }));
  expect(checks).toContainEqual(expect.objectContaining({ check: 'troubles', state: 'unknown' }));
  expect(out).not.toContain('a-secret');
});

it('judges a Redis that removes jobs, is nearly full, or is away', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mediagate-doctor-'));
  const program = await ensureRedis(() => undefined);
  const server = await startRedis({ program, directory, port: await freePort(), durable: false });
  try {
    const admin = openRedis(server.url, {});
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await admin.config('SET', 'maxmemory', '1000');
    admin.disconnect();
    const { of } = await examine({ REDIS_URL: server.url });
    expect(of('Redis')).toEqual([fault('maxmemory-policy is allkeys-lru'), ok('version'), warning('nearly full')]);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
  const { of } = await examine({ REDIS_URL: server.url });
  expect(of('Redis')).toEqual([fault('ECONNREFUSED')]);
  expect(of('PostgreSQL')).toEqual([ok('answers')]);
});

it('compares the clocks of PostgreSQL and Redis with that of its machine', async () => {
  const now = Date.now.bind(Date);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  try {
    const { of } = await examine();
    expect(of('clock of PostgreSQL')).toEqual([warning("s behind this machine's")]);
    expect(of('Redis')).toContainEqual(warning("s behind this machine's"));
  } finally {
    clock.mockRestore();
  }
});

(canOpenSmallDisk() ? it : it.skip)('finds the storage and the work folder on a full disk', async () => {
  const disk = await openSmallDisk();
  try {
    await disk.fill();
    const { code, of } = await examine({ MEDIAGATE_HOME: disk.path, WORK_FOLDER: disk.path, STORAGE_MIN_FREE_MB: '1' });
    const full = { state: 'fault', found: expect.stringMatching(/no space left|denied/) };
    const found = expect.objectContaining({ ...full, runbook: 'docs/runbooks/storage-full.md' });
    expect([code, of('storage'), of('work folder')]).toEqual([1, [found], [found]]);
  } finally {
    await disk.close();
  }
});

it('warns of a disk before it is too full, and does not judge a folder that is not here', async () => {
  const before = await examine({ STORAGE_MIN_FREE_MB: '1' });
  const [{ found = '' } = {}] = before.of('storage');
  const freeGb = Number(/([\d.]+) GB are free/.exec(found)?.[1]);
  const nearly = await examine({ STORAGE_MIN_FREE_MB: String(Math.ceil(freeGb * 1024 * 0.7)) });
  expect(nearly.of('storage')).toEqual([warning('no new work is begun')]);
  const elsewhere = await examine({ MEDIAGATE_HOME: '/nowhere', WORK_FOLDER: '/nowhere' });
  expect([...elsewhere.of('storage'), ...elsewhere.of('work folder')].map(({ state }) => state)).toEqual([
    'unknown',
    'unknown',
  ]);
});

it('names the faults of the file, and variables with which no service starts', async () => {
  const file = join(world.env['MEDIAGATE_HOME'] ?? '', 'faulty.yaml');
  writeFileSync(file, 'storage: { driver: tape }\n');
  const { of } = await examine({
    MEDIAGATE_CONFIG: file,
    HTTPS_PROXY: 'http://proxy.example:3128',
    MEDIAGATE_LINK_SECRET: 'the-same',
    MEDIAGATE_PREVIOUS_LINK_SECRET: 'the-same',
  });
  expect(of('configuration file')).toContainEqual(fault('storage'));
  expect(of('variables')).toEqual([fault('HTTPS_PROXY'), fault('MEDIAGATE_LINK_SECRET')]);
  expect(of('channels')).toEqual([expect.objectContaining({ state: 'unknown' })]);
});

it('names keys of the database that are sealed under another secret', async () => {
  const sealing = { MEDIAGATE_SEALING_SECRET: 'the-first-of-the-sealing-secrets-is-this' };
  const set = await runWithInput({ ...world.env, ...sealing }, 'a-key', 'secret', 'set', 'acme');
  expect(set).toMatchObject({ code: 0 });
  expect((await examine(sealing)).of('stored keys')).toEqual([ok('1 in the database')]);
  const other = { MEDIAGATE_SEALING_SECRET: 'another-of-the-sealing-secrets-than-that' };
  expect((await examine(other)).of('stored keys')).toEqual([fault('acme')]);
  expect((await examine()).of('stored keys')).toEqual([expect.objectContaining({ state: 'unknown' })]);
});

it('asks vendors where it is told to, and nobody otherwise', async () => {
  const away = { SIMULATOR_URL: `http://127.0.0.1:${await freePort()}` };
  const { of } = await examine(away, '--probe');
  expect(of('channels')).toContainEqual(fault('unreachable'));
  expect((await examine(away)).of('channels')).toEqual([ok('--probe asks')]);
});

it('says when the certificate of results ends, and whose it is', async () => {
  const pems = (days: number, from = new Date()) => {
    const { certificate, key } = makeDevelopmentCertificate({ days, from });
    return { MEDIAGATE_SIGNING_CERTIFICATE: certificate, MEDIAGATE_SIGNING_KEY: key };
  };
  const check = 'certificate of results';
  expect((await examine(pems(900))).of(check)).toEqual([warning('it is for development')]);
  expect((await examine(pems(20))).of(check)).toEqual([warning('it ends soon')]);
  const ended = pems(10, new Date(Date.now() - 20 * 24 * 3_600_000));
  expect((await examine(ended)).of(check)).toEqual([fault('it has ended')]);
  const [certificate, key] = [pems(900), pems(900)];
  const mixed = { ...certificate, MEDIAGATE_SIGNING_KEY: key.MEDIAGATE_SIGNING_KEY };
  expect((await examine(mixed)).of(check)).toEqual([fault('MEDIAGATE_SIGNING_KEY does not fit')]);
});

it('asks the addresses that callers and browsers have', async () => {
  let consoleStatus = 200;
  const server = createServer(({ url, headers }, response) => {
    // The console shows its page to browsers alone.
    const shown = headers.accept?.includes('text/html') ? consoleStatus : 401;
    response.writeHead(url === '/openapi.json' ? 200 : shown).end();
  }).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const there = await examine({ PUBLIC_BASE_URL: url, CONSOLE_PUBLIC_URL: url });
  expect(there.of('address of the API')).toEqual([ok('answers 200')]);
  expect(there.of('address of the console')).toEqual([ok('answers 200')]);
  consoleStatus = 502;
  expect((await examine({ CONSOLE_PUBLIC_URL: url })).of('address of the console')).toEqual([warning('answers 502')]);
  server.close();
  await once(server, 'close');
  expect((await examine({ PUBLIC_BASE_URL: url })).of('address of the API')).toEqual([warning('cannot be reached')]);
});

it('says how old the newest backup is, and what its trial said', async () => {
  const { database } = world;
  const note = (action: string, ageHours: number, detail = {}) =>
    database.auditLogEntry.create({
      data: { actor: 'cli:ada', action, subject: 'x', detail, createdAt: new Date(Date.now() - ageHours * 3_600_000) },
    });
  expect((await examine()).of('backups')).toEqual([warning('none was taken')]);
  await note('database.backup', 50);
  expect((await examine()).of('backups')).toEqual([warning('50 hours old')]);
  await note('database.backup', 2);
  expect((await examine()).of('backups')).toEqual([warning('was not tried')]);
  await note('database.try_backup', 1, { violations: 0 });
  expect((await examine()).of('backups')).toEqual([ok('its trial was clean')]);
  await note('database.try_backup', 0, { violations: 1 });
  expect((await examine()).of('backups')).toEqual([fault('its books are broken')]);
});

it('ends with what needs attention by the rows, as a family with work and no worker', async () => {
  await acceptedTask(world.database, await fundedKey(world.database));
  expect((await examine()).of('troubles')).toEqual([
    expect.objectContaining({
      state: 'fault',
      found: expect.stringContaining('queue image: no worker'),
      runbook: 'docs/runbooks/process-down.md',
    }),
  ]);
});
