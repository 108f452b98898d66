import { isJsonObject, type Json } from '@mediagate/contracts';
import { joinField } from './document';
import type { Faults } from './faults';
import { readSecretFile } from './secret-file';
import { storageSecrets } from './storage-drivers';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** A variable, a file by its absolute path, or a secret of the database by its name. */
const WHOLE_REFERENCE = /^\$\{(?:(?<kind>file|secret):)?(?<name>[^}]+)\}$/;

export type Env = Readonly<Record<string, string | undefined>>;

/** Where the secrets are that a file names. */
export interface SecretSources {
  env: Env;
  /** Gets a secret of the database by name; absent: the database was not asked yet, and nothing is a fault of the file. */
  ofDatabase?: ((name: string) => string | undefined) | undefined;
}

/** Fields that hold nothing but a reference, which is looked up only where a process uses the secret. */
const SECRET_FIELD = new RegExp(`^(?:channels\\[\\d+\\]\\.api_key|storage\\.(?:${storageSecrets().join('|')}))$`);
/** JSON that is not the gateway's own: nothing in it is a reference, as `${` in a pattern is none. */
const VERBATIM_FIELD = /^models\[\d+\]\.(?:input|examples)$/;
/** Within these a value that is empty is a value; everywhere else it is an absent one. */
const FREE_FIELD = /^channels\[\d+\]\.options/;

/** The values of a file with the `${NAME}` references in their texts resolved, and without empty fields. */
export function resolveReferences(value: Json, env: Env, faults: Faults): Json {
  function resolve(given: Json, field: string): Json {
    if (VERBATIM_FIELD.test(field)) return given;
    if (Array.isArray(given)) return given.map((item, index) => resolve(item, `${field}[${index}]`));
    if (isJsonObject(given)) {
      const entries = Object.entries(given).filter(([, child]) => child !== null || FREE_FIELD.test(field));
      return Object.fromEntries(entries.map(([key, child]) => [key, resolve(child as Json, joinField(field, key))]));
    }
    if (typeof given !== 'string' || SECRET_FIELD.test(field)) return given;
    if (given === '' && FREE_FIELD.test(field)) return given;
    return resolveText(given, env, (message) => faults.add(field, message));
  }
  return resolve(value, '');
}

const SIGNING_PREFIX = 'signing.';

/** Whether results are signed by the secret of this name: no channel is given it, for it would send it to its vendor. */
export function isOfSigning(name: string): boolean {
  return name.startsWith(SIGNING_PREFIX);
}

/** Why a channel's key must not be the secret of this name; undefined: it may. */
export function storedSecretProblem(name: string): string | undefined {
  if (!isOfSigning(name)) return undefined;
  return `names ${name}: secrets of ${SIGNING_PREFIX} sign results, and no channel is given one: keep the key under another name`;
}

/** The fault of a secret's reference; undefined: there is none, or it is no reference, which the schema reports. */
export function secretProblem(reference: unknown, sources: SecretSources): string | undefined {
  const { kind, name } = partsOf(reference);
  const refused = kind === 'secret' && name !== undefined ? storedSecretProblem(name) : undefined;
  if (refused !== undefined) return refused;
  if (name === undefined || resolveSecret(reference, sources) !== '') return undefined;
  if (kind === 'env') return notSet(name);
  if (kind === 'file') return `the file ${name} cannot be read, is empty, or is no regular file of at most 64 KiB`;
  if (sources.ofDatabase === undefined) return undefined;
  return `there is no secret ${name} that this process can open: npx mediagate secret set ${name}`;
}

export function isSecretSet(reference: unknown, sources: SecretSources): boolean {
  return resolveSecret(reference, sources) !== '';
}

/** The value of a secret, trimmed; empty where there is none. */
export function resolveSecret(reference: unknown, { env, ofDatabase }: SecretSources): string {
  const { kind, name } = partsOf(reference);
  if (name === undefined) return '';
  if (kind === 'env') return env[name]?.trim() ?? '';
  return (kind === 'file' ? readSecretFile(name) : ofDatabase?.(name)?.trim()) ?? '';
}

/** The path of a secret that a file holds; undefined: it is elsewhere. */
export function secretFileOf(reference: unknown): string | undefined {
  const { kind, name } = partsOf(reference);
  return kind === 'file' ? name : undefined;
}

/** The name of a secret that the database holds; undefined: it is elsewhere. */
export function storedSecretOf(reference: unknown): string | undefined {
  const { kind, name } = partsOf(reference);
  return kind === 'secret' ? name : undefined;
}

function partsOf(reference: unknown): { kind: string; name: string | undefined } {
  const groups = typeof reference === 'string' ? WHOLE_REFERENCE.exec(reference)?.groups : undefined;
  return { kind: groups?.['kind'] ?? 'env', name: groups?.['name'] };
}

function notSet(name: string): string {
  return `the environment variable ${name} is not set: export ${name}=...`;
}

function resolveText(text: string, env: Env, addFault: (message: string) => void): string {
  const missing = new Set<string>();
  const resolved = text.replace(REFERENCE, (_, name: string) => {
    const value = env[name];
    if (!value) missing.add(name);
    return value ?? '';
  });
  for (const name of missing) addFault(notSet(name));
  if (text.replace(REFERENCE, '').includes('${')) {
    addFault(`only \${NAME} is understood, without a default or an operator`);
  }
  if (text.trim() === '') addFault('must not be blank');
  return missing.size > 0 ? '' : resolved;
}
