import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { simulatorKeys } from '@mediagate/local-servers';

const ROOT = join(__dirname, '../../..');

/** Its name, and its folder at the top of the checkout: it is no service of the gateway. */
export const SIMULATOR = 'simulator';

/** Every service that this checkout has, in the order of their names. A folder without a manifest is the build of one that left. */
export function findServices(): string[] {
  const folders = readdirSync(join(ROOT, 'services')).map((name) => ({ name, folder: `services/${name}` }));
  return folders
    .filter(({ folder }) => existsSync(join(ROOT, folder, 'package.json')) && existsSync(mainOf(folder)))
    .map(({ name }) => name)
    .sort();
}

/** Built, or from its sources when this runs from its own. */
export function mainOf(folder: string): string {
  return join(ROOT, folder, basename(__dirname), `main${extname(__filename)}`);
}

export interface Told {
  databaseUrl: string;
  redisUrl: string;
  publicBaseUrl: string;
  simulatorUrl: string;
  callbackOrigin: string;
  homePath: string;
  ffmpegPath: string;
  configFile: string;
  keyPepper: string;
  linkSecret: string;
  console: { port: number; user: string; password: string };
  /** Of every service. */
  healthPorts: ReadonlyMap<string, number>;
}

/** What services are told beside what the environment says; each takes what it knows. */
export function environmentOf(service: string, told: Told): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LOG_FORMAT: 'text',
    FFMPEG_PATH: told.ffmpegPath,
    DATABASE_URL: told.databaseUrl,
    REDIS_URL: told.redisUrl,
    PUBLIC_BASE_URL: told.publicBaseUrl,
    MEDIAGATE_HOME: told.homePath,
    MEDIAGATE_CONFIG: told.configFile,
    MEDIAGATE_KEY_PEPPER: told.keyPepper,
    MEDIAGATE_LINK_SECRET: told.linkSecret,
    HEALTH_PORT: String(told.healthPorts.get(service)),
    CONSOLE_PORT: String(told.console.port),
    CONSOLE_USER: told.console.user,
    CONSOLE_PASSWORD: told.console.password,
    CONSOLE_HEALTH_URLS: [...told.healthPorts].map(([name, port]) => `${name}=http://127.0.0.1:${port}`).join(','),
    ...variablesOfConfiguration(told),
  };
}

/** What the shipped configuration file refers to. */
export function variablesOfConfiguration({
  simulatorUrl,
  callbackOrigin,
}: Pick<Told, 'simulatorUrl' | 'callbackOrigin'>): Record<string, string> {
  return { ...simulatorKeys(), SIMULATOR_URL: simulatorUrl, DEMO_CALLBACK_ORIGIN: callbackOrigin };
}
