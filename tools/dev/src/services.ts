import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { simulatorKeys } from '@mediagate/testkit/servers';
import { devSettings } from './settings';

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

/** The service that stands for all others but the API, where a host has little memory. */
const SERVE = 'serve';

/** The services to start: each as a process of its own, or the API and one for all others. */
export function servicesOf(processes: 'many' | 'few'): string[] {
  if (processes === 'few') return ['api', SERVE];
  return findServices().filter((name) => name !== SERVE);
}

/** The process that does a service's work. */
export function processOf(service: string, started: readonly string[]): string {
  return started.includes(service) ? service : SERVE;
}

/** Built, or from its sources when this runs from its own. */
export function mainOf(folder: string): string {
  return join(ROOT, folder, __filename.endsWith('.ts') ? 'src/main.ts' : 'dist/main.js');
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
  previousKeyPepper: string | undefined;
  linkSecret: string;
  previousLinkSecret: string | undefined;
  sealingSecret: string;
  previousSealingSecret: string | undefined;
  /** A pair of development. */
  signing: { certificate: string; key: string };
  console: { port: number; secret: string };
  /** As few processes as there can be, each with as little memory. */
  processes: 'many' | 'few';
  /** Where the console reaches the API, and the operators' own port of it. */
  gatewayUrl: string;
  adminGatewayUrl: string | undefined;
  /** The health port of every service. */
  healthPorts: ReadonlyMap<string, number>;
}

/** Variables that services get beside the environment; each takes those that it declares. */
export function environmentOf(service: string, inputs: ServiceInputs): NodeJS.ProcessEnv {
  return {
    ...withoutReadFiles(process.env),
    LOG_FORMAT: 'text',
    // The simulated vendors are on this machine.
    CONNECT_DIRECTLY: process.env['CONNECT_DIRECTLY'] ?? '1',
    FFMPEG_PATH: inputs.ffmpegPath,
    DATABASE_URL: inputs.databaseUrl,
    REDIS_URL: inputs.redisUrl,
    PUBLIC_BASE_URL: inputs.publicBaseUrl,
    MEDIAGATE_HOME: inputs.homePath,
    MEDIAGATE_CONFIG: inputs.configFile,
    CHANNEL_ALLOW_ORIGINS: process.env['CHANNEL_ALLOW_ORIGINS'] ?? inputs.simulatorUrl,
    MEDIAGATE_KEY_PEPPER: inputs.keyPepper,
    MEDIAGATE_PREVIOUS_KEY_PEPPER: inputs.previousKeyPepper,
    MEDIAGATE_LINK_SECRET: inputs.linkSecret,
    MEDIAGATE_PREVIOUS_LINK_SECRET: inputs.previousLinkSecret,
    MEDIAGATE_SEALING_SECRET: inputs.sealingSecret,
    MEDIAGATE_PREVIOUS_SEALING_SECRET: inputs.previousSealingSecret,
    ...signingVariables(process.env, inputs),
    HEALTH_PORT: String(inputs.healthPorts.get(service)),
    CONSOLE_PORT: String(inputs.console.port),
    CONSOLE_SECRET: inputs.console.secret,
    GATEWAY_URL: inputs.gatewayUrl,
    ...(inputs.adminGatewayUrl === undefined ? {} : { ADMIN_GATEWAY_URL: inputs.adminGatewayUrl }),
    CONSOLE_HEALTH_URLS: [...inputs.healthPorts].map(([name, port]) => `${name}=http://127.0.0.1:${port}`).join(','),
    ...variablesOfConfiguration(inputs),
    ...(inputs.processes === 'few' ? sparingVariables(process.env) : { NODE_OPTIONS: withNewSpace(NEW_SPACE_MIB) }),
  };
}

/** The environment without the files of secrets that are given to services as they were read here. */
function withoutReadFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = new Set(Object.keys(devSettings).map((name) => `${name}_FILE`));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !read.has(name)));
}

/** A certificate of whoever starts this comes with its key. */
function signingVariables(env: NodeJS.ProcessEnv, { signing }: Pick<ServiceInputs, 'signing'>): NodeJS.ProcessEnv {
  const own = { MEDIAGATE_SIGNING_CERTIFICATE: signing.certificate, MEDIAGATE_SIGNING_KEY: signing.key };
  const isGiven = Object.keys(own).some((name) => (env[name] ?? env[`${name}_FILE`]) !== undefined);
  return isGiven ? {} : own;
}

const NEW_SPACE_MIB = 32;
const SPARED_NEW_SPACE_MIB = 2;

/**
 * Little memory for new objects, which costs time under load; what is freed goes back to the system; few connections, each of which is a
 * process of PostgreSQL (docs/adr/0013).
 */
function sparingVariables(env: NodeJS.ProcessEnv) {
  return {
    NODE_OPTIONS: withNewSpace(SPARED_NEW_SPACE_MIB),
    SPARE_MEMORY: env['SPARE_MEMORY'] ?? '1',
    DATABASE_POOL_SIZE: env['DATABASE_POOL_SIZE'] ?? '2',
    API_POOL_SIZE: env['API_POOL_SIZE'] ?? '4',
    // The C library's own: it keeps what one large block freed for the next one, some 25 MiB a process.
    MALLOC_ARENA_MAX: env['MALLOC_ARENA_MAX'] ?? '2',
    MALLOC_MMAP_THRESHOLD_: env['MALLOC_MMAP_THRESHOLD_'] ?? '65536',
    MALLOC_TRIM_THRESHOLD_: env['MALLOC_TRIM_THRESHOLD_'] ?? '65536',
  };
}

/** Room for new objects, in each of two halves; the engine by itself goes up to 64 MiB (docs/adr/0013). */
function withNewSpace(mib: number): string {
  return `--max-semi-space-size=${mib} ${process.env['NODE_OPTIONS'] ?? ''}`.trim();
}

/** Variables to which the shipped configuration file refers. */
export function variablesOfConfiguration({
  simulatorUrl,
  callbackOrigin,
}: Pick<ServiceInputs, 'simulatorUrl' | 'callbackOrigin'>): Record<string, string> {
  return { ...simulatorKeys(), SIMULATOR_URL: simulatorUrl, DEMO_CALLBACK_ORIGIN: callbackOrigin };
}
