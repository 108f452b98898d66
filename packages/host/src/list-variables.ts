import { type Config, FILE, type Settings } from './config';
import { redactValue } from './log/redact';

/** One environment variable as an operator sees it. */
export interface ListedVariable {
  name: string;
  about: string;
  /** Null: there is none, or it is a secret. */
  value: string | number | boolean | string[] | null;
  secret: boolean;
  is_set: boolean;
  origin: 'default' | 'environment';
}

/** The variables of a process with their values; a secret only shows whether it is set. */
export function listVariables<S extends Settings>(
  settings: S,
  config: Config<S>,
  env: NodeJS.ProcessEnv = process.env,
): ListedVariable[] {
  return Object.entries(settings).map(([name, { about, secret = false }]) => {
    const value = config[name];
    return {
      name,
      about,
      value: secret || value === undefined ? null : (redactValue(value, name) as ListedVariable['value']),
      secret,
      is_set: value !== undefined,
      origin: isBlank(env[name]) && !(secret && !isBlank(env[`${name}${FILE}`])) ? 'default' : 'environment',
    };
  });
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}
