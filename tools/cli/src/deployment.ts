import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import type { Config } from '@mediagate/host';
import type { cliSettings } from './config';
import { Refusal } from './refusal';

/** The same from `src` and from `dist`. */
const CHECKOUT = join(__dirname, '../../..');
const RUN_FILE = 'run.json';
const SECRETS_FILE = 'secrets.json';
const SIMULATOR_CONFIG = join(CHECKOUT, 'deploy/config/simulator.yaml');

/** Where the deployment that a command is about keeps its parts. Each throws Refusal, saying what to set. */
export interface Deployment {
  databaseUrl(): string;
  /** Whether `databaseUrl` has anything to return. */
  knowsDatabase(): boolean;
  /** Undefined: nothing is enqueued, and the reconciler finds what is due. */
  redisUrl(): string | undefined;
  pepper(): string;
  /** The folder below which the filesystem driver keeps files. */
  home(): string;
  /** Under which the database keeps keys of vendors; undefined: there is none. */
  sealing(): Pick<Config<typeof cliSettings>, 'MEDIAGATE_SEALING_SECRET' | 'MEDIAGATE_PREVIOUS_SEALING_SECRET'>;
  /** Where callers reach the API; empty where nothing says it. */
  publicUrl(): string;
  /** Where browsers reach the console; empty where nothing says it, so that links are paths. */
  consoleUrl(): string;
  /** The configuration file and the variables that it may name. */
  configuration(): Configuration;
}

interface Configuration {
  path: string;
  /** By the command line: it may be one that is not in force yet. */
  isNamed: boolean;
  env: Env;
  /** Beside public ones, that channels may lead to which operators set. */
  allowOrigins: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The environment first, then what `npm start` wrote to MEDIAGATE_HOME. Those files belong to one database: with another
 * in DATABASE_URL their Redis and their secrets do not count, because a key made with the wrong pepper opens nothing.
 *
 * @param configFile the one that the command line names, before all.
 */
export function findDeployment(config: Config<typeof cliSettings>, env: Env, configFile?: string): Deployment {
  const home = config.MEDIAGATE_HOME === undefined ? join(CHECKOUT, '.mediagate') : resolve(config.MEDIAGATE_HOME);
  const runFile = join(home, RUN_FILE);
  const run = () => readObject(runFile);
  const isOther = (started: JsonObject | undefined) =>
    config.DATABASE_URL !== undefined &&
    started !== undefined &&
    textOf(started, 'databaseUrl') !== config.DATABASE_URL;
  const ownRun = () => {
    const started = run();
    return isOther(started) ? undefined : started;
  };
  const ofStart = (field: string) => textOf(ownRun(), field);
  const databaseUrl = () => config.DATABASE_URL ?? textOf(run(), 'databaseUrl');
  return {
    knowsDatabase: () => databaseUrl() !== undefined,
    databaseUrl() {
      const url = databaseUrl();
      if (url === undefined) {
        throw new Refusal(
          `no database: set DATABASE_URL, or run \`npm start\`, which writes ${runFile} once it is ready`,
        );
      }
      return url;
    },
    redisUrl: () => config.REDIS_URL ?? ofStart('redisUrl'),
    home: () => home,
    publicUrl: () => (config.PUBLIC_BASE_URL ?? ofStart('baseUrl') ?? '').replace(/\/+$/, ''),
    consoleUrl: () => (config.CONSOLE_PUBLIC_URL ?? ofStart('consoleUrl') ?? '').replace(/\/+$/, ''),
    pepper() {
      if (config.MEDIAGATE_KEY_PEPPER !== undefined) return config.MEDIAGATE_KEY_PEPPER;
      if (!isOther(run())) return pepperIn(home);
      throw new Refusal(
        `DATABASE_URL is not the database of ${runFile}, so its secrets do not fit: set MEDIAGATE_KEY_PEPPER`,
      );
    },
    sealing: () => sealingOf(config, isOther(run()) ? undefined : readObject(join(home, SECRETS_FILE))),
    configuration: () => configurationOf(ownRun(), { config, env, configFile }),
  };
}

function sealingOf(config: Config<typeof cliSettings>, kept: JsonObject | undefined) {
  const { MEDIAGATE_SEALING_SECRET: given, MEDIAGATE_PREVIOUS_SEALING_SECRET: former } = config;
  return {
    MEDIAGATE_SEALING_SECRET: given ?? textOf(kept, 'sealingSecret'),
    MEDIAGATE_PREVIOUS_SEALING_SECRET:
      former ?? (given === undefined ? textOf(kept, 'previousSealingSecret') : undefined),
  };
}

function pepperIn(home: string): string {
  const pepper = textOf(readObject(join(home, SECRETS_FILE)), 'keyPepper');
  if (pepper !== undefined) return pepper;
  throw new Refusal(
    `no pepper for API keys: set MEDIAGATE_KEY_PEPPER as for the API, or run \`npm start\`, which writes ${home}/${SECRETS_FILE}`,
  );
}

interface Named {
  config: Config<typeof cliSettings>;
  env: Env;
  /** By the command line. */
  configFile: string | undefined;
}

/** The configuration file that is named, else that of `npm start`, else its default. */
function configurationOf(started: JsonObject | undefined, { config, env, configFile }: Named): Configuration {
  const ofStart = textOf(started, 'configFile') ?? SIMULATOR_CONFIG;
  const path = resolve(configFile ?? config.MEDIAGATE_CONFIG ?? ofStart);
  const simulator = textOf(started, 'simulatorUrl');
  const allowOrigins = [...config.CHANNEL_ALLOW_ORIGINS, ...(simulator === undefined ? [] : [simulator])];
  const isOther = path !== SIMULATOR_CONFIG && path !== ofStart;
  // The services of `npm start` have these for whatever file, such as a copy of its own.
  const all = isOther && started === undefined ? env : { ...simulatorVariables(simulator), ...env };
  return { path, env: all, isNamed: configFile !== undefined, allowOrigins };
}

/** Variables of the configuration file that `npm start` gives the services. */
function simulatorVariables(simulatorUrl = 'http://127.0.0.1:9900'): Env {
  const keys = readFileSync(SIMULATOR_CONFIG, 'utf8').matchAll(/\$\{(SIM_([A-Z]+)_(KEY|KEY_PAIR))\}/g);
  return {
    ...Object.fromEntries([...keys].map(([, name = '', vendor = '', kind]) => [name, keyOf(vendor, kind)])),
    SIMULATOR_URL: simulatorUrl,
    DEMO_CALLBACK_ORIGIN: 'http://127.0.0.1',
  };
}

/** Keys of the simulator are public, and good for nothing else. */
function keyOf(variable: string, kind: string | undefined): string {
  const vendor = `sim-${variable.toLowerCase()}`;
  return kind === 'KEY' ? `${vendor}-key` : `${vendor}-access-key:${vendor}-secret-key`;
}

function readObject(file: string): JsonObject | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Refusal(`${file} cannot be read (${code})`);
  }
  try {
    const content: unknown = JSON.parse(text);
    if (isJsonObject(content)) return content;
  } catch {
    // Reported below, without what the file holds.
  }
  throw new Refusal(`${file} is damaged: it does not hold a JSON object`);
}

function textOf(content: JsonObject | undefined, name: string): string | undefined {
  const value = content?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
