import { resolve } from 'node:path';
import { migrate, openDatabase } from '@mediagate/database';
import { type Config, hostSettings, loadConfig } from '@mediagate/host';
import { openSettings } from '@mediagate/settings';
import { type CallbackReceiver, openCallbackReceiver } from './demo/callback-receiver';
import { type DemoAccount, openDemoAccount } from './demo-account';
import { openDemoOperator } from './demo-operator';
import { type DemoUsers, openDemoUsers } from './demo-users';
import { type FirstRequest, firstRequest } from './first-request';
import { requireFreePorts } from './free-ports';
import type { Home } from './home';
import type { Output, ServiceLogs } from './logs/service-logs';
import { nodeProcess } from './node-process';
import { createPorts } from './ports';
import { findPrograms, type Programs } from './programs';
import type { Detail, Screen } from './screen/screen';
import { openSecrets, type Secrets } from './secrets';
import { openPostgres, openRedis, SERVERS } from './servers';
import {
  environmentOf,
  findServices,
  mainOf,
  type ServiceInputs,
  SIMULATOR,
  servicesOf,
  variablesOfConfiguration,
} from './services';
import type { devSettings } from './settings';
import type { Supervisor } from './supervisor';

export interface StartOptions {
  config: Config<typeof devSettings>;
  home: Home;
  supervisor: Supervisor;
  logs: ServiceLogs;
  screen: Screen;
}

/** Everything that somebody who uses the running system must know of it. */
export interface System {
  services: string[];
  /** Services that did not come up; more attempts to start them follow. */
  missing: string[];
  account: DemoAccount;
  /** Opens `/admin/v1`. */
  adminToken: string;
  receiver: CallbackReceiver;
  baseUrl: string;
  console: { url: string; password: string } & DemoUsers;
  simulatorUrl: string;
  databaseUrl: string;
  redisUrl: string;
  /** The file of the channels, prices and storage. */
  configFile: string;
  /** Absent: it serves nothing that could be shown. */
  tryIt: FirstRequest | undefined;
}

/** Time that a process may take to close its connections once its work is done. */
const CLOSE_MS = 10_000;
/** No service takes longer to finish its work unless DRAIN_SECONDS says so; one that hangs is ended then. */
const LONGEST_DRAIN_SECONDS = 630;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Starts everything in the order in which it is needed: databases, tables, the demo account, the simulator, the services.
 *
 * @throws Error saying in one line what is in the way; what was started by then is the supervisor's to stop.
 */
export async function startSystem(options: StartOptions): Promise<System> {
  const { config, home, supervisor, logs, screen } = options;
  const services = servicesOf(config.MEDIAGATE_PROCESSES);
  await requireFreePorts(publishedPorts(options));
  const portOf = createPorts(home);
  const [simulatorPort, callbackPort] = [await portOf(SIMULATOR), await portOf('callbacks')];
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  const callbackOrigin = `http://127.0.0.1:${callbackPort}`;
  const configFile = resolve(config.MEDIAGATE_CONFIG);
  // Every service would refuse it too, each three times.
  const tryIt = readFirstRequest(configFile, { simulatorUrl, callbackOrigin });

  const secrets = openSecrets(home, secretsIn(config));
  const programs = await screen.step('Programs', (say) =>
    findPrograms({ postgres: config.DATABASE_URL === undefined, redis: config.REDIS_URL === undefined, say }),
  );
  const books = await openBooks(options, { secrets, programs, portOf });
  const receiver = await openCallbackReceiver(callbackPort, books.account.webhookSecret);
  const simulator = { port: simulatorPort, url: simulatorUrl, ffmpegPath: programs.ffmpegPath };
  await screen.step('Simulated vendors', () => startSimulator(supervisor, logs.outputOf(SIMULATOR), simulator));

  const baseUrl = `http://127.0.0.1:${config.PORT}`;
  const console = {
    url: `http://127.0.0.1:${config.CONSOLE_PORT}`,
    password: secrets.consolePassword,
    ...books.users,
  };
  const environment: ServiceInputs = {
    simulatorUrl,
    callbackOrigin,
    configFile,
    ffmpegPath: programs.ffmpegPath,
    databaseUrl: books.databaseUrl,
    redisUrl: books.redisUrl,
    ...secrets,
    publicBaseUrl: config.PUBLIC_BASE_URL ?? baseUrl,
    homePath: home.path,
    console: { port: config.CONSOLE_PORT, secret: secrets.consoleSecret },
    gatewayUrl: baseUrl,
    adminGatewayUrl: config.ADMIN_PORT === undefined ? undefined : `http://127.0.0.1:${config.ADMIN_PORT}`,
    healthPorts: await choosePorts(services, portOf),
    processes: config.MEDIAGATE_PROCESSES,
  };
  const start = async (detail: Detail) => {
    const absent = await startServices(services, supervisor, logs, environment);
    if (absent.length > 0) detail(`${absent.join(', ')} did not come up`);
    return absent;
  };
  const missing = await screen.step(`${services.length} services`, start, (absent) => absent.length === 0);
  return { ...books, services, missing, receiver, baseUrl, console, simulatorUrl, configFile, tryIt };
}

/** @throws SettingsError with the faults of the file. */
function readFirstRequest(configFile: string, urls: Parameters<typeof variablesOfConfiguration>[0]) {
  return firstRequest(openSettings(configFile, { ...process.env, ...variablesOfConfiguration(urls) }));
}

function secretsIn(config: StartOptions['config']): Parameters<typeof openSecrets>[1] {
  return {
    keyPepper: config.MEDIAGATE_KEY_PEPPER,
    previousKeyPepper: config.MEDIAGATE_PREVIOUS_KEY_PEPPER,
    linkSecret: config.MEDIAGATE_LINK_SECRET,
    previousLinkSecret: config.MEDIAGATE_PREVIOUS_LINK_SECRET,
    sealingSecret: config.MEDIAGATE_SEALING_SECRET,
    previousSealingSecret: config.MEDIAGATE_PREVIOUS_SEALING_SECRET,
    consolePassword: config.CONSOLE_PASSWORD,
    consoleSecret: config.CONSOLE_SECRET,
  };
}

/** By the variables that name them. */
function publishedPorts({ config }: StartOptions): Record<string, number> {
  return {
    PORT: config.PORT,
    CONSOLE_PORT: config.CONSOLE_PORT,
    ...(config.ADMIN_PORT === undefined ? {} : { ADMIN_PORT: config.ADMIN_PORT }),
  };
}

type Books = Pick<System, 'databaseUrl' | 'redisUrl' | 'account' | 'adminToken'> & { users: DemoUsers };

interface BooksDeps {
  secrets: Secrets;
  programs: Programs;
  portOf(part: string): Promise<number>;
}

/** PostgreSQL and Redis, the tables, and the demo account. */
async function openBooks(
  { config, home, supervisor, screen }: StartOptions,
  { secrets, programs, portOf }: BooksDeps,
): Promise<Books> {
  const servers = { home, supervisor, portOf, processes: config.MEDIAGATE_PROCESSES };
  const databaseUrl = await screen.step('PostgreSQL', () => openPostgres(config.DATABASE_URL, servers));
  const ownRedis = { program: programs.redis, password: secrets.redisPassword };
  const redisUrl = await screen.step('Redis', () => openRedis(config.REDIS_URL, ownRedis, servers));
  const demo = await screen.step('Tables and account', async (detail) => {
    const { applied } = await migrate(databaseUrl);
    if (applied.length > 0) detail(`${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'} applied`);
    return openDemo({ home, config }, databaseUrl, secrets);
  });
  return { databaseUrl, redisUrl, ...demo };
}

/** Stops what `startSystem` started, as far as it came: those who work first, what they work with last. */
export function stopSystem(supervisor: Supervisor): Promise<void> {
  return supervisor.close([findServices(), [SIMULATOR], ...SERVERS.map((name) => [name])]);
}

async function openDemo(
  { home, config }: Pick<StartOptions, 'home' | 'config'>,
  url: string,
  { keyPepper, consolePassword }: Secrets,
): Promise<Pick<Books, 'account' | 'adminToken' | 'users'>> {
  const database = openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'mediagate-dev',
  });
  try {
    const account = await openDemoAccount(home, database, keyPepper);
    const wanted = { operator: config.CONSOLE_USER, password: consolePassword, accountId: account.accountId };
    const users = await openDemoUsers(database, wanted);
    return { account, adminToken: await openDemoOperator(home, database, keyPepper), users };
  } finally {
    await database.close();
  }
}

async function startSimulator(
  supervisor: Supervisor,
  output: Output,
  { port, url, ffmpegPath }: { port: number; url: string; ffmpegPath: string },
): Promise<void> {
  const env = { ...process.env, HOST: '127.0.0.1', PORT: String(port), FFMPEG_PATH: ffmpegPath };
  const part = { name: SIMULATOR, main: mainOf(SIMULATOR), env, output };
  await supervisor.start(nodeProcess({ ...part, readyUrl: `${url}/__sim/journal`, drainMs: CLOSE_MS }));
}

async function choosePorts(
  services: readonly string[],
  portOf: (part: string) => Promise<number>,
): Promise<Map<string, number>> {
  const ports = new Map<string, number>();
  for (const name of services) ports.set(name, await portOf(`${name} health`));
  return ports;
}

/** The names of those that did not come up. */
async function startServices(
  services: readonly string[],
  supervisor: Supervisor,
  logs: ServiceLogs,
  environment: ServiceInputs,
): Promise<string[]> {
  const drainMs = (loadConfig(hostSettings).DRAIN_SECONDS ?? LONGEST_DRAIN_SECONDS) * 1000 + CLOSE_MS;
  const started = await Promise.allSettled(
    services.map((name) => {
      const readyUrl = `http://127.0.0.1:${environment.healthPorts.get(name)}/readyz`;
      const part = {
        name,
        main: mainOf(`services/${name}`),
        env: environmentOf(name, environment),
        output: logs.outputOf(name),
      };
      return supervisor.start(nodeProcess({ ...part, readyUrl, drainMs }));
    }),
  );
  return services.filter((_name, index) => started[index]?.status === 'rejected');
}
