import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@mediagate/database';
import { createAccount, createKey } from '@mediagate/identity';
import { createTestDatabase, PATIENCE, type TestDatabase, testRedisUrl, until } from '@mediagate/testkit';
import { freePort, type StartedProcess, startProcess } from '@mediagate/testkit/servers';

const PEPPER = 'a pepper for tests only';
/** A process starts in a few seconds; the first file of a run also waits until PostgreSQL has been set up. */
let directory: string;
let testDatabase: TestDatabase;
let key: string;
let first: Listening;
let second: Listening;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mediagate-process-'));
  testDatabase = await createTestDatabase();
  key = await issueKey(testDatabase.databaseUrl);
  [first, second] = (await Promise.all([startOne(), startOne()])) as [Listening, Listening];
});
afterAll(async () => {
  second.child.kill('SIGTERM');
  await second.exit;
  await rm(directory, { recursive: true, force: true });
  await testDatabase.drop();
});

async function issueKey(url: string): Promise<string> {
  const database = openDatabase({ url, poolSize: 1, ...PATIENCE, applicationName: 'process-test' });
  const { id } = await createAccount(database, { name: 'test', webhookSecret: 'whsec_dGVzdA==' });
  const issued = await createKey(database, PEPPER, { accountId: id });
  await database.close();
  return issued.key;
}

async function writeSettings(price: number): Promise<string> {
  const path = join(directory, 'mediagate.yaml');
  const channel = `{ id: a, protocol: openai-images, base_url: "http://127.0.0.1:9", api_key: "\${API_TEST_VENDOR_KEY}"`;
  await writeFile(
    path,
    `channels:\n  - ${channel}, models: { imagegen-2: x }, priority: 1, weight: 1 }\nprices: { imagegen-2: ${price} }\n`,
  );
  return path;
}

/** The digest by which the log names the state of the file. */
async function digest(): Promise<string> {
  const text = await readFile(join(directory, 'mediagate.yaml'));
  return `"digest":"${createHash('sha256').update(text).digest('hex').slice(0, 12)}"`;
}

interface Listening extends StartedProcess {
  port: number;
  healthPort: number;
}

async function startOne(): Promise<Listening> {
  const [port, healthPort] = [await freePort(), await freePort()];
  const api = await start(port, { HEALTH_PORT: String(healthPort) });
  await api.printed('api.listening');
  return { ...api, port, healthPort };
}

async function start(port: number, env: Record<string, string> = {}): Promise<StartedProcess> {
  return startProcess({
    main: 'services/api/src/main.ts',
    env: {
      PORT: String(port),
      MEDIAGATE_CONFIG: await writeSettings(0.5),
      MEDIAGATE_HOME: directory,
      DATABASE_URL: testDatabase.databaseUrl,
      REDIS_URL: testRedisUrl(),
      API_TEST_VENDOR_KEY: 'none',
      MEDIAGATE_LINK_SECRET: 'a link secret for tests only',
      MEDIAGATE_KEY_PEPPER: PEPPER,
      ...env,
    },
  });
}

async function priceAt(port: number): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/models/imagegen-2`, { headers });
  const { data } = (await response.json()) as { data: { prices: { per_task: number } } };
  return data.prices.per_task;
}

/** The version of the operators' settings that the process uses. */
async function versionAt({ healthPort }: Listening): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
  return Number(/^mediagate_settings_version (\d+)$/m.exec(metrics)?.[1]);
}

async function setWeight(): Promise<void> {
  const url = testDatabase.databaseUrl;
  const database = openDatabase({ url, poolSize: 1, ...PATIENCE, applicationName: 'process-test' });
  const part = { section: 'channels', name: 'a', fields: { weight: 2 }, before: {}, version: 0n } as const;
  const moment = { effectiveAt: null, leadMs: 0, endsLater: false, atOnce: [] };
  await database.changeSettings({ ...part, ...moment }, { actor: 'cli:test' });
  await database.close();
}

describe('two processes', () => {
  it('both go by what operators have set', async () => {
    expect(await Promise.all([first, second].map(versionAt))).toEqual([0, 0]);
    await setWeight();
    for (const api of [first, second]) await until(async () => (await versionAt(api)) === 1, 'it goes by the version');
  });
});

describe('the process', () => {
  it('serves, reads its settings again on SIGHUP, keeps the old ones if they are faulty, and ends on SIGTERM', async () => {
    const { port, ...api } = first;
    expect(await priceAt(port)).toBe(0.5);
    expect(api.output()).toContain(await digest());

    await writeSettings(0.75);
    expect(api.output()).not.toContain(await digest());
    api.child.kill('SIGHUP');
    await api.printed('settings.reloaded');
    await api.printed(await digest());
    expect(await priceAt(port)).toBe(0.75);

    await writeSettings(-1);
    api.child.kill('SIGHUP');
    await api.printed('settings.refused');
    expect(await priceAt(port)).toBe(0.75);

    api.child.kill('SIGTERM');
    expect(await api.exit).toBe(0);
  });

  it('ends at once, naming port and variable, when the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const api = await start(port);
    expect(await api.exit).toBe(1);
    expect(api.output()).toContain(`port ${port} is in use: stop what listens there, or set PORT to another one`);
    taken.close();
  });
});
