import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';

/** One environment variable of a service. `about` is its line in `.env.example`. */
export interface Setting {
  /** `url` is of any scheme, `http` one of HTTP. */
  type: 'string' | 'integer' | 'port' | 'url' | 'http' | 'boolean' | 'list' | 'hosts' | 'origins';
  about: string;
  /** Absent: the variable is required. `null`: may be missing and reads as undefined. */
  default?: string | number | boolean | readonly string[] | null;
  secret?: boolean;
  min?: number;
  max?: number;
  /** The values a string may have. */
  oneOf?: readonly string[];
  /** `*` may stand among origins, for all. */
  takesAll?: true;
}

export type Settings = Record<string, Setting>;

interface TypeOf {
  string: string;
  url: string;
  http: string;
  integer: number;
  port: number;
  boolean: boolean;
  list: readonly string[];
  hosts: readonly string[];
  origins: readonly string[];
}

export type Config<S extends Settings> = {
  readonly [Name in keyof S]: ValueOf<S[Name]> | Missing<S[Name]>;
};

type ValueOf<S extends Setting> = S extends { oneOf: readonly (infer Choice)[] } ? Choice : TypeOf[S['type']];

/** Undefined may come wherever the type does not rule out the default `null`. */
type Missing<S extends Setting> = 'default' extends keyof S ? (null extends S['default'] ? undefined : never) : never;

/** Ends the name of the variable that names a secret's file. */
export const FILE = '_FILE';

export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the environment does not fit:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads a service's settings from the environment into a frozen, typed object. An empty variable counts as absent. A secret may
 * stand in a file, which a variable of its name and `_FILE` names.
 *
 * @throws ConfigError naming every fault at once.
 */
export function loadConfig<const S extends Settings>(settings: S, env: NodeJS.ProcessEnv = process.env): Config<S> {
  const faults: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const text = setting.secret ? secretText(name, env) : env[name]?.trim();
    if (text instanceof Error) {
      faults.push(`${name}${FILE} ${text.message}: ${setting.about}`);
      continue;
    }
    if (text === undefined || text === '') {
      if (setting.default === undefined) faults.push(`${name} is missing: ${setting.about}`);
      config[name] = setting.default ?? undefined;
      continue;
    }
    const value = parse(text, setting);
    if (value instanceof Error) faults.push(`${name} ${value.message}: ${setting.about}`);
    else config[name] = value;
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config) as Config<S>;
}

function secretText(name: string, env: NodeJS.ProcessEnv): string | undefined | Error {
  const text = env[name]?.trim();
  const path = env[`${name}${FILE}`]?.trim();
  if (!path) return text;
  if (text) return new Error(`and ${name} are both set, where one may be`);
  try {
    return readFileSync(path, 'utf8').trim() || emptyFile(path);
  } catch (error) {
    return unreadableFile(path, error);
  }
}

/** Reads the file of a secret again; undefined: the environment names none. @throws ConfigError where `loadConfig` would. */
export async function rereadSecret(name: string, env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const path = env[`${name}${FILE}`]?.trim();
  if (!path) return undefined;
  const text = await readFile(path, 'utf8').then(
    (content) => content.trim() || emptyFile(path),
    (error: unknown) => unreadableFile(path, error),
  );
  if (text instanceof Error) throw new ConfigError([`${name}${FILE} ${text.message}`]);
  return text;
}

function emptyFile(path: string): Error {
  return new Error(`names ${path}, which is empty`);
}

function unreadableFile(path: string, error: unknown): Error {
  return new Error(`names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
}

function parse(text: string, setting: Setting): unknown {
  switch (setting.type) {
    case 'string':
      if (setting.oneOf === undefined || setting.oneOf.includes(text)) return text;
      return new Error(`is none of ${setting.oneOf.join(', ')}`);
    case 'list':
      return Object.freeze(partsOf(text));
    case 'hosts':
      return readHosts(partsOf(text));
    case 'origins':
      return readOrigins(partsOf(text), setting);
    case 'url':
      return readUrl(text) ?? new Error('is not a URL');
    case 'http':
      // Without its scheme `localhost:8080` is a URL, too, of a scheme `localhost`.
      return isHttp(URL.parse(text)) ? text : new Error('is not a URL that begins with http:// or https://');
    case 'boolean':
      if (text === '1' || text === 'true') return true;
      return text === '0' || text === 'false' ? false : new Error('is neither 1 nor 0');
    case 'port':
      return parseInteger(text, 0, 65_535);
    case 'integer':
      return parseInteger(text, setting.min ?? 0, setting.max ?? Number.MAX_SAFE_INTEGER);
    default:
      return setting.type satisfies never;
  }
}

/**
 * Names the host in the URL of a socket with a login, as `postgresql://user@/name?host=/run/postgresql`: `URL` reads none that lacks one,
 * and PostgreSQL's and Redis' drivers go by the socket where both stand.
 */
function readUrl(text: string): string | undefined {
  const url = text.replace(/^((?:postgres(?:ql)?|unix):\/\/[^/?#]*@)(?=\/)/, '$1localhost');
  return URL.canParse(url) ? url : undefined;
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const isHttp = (url: URL | null): boolean => url !== null && /^https?:$/.test(url.protocol);

/** A name or an address alone, in any spelling. A port is dropped, because a host is meant at each of its ports. */
function readHosts(parts: readonly string[]): readonly string[] | Error {
  const hosts: string[] = [];
  for (const part of parts) {
    const bracketed = isIPv6(part) ? `[${part}]` : part;
    const host = URL.parse(`http://${bracketed}`)?.hostname ?? '';
    if (host === '' || /[*/?#@\\]/.test(part))
      return new Error(`has ${part}, which is no host, as ${likeHost(part)} is`);
    hosts.push(host);
  }
  return Object.freeze(hosts);
}

/** The host that was meant, or any. */
function likeHost(part: string): string {
  const url = URL.parse(part.includes('://') ? part : `http://${part}`);
  const host = url?.hostname.replace(/^\*\./, '') ?? '';
  return host === '' || host.includes('*') ? 'gateway.example' : host;
}

function readOrigins(parts: readonly string[], { takesAll }: Setting): readonly string[] | Error {
  const origins: string[] = [];
  for (const part of parts) {
    const url = URL.parse(part);
    if (takesAll && part === '*') origins.push(part);
    else if (url !== null && isHttp(url)) origins.push(url.origin);
    else
      return new Error(
        `has ${part}, which is no origin, as http://${URL.parse(`http://${part}`)?.host ?? 'host:port'} is`,
      );
  }
  return Object.freeze(origins);
}

function parseInteger(text: string, min: number, max: number): number | Error {
  const value = Number(text);
  const fits = /^-?\d+$/.test(text) && value >= min && value <= max;
  return fits ? value : new Error(`is not a whole number from ${min} to ${max}`);
}

/** The resolved settings for the start-up line of the log, without secrets. */
export function visibleSettings(settings: Settings, config: Record<string, unknown>): Record<string, string> {
  const visible: Record<string, string> = {};
  for (const [name, setting] of Object.entries(settings)) {
    if (!setting.secret && config[name] !== undefined) visible[name] = String(config[name]);
  }
  return visible;
}
