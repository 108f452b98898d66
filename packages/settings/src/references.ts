import { isJsonObject, type Json } from '@mediagate/contracts';
import { joinField } from './document';
import type { Faults } from './faults';
import { storageSecrets } from './storage-drivers';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const WHOLE_REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

export type Env = Readonly<Record<string, string | undefined>>;

/** Fields that hold nothing but a reference, which is looked up only where a process uses the secret. */
const SECRET_FIELD = new RegExp(`^(?:channels\\[\\d+\\]\\.api_key|storage\\.(?:${storageSecrets().join('|')}))$`);
/** Within these a value that is empty is a value; everywhere else it is an absent one. */
const FREE_FIELD = /^channels\[\d+\]\.options/;

/** The values of a file with the `${NAME}` references in their texts resolved, and without empty fields. */
export function resolveReferences(value: Json, env: Env, faults: Faults): Json {
  function resolve(given: Json, field: string): Json {
    if (Array.isArray(given)) return given.map((item, index) => resolve(item, `${field}[${index}]`));
    if (isJsonObject(given)) {
      const entries = Object.entries(given).filter(([, child]) => child !== null || FREE_FIELD.test(field));
      return Object.fromEntries(entries.map(([key, child]) => [key, resolve(child as Json, joinField(field, key))]));
    }
    if (typeof given !== 'string' || SECRET_FIELD.test(field)) return given;
    return resolveText(given, env, (message) => faults.add(field, message));
  }
  return resolve(value, '');
}

/** What is wrong with a secret's reference; undefined: nothing, or it is none, which the schema says. */
export function secretProblem(reference: unknown, env: Env): string | undefined {
  const name = nameOf(reference);
  return name === undefined || env[name] ? undefined : notSet(name);
}

export function isSecretSet(reference: unknown, env: Env): boolean {
  return Boolean(resolveSecret(reference, env));
}

/** The value of a secret; empty where its variable is not set. */
export function resolveSecret(reference: unknown, env: Env): string {
  const name = nameOf(reference);
  return (name !== undefined && env[name]) || '';
}

function nameOf(reference: unknown): string | undefined {
  return typeof reference === 'string' ? WHOLE_REFERENCE.exec(reference)?.[1] : undefined;
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
