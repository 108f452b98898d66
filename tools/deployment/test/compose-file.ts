import { parse } from 'yaml';
import { readText } from './checkout';

export interface ComposeService {
  image: string;
  command?: string[];
  entrypoint?: string[];
  /** Without a value: what `.env` says, or nothing. */
  environment?: Record<string, string | number | null>;
  env_file?: { path: string; required: boolean }[];
  volumes?: (string | Mount)[];
  tmpfs?: string[];
  configs?: { source: string; target: string }[];
  ports?: string[];
  networks?: string[];
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  restart?: string;
  stop_grace_period?: string;
  read_only?: boolean;
  logging?: { driver: string; options: Record<string, string> };
  deploy?: { resources: { limits: { memory: string; pids: number } } };
  container_name?: string;
  scale?: number;
}

/** A folder of the host in a container. */
interface Mount {
  type: 'bind';
  source: string;
  target: string;
  read_only?: boolean;
  bind?: { create_host_path?: boolean };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  configs: Record<string, { file?: string; content?: string }>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
}

/** Variables that Compose requires in `.env`. */
export const REQUIRED = [
  'MEDIAGATE_CONFIG_DIR',
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
  'MEDIAGATE_LINK_SECRET',
  'MEDIAGATE_KEY_PEPPER',
  'CONSOLE_SECRET',
];

/** A value for each, which shows its name. */
export const REQUIRED_VARIABLES = Object.fromEntries(REQUIRED.map((name) => [name, `the-${name.toLowerCase()}`]));

/**
 * `docker-compose.yml` as Compose reads it with these variables in `.env`: merges done, variables put in.
 *
 * @throws Error with the file's own words for a variable that is required and missing.
 */
export function readComposeFile(variables: Readonly<Record<string, string>>): ComposeFile {
  return parse(interpolate(withoutComments(readText('docker-compose.yml')), variables), { merge: true });
}

function withoutComments(text: string): string {
  return text.replace(/^\s*#.*$/gm, '');
}

/**
 * `${NAME}`, `${NAME:-default}` and `${NAME:?what is wrong}`; an empty variable counts as missing. A default may hold others:
 * the innermost are replaced first.
 */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  const replaced = text.replace(/\$\{(\w+)(?::([-?])([^${}]*))?\}/g, (_whole, name: string, kind = '-', rest = '') => {
    const value = variables[name] ?? '';
    if (value !== '') return value;
    if (kind === '?') throw new Error(`${name} ${rest}`);
    return rest;
  });
  return replaced === text ? text : interpolate(replaced, variables);
}

/** The services of Compose that run a service of ours; `name` is the role. */
export function rolesOf({ services }: ComposeFile): [name: string, service: ComposeService & { command: string[] }][] {
  return Object.entries(services).flatMap(([name, service]) => {
    const { command } = service;
    const isRole = command?.[1]?.startsWith('services/') ?? false;
    return isRole && command !== undefined ? [[name, { ...service, command }]] : [];
  });
}

/** `45s` */
export function seconds(duration: string | undefined): number {
  const [, amount] = /^(\d+)s$/.exec(duration ?? '') ?? [];
  if (amount === undefined) throw new Error(`${duration} is no number of seconds`);
  return Number(amount);
}
