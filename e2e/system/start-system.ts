import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit, topUp, type Violation } from '@mediagate/billing';
import { newWebhookSecret } from '@mediagate/callbacks';
import { FAMILY_TRAITS, isFamily, WORKER_FAMILIES } from '@mediagate/contracts';
import { type Database, openDatabase } from '@mediagate/database';
import { createAccount, createKey, type NewKey } from '@mediagate/identity';
import { createTestDatabase, testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { ffmpegProgram, simulatorKeys } from '@mediagate/testkit/servers';
import { createSimulatorControl, type SimulatorControl } from '../../simulator/test/simulator-control';
import { type Caller, createCaller } from './caller';
import { type OwnRedis, startOwnRedis } from './own-redis';
import { freePort, type ServiceProcess, startService } from './service-process';

const SERVICE_NAMES = ['api', ...WORKER_FAMILIES, 'webhook-delivery', 'reconciler'] as const;
/** `serve`: all but the API in one process. */
export type ServiceName = (typeof SERVICE_NAMES)[number] | 'serve';

/** The gateway as separate processes, with a database and a Redis prefix of its own, in front of the simulator. */
export interface System<Name extends ServiceName = ServiceName> {
  baseUrl: string;
  database: Database;
  configPath: string;
  services: Record<Name, ServiceProcess>;
  simulator: SimulatorControl;
  /** Undefined where the system shares the Redis of the test run. */
  redis: OwnRedis | undefined;
  /** A funded account with a key; balance in nano-units. */
  account(balanceNano: bigint, key?: Partial<NewKey>): Promise<SystemAccount>;
  /** One more process of a service; one of `api` needs a `PORT` of its own. */
  another(name: ServiceName, env?: Record<string, string>): Promise<ServiceProcess>;
  /** The attempts at a task, the first one first. */
  attempts(taskId: string): ReturnType<Database['taskAttempt']['findMany']>;
  audit(): Promise<Violation[]>;
  stop(): Promise<void>;
}

export interface SystemAccount {
  accountId: string;
  keyId: string;
  webhookSecret: string;
  key: string;
  caller: Caller;
}

export interface SystemOptions<Name extends ServiceName = ServiceName> {
  /** Default: all, each as a process of its own. Each takes more than a second of CPU to start. */
  services?: readonly Name[];
  env?: Record<string, string>;
  /** The `media` section of the configuration: where callers' files may be. */
  media?: { allow_private_cidrs: string[]; allow_ports: number[] };
  /** The configuration file; default: the shipped one of the simulator. */
  config?: string;
  /** A Redis that may be killed, because nobody else uses it. */
  ownRedis?: boolean;
  /** Servers that the test brings; default: those of the test run. */
  servers?: { databaseUrl: string; servicesUrl: string; redisUrl: string };
  /** Services that are run from another checkout. */
  former?: { checkout: string; services: readonly Name[] };
}

/** Hashes the keys of accounts and the tokens of operators. */
export const PEPPER = 'pepper-for-end-to-end-tests';

export async function startSystem<Name extends ServiceName = ServiceName>(
  options: SystemOptions<Name> = {},
): Promise<System<Name>> {
  const ends: (() => Promise<unknown>)[] = [];
  // The last part ends first, and each whatever became of the others.
  const stop = async () => {
    const faults: unknown[] = [];
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end().catch((error) => faults.push(error));
    if (faults.length > 0) throw faults[0];
  };
  try {
    return { ...(await openSystem(options, (end) => ends.push(end))), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** Names what ends each part once it has started, also where a later one does not. */
async function openSystem<Name extends ServiceName>(
  {
    services: names = SERVICE_NAMES as readonly ServiceName[] as readonly Name[],
    env: extraEnv = {},
    ownRedis = false,
    config,
    media,
    former,
    servers,
  }: SystemOptions<Name>,
  onEnd: (end: () => Promise<unknown>) => void,
): Promise<Omit<System<Name>, 'stop'>> {
  const home = await mkdtemp(join(tmpdir(), 'mediagate-e2e-'));
  onEnd(() => rm(home, { recursive: true, force: true }));
  const { databaseUrl, drop } = servers ? { ...servers, drop: async () => undefined } : await createTestDatabase();
  onEnd(drop);
  const database = openTestDatabase(databaseUrl);
  onEnd(() => database.close());
  const redis = ownRedis ? await startOwnRedis(join(home, 'redis')) : undefined;
  onEnd(async () => redis?.stop());
  const apiPort = await freePort();
  const baseUrl = `http://127.0.0.1:${apiPort}`;
  const simulator = await startSimulator(extraEnv);
  onEnd(() => simulator.process.stop());
  const configPath = await writeConfig(home, config, media);
  const shared = {
    ...servicesEnv({ baseUrl, simulatorUrl: simulator.url }),
    DATABASE_URL: servers?.servicesUrl ?? databaseUrl,
    REDIS_URL: servers?.redisUrl ?? redis?.url ?? testRedisUrl(),
    MEDIAGATE_HOME: home,
    MEDIAGATE_CONFIG: configPath,
    ...extraEnv,
  };
  const service = serviceStarter(baseUrl, shared);
  const checkoutOf = (name: Name) => (former?.services.includes(name) ? former.checkout : undefined);
  const started = await allOrNone(
    names.map((name) => service(name, name === 'api' ? { PORT: String(apiPort) } : {}, checkoutOf(name))),
  );
  onEnd(() => Promise.all(started.map((running) => running.stop())));
  const services = Object.fromEntries(started.map((one) => [one.name, one])) as Record<Name, ServiceProcess>;

  return {
    baseUrl,
    database,
    configPath,
    services,
    redis,
    simulator: createSimulatorControl(simulator.url),
    async another(name, env) {
      const one = await service(name, env);
      onEnd(() => one.stop());
      return one;
    },
    account: (balanceNano, key) => openAccount(database, baseUrl, balanceNano, key),
    attempts: (taskId) => database.taskAttempt.findMany({ where: { taskId }, orderBy: { number: 'asc' } }),
    audit: () => audit(database),
  };
}

async function startSimulator(env: Record<string, string>): Promise<{ url: string; process: ServiceProcess }> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const process = await startService({
    name: 'simulator',
    folder: 'simulator',
    readyUrl: `${url}/__sim/health`,
    env: { PORT: port, FFMPEG_PATH: ffmpegProgram(), ...env },
  });
  return { url, process };
}

/** The variables of every service that are the same in every test, but for addresses. */
function servicesEnv({ baseUrl, simulatorUrl }: { baseUrl: string; simulatorUrl: string }) {
  return {
    REDIS_PREFIX: uniquePrefix(),
    PUBLIC_BASE_URL: baseUrl,
    VENDOR_CALLBACK_BASE_URL: baseUrl,
    MEDIAGATE_LINK_SECRET: 'link-secret-for-end-to-end-tests',
    MEDIAGATE_KEY_PEPPER: PEPPER,
    SIMULATOR_URL: simulatorUrl,
    DEMO_CALLBACK_ORIGIN: simulatorUrl,
    ...simulatorKeys(),
    LEASE_SECONDS: '3',
    AUDIT_SECONDS: '3600',
  };
}

/** The others run without one. */
function needsFfmpeg(name: ServiceName): boolean {
  return name === 'serve' || (isFamily(name) && FAMILY_TRAITS[name].needsFfmpeg);
}

async function consoleVariables(gatewayUrl: string): Promise<Record<string, string>> {
  return {
    CONSOLE_PORT: String(await freePort()),
    CONSOLE_SECRET: 'console-secret-for-end-to-end-tests',
    GATEWAY_URL: gatewayUrl,
  };
}

/** Starts a service with what all of them share, and with what this one needs. */
function serviceStarter(baseUrl: string, shared: Record<string, string>) {
  return async (name: ServiceName, env: Record<string, string> = {}, checkout?: string): Promise<ServiceProcess> => {
    const healthPort = String(await freePort());
    const readyUrl = `http://127.0.0.1:${healthPort}/readyz`;
    const programs = needsFfmpeg(name) ? { FFMPEG_PATH: ffmpegProgram() } : {};
    const page = name === 'serve' ? await consoleVariables(baseUrl) : {};
    const own = { ...programs, ...page, ...shared, ...env, HEALTH_PORT: healthPort };
    return startService({ name, checkout, readyUrl, env: own });
  };
}

function openTestDatabase(url: string): Database {
  return openDatabase({ url, poolSize: 4, statementTimeoutMs: 60_000, applicationName: 'end-to-end test' });
}

/** When one does not start, the others are stopped. */
async function allOrNone(starts: readonly Promise<ServiceProcess>[]): Promise<ServiceProcess[]> {
  try {
    return await Promise.all(starts);
  } catch (error) {
    const ends = await Promise.allSettled(starts);
    await Promise.all(ends.map((end) => (end.status === 'fulfilled' ? end.value.stop() : undefined)));
    throw error;
  }
}

/** And what the test adds to it. */
async function writeConfig(home: string, given: string | undefined, media: SystemOptions['media']): Promise<string> {
  const config = given ?? (await readFile(join(__dirname, '../../deploy/config/simulator.yaml'), 'utf8'));
  const path = join(home, 'channels.yaml');
  await writeFile(path, media === undefined ? config : `${config}\nmedia: ${JSON.stringify(media)}\n`);
  return path;
}

export async function openAccount(
  database: Database,
  baseUrl: string,
  balanceNano: bigint,
  key: Partial<NewKey> = {},
): Promise<SystemAccount> {
  const webhookSecret = newWebhookSecret();
  const { id: accountId } = await createAccount(database, { name: 'end to end', webhookSecret });
  if (balanceNano > 0n) await topUp(database, { accountId, amountNano: balanceNano });
  const limits = { submitPerMinute: 100_000, queryPerMinute: 1_000_000 };
  const issued = await createKey(database, PEPPER, { accountId, ...limits, ...key });
  return { accountId, keyId: issued.id, webhookSecret, key: issued.key, caller: createCaller(baseUrl, issued.key) };
}
