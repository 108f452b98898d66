import { resolve } from 'node:path';
import { migrate, openDatabase } from '@mediagate/database';
import { type Config, hostSettings, loadConfig } from '@mediagate/host';
import { isPortFree } from '@mediagate/local-servers';
import { type CallbackReceiver, openCallbackReceiver } from './demo/callback-receiver';
import { type DemoAccount, openDemoAccount } from './demo-account';
import type { Home } from './home';
import { nodeProcess } from './node-process';
import { createPorts } from './ports';
import { createPrefixes } from './prefix';
import { openSecrets } from './secrets';
import { openPostgres, openRedis, SERVERS } from './servers';
import { environmentOf, findServices, mainOf, SIMULATOR } from './services';
import type { devSettings } from './settings';
import type { Supervisor } from './supervisor';

export interface StartOptions {
  config: Config<typeof devSettings>;
  home: Home;
  supervisor: Supervisor;
  say(line: string): void;
}

/** What somebody who uses the running system must know of it. */
export interface System {
  services: string[];
  account: DemoAccount;
  receiver: CallbackReceiver;
  baseUrl: string;
  simulatorUrl: string;
  databaseUrl: string;
  redisUrl: string;
}

/**
 * Starts everything in the order in which it is needed: databases, tables, the demo account, the simulator, the services.
 *
 * @throws Error saying in one line what is in the way; what was started by then is the supervisor's to stop.
 */
export async function startSystem({ config, home, supervisor, say }: StartOptions): Promise<System> {
  if (!(await isPortFree(config.PORT))) {
    throw new Error(`port ${config.PORT} is in use: set PORT to a free one.`);
  }
  const portOf = createPorts(home);
  const { keyPepper, linkSecret } = openSecrets(home, {
    keyPepper: config.MEDIAGATE_KEY_PEPPER,
    linkSecret: config.MEDIAGATE_LINK_SECRET,
  });
  const databaseUrl = await openPostgres(config.DATABASE_URL, { home, supervisor, portOf, say });
  const redisUrl = await openRedis(config.REDIS_URL, { home, supervisor, portOf, say });
  const { applied } = await migrate(databaseUrl);
  if (applied.length > 0) say(`migrated: ${applied.join(', ')}`);
  const account = await openAccount(home, databaseUrl, keyPepper);
  const receiver = await openCallbackReceiver(await portOf('callbacks'), account.webhookSecret);

  const prefixOf = createPrefixes((text) => process.stdout.write(text), process.stdout.isTTY);
  const simulatorPort = await portOf(SIMULATOR);
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  const services = findServices();
  say(`starting ${[SIMULATOR, ...services].join(', ')}`);
  await supervisor.start(
    nodeProcess({
      name: SIMULATOR,
      main: mainOf(SIMULATOR),
      env: { ...process.env, HOST: '127.0.0.1', PORT: String(simulatorPort) },
      readyUrl: `${simulatorUrl}${SIMULATOR_READY_PATH}`,
      drainMs: CLOSE_MS,
      print: prefixOf(SIMULATOR),
    }),
  );

  const baseUrl = `http://127.0.0.1:${config.PORT}`;
  const told = {
    ...{ databaseUrl, redisUrl, simulatorUrl, keyPepper, linkSecret },
    publicBaseUrl: config.PUBLIC_BASE_URL ?? baseUrl,
    callbackOrigin: receiver.origin,
    homePath: home.path,
    configFile: resolve(config.MEDIAGATE_CONFIG),
  };
  const drainMs = loadConfig(hostSettings).DRAIN_SECONDS * 1000 + CLOSE_MS;
  await Promise.all(
    services.map(async (name) => {
      const healthPort = await portOf(`${name} health`);
      const ports = name === 'api' ? { healthPort, port: config.PORT } : { healthPort };
      const readyUrl = `http://127.0.0.1:${healthPort}/readyz`;
      const env = environmentOf(told, ports);
      await supervisor.start(nodeProcess({ name, main: mainOf(name), env, readyUrl, drainMs, print: prefixOf(name) }));
    }),
  );
  return { services, account, receiver, baseUrl, simulatorUrl, databaseUrl, redisUrl };
}

/** Stops what `startSystem` started, as far as it came: those who work first, what they work with last. */
export function stopSystem(supervisor: Supervisor): Promise<void> {
  return supervisor.close([findServices(), [SIMULATOR], ...SERVERS.map((name) => [name])]);
}

/** What a process may take to close its connections once its work is done. */
const CLOSE_MS = 10_000;
const SIMULATOR_READY_PATH = '/__sim/journal';
const STATEMENT_TIMEOUT_MS = 10_000;

async function openAccount(home: Home, url: string, keyPepper: string): Promise<DemoAccount> {
  const database = openDatabase({
    ...{ url, poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    applicationName: 'mediagate-dev',
  });
  try {
    return await openDemoAccount(home, database, keyPepper);
  } finally {
    await database.close();
  }
}
