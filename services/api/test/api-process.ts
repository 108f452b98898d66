import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topUp } from '@mediagate/billing';
import { openDatabase } from '@mediagate/database';
import { createAccount, createKey } from '@mediagate/identity';
import { createTestDatabase, PATIENCE, testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { freePort, imageVariables, simulatorKeys, startProcess, untilReady } from '@mediagate/testkit/servers';

const ROOT = join(__dirname, '../../..');
const PEPPER = 'a pepper for tests only';
const NOWHERE = 'http://127.0.0.1:9';

/** The API as its own process, over a database and a folder of its own. */
export interface ApiProcess {
  url: string;
  port: number;
  child: ChildProcess;
  pid: number;
  /** The metrics as Prometheus reads them. */
  metrics(): Promise<string>;
  /** Status of /healthz. */
  health(): Promise<number>;
  output(): string;
  /** Makes a key without limits on requests; `usual`: with the limits of a new key. */
  createKey(balanceNano?: bigint, limits?: 'usual'): Promise<string>;
  /** Ends it, and answers with its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Every model is offered; its channels lead nowhere.
 *
 * @param built what runs in production, with the image's variables, where memory is measured; else the sources, which need no build.
 */
export async function startApiProcess(env: Record<string, string> = {}, { built = false } = {}): Promise<ApiProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'mediagate-process-'));
  const { databaseUrl, drop } = await createTestDatabase();
  const [port, healthPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const healthUrl = `http://127.0.0.1:${healthPort}`;
  const { child, output, exit } = startProcess({
    main: `services/api/${built ? 'dist/main.js' : 'src/main.ts'}`,
    env: {
      PORT: String(port),
      HEALTH_PORT: String(healthPort),
      PUBLIC_BASE_URL: url,
      MEDIAGATE_CONFIG: join(ROOT, 'deploy/config/simulator.yaml'),
      ...simulatorKeys(),
      SIMULATOR_URL: NOWHERE,
      DEMO_CALLBACK_ORIGIN: NOWHERE,
      MEDIAGATE_HOME: directory,
      DATABASE_URL: databaseUrl,
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: uniquePrefix(),
      MEDIAGATE_LINK_SECRET: 'a link secret for tests only',
      MEDIAGATE_KEY_PEPPER: PEPPER,
      ...(built ? imageVariables() : {}),
      ...env,
    },
  });
  await untilReady(child, `${healthUrl}/readyz`).catch((cause) => {
    throw new Error(output(), { cause });
  });
  const read = (path: string) => fetch(`${healthUrl}${path}`);
  return {
    url,
    port,
    child,
    output,
    pid: child.pid ?? 0,
    metrics: async () => (await read('/metrics')).text(),
    health: async () => (await read('/healthz')).status,
    createKey: (balanceNano = 0n, limits) => issueKey(databaseUrl, balanceNano, limits === 'usual' ? {} : NO_LIMITS),
    async stop() {
      child.kill('SIGTERM');
      const code = await exit;
      await drop();
      await rm(directory, { recursive: true, force: true });
      return code;
    },
  };
}

const NO_LIMITS = { submitPerMinute: 1_000_000, queryPerMinute: 1_000_000 };

async function issueKey(url: string, amountNano: bigint, limits: Partial<typeof NO_LIMITS>): Promise<string> {
  const database = openDatabase({ url, poolSize: 1, ...PATIENCE, applicationName: 'process-test' });
  const { id: accountId } = await createAccount(database, { name: 'test', webhookSecret: 'whsec_dGVzdA==' });
  if (amountNano > 0n) await topUp(database, { accountId, amountNano });
  const { key } = await createKey(database, PEPPER, { accountId, canManage: true, ...limits });
  await database.close();
  return key;
}
