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

export interface ServiceInputs {
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
  sealingSecret: string;
  console: { port: number; secret: string };
  /** Where the console reaches the API, and the operators' own port of it. */
  gatewayUrl: string;
  adminGatewayUrl: string | undefined;
  /** Of every service. */
  healthPorts: ReadonlyMap<string, number>;
}

/** What services are given beside the environment; each takes the variables it declares. */
export function environmentOf(service: string, inputs: ServiceInputs): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LOG_FORMAT: 'text',
    FFMPEG_PATH: inputs.ffmpegPath,
    DATABASE_URL: inputs.databaseUrl,
    REDIS_URL: inputs.redisUrl,
    PUBLIC_BASE_URL: inputs.publicBaseUrl,
    MEDIAGATE_HOME: inputs.homePath,
    MEDIAGATE_CONFIG: inputs.configFile,
    MEDIAGATE_KEY_PEPPER: inputs.keyPepper,
    MEDIAGATE_LINK_SECRET: inputs.linkSecret,
    MEDIAGATE_SEALING_SECRET: inputs.sealingSecret,
    HEALTH_PORT: String(inputs.healthPorts.get(service)),
    CONSOLE_PORT: String(inputs.console.port),
    CONSOLE_SECRET: inputs.console.secret,
    GATEWAY_URL: inputs.gatewayUrl,
    ...(inputs.adminGatewayUrl === undefined ? {} : { ADMIN_GATEWAY_URL: inputs.adminGatewayUrl }),
    CONSOLE_HEALTH_URLS: [...inputs.healthPorts].map(([name, port]) => `${name}=http://127.0.0.1:${port}`).join(','),
    ...variablesOfConfiguration(inputs),
  };
}

/** What the shipped configuration file refers to. */
export function variablesOfConfiguration({
  simulatorUrl,
  callbackOrigin,
}: Pick<ServiceInputs, 'simulatorUrl' | 'callbackOrigin'>): Record<string, string> {
  return { ...simulatorKeys(), SIMULATOR_URL: simulatorUrl, DEMO_CALLBACK_ORIGIN: callbackOrigin };
}
