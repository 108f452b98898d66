import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

export const SIMULATOR = 'upstream-simulator';

/** Every service that this checkout has, in the order of their names; the simulator is no service of the gateway. */
export function findServices(): string[] {
  const names = readdirSync(join(ROOT, 'services')).filter((name) => existsSync(mainOf(name)));
  return names.filter((name) => name !== SIMULATOR).sort();
}

export function mainOf(service: string): string {
  return join(ROOT, 'services', service, 'dist/main.js');
}

export interface ServiceEnvironment {
  databaseUrl: string;
  redisUrl: string;
  publicBaseUrl: string;
  simulatorUrl: string;
  callbackOrigin: string;
  homePath: string;
  configFile: string;
  keyPepper: string;
  linkSecret: string;
}

/** What every service is told, beside what the environment says; the port is the one it serves callers on, if it does. */
export function environmentOf(
  told: ServiceEnvironment,
  ports: { port?: number; healthPort: number },
): NodeJS.ProcessEnv {
  const { PORT: _ours, ...inherited } = process.env;
  return {
    ...inherited,
    LOG_FORMAT: 'text',
    DATABASE_URL: told.databaseUrl,
    REDIS_URL: told.redisUrl,
    PUBLIC_BASE_URL: told.publicBaseUrl,
    MEDIAGATE_HOME: told.homePath,
    MEDIAGATE_CONFIG: told.configFile,
    MEDIAGATE_KEY_PEPPER: told.keyPepper,
    MEDIAGATE_LINK_SECRET: told.linkSecret,
    HEALTH_PORT: String(ports.healthPort),
    ...(ports.port === undefined ? {} : { PORT: String(ports.port) }),
    ...SIMULATOR_KEYS,
    SIMULATOR_URL: told.simulatorUrl,
    DEMO_CALLBACK_ORIGIN: told.callbackOrigin,
  };
}

/** What the simulator takes as its vendors' keys: public, and good for nothing else. */
const SIMULATOR_KEYS = {
  SIM_OPENAI_KEY: 'sim-openai-key',
  SIM_GEMINI_KEY: 'sim-gemini-key',
  SIM_ARK_KEY: 'sim-ark-key',
};
