import type { JsonObject } from '@mediagate/contracts';
import type { Operation } from '../operation';

/** Descriptions of the parameters in paths, by name. */
const IN_PATHS: Readonly<Record<string, string>> = {
  extension: 'Part of the file’s link.',
  file: 'The file’s id.',
  id: 'The task’s id.',
  account_id: 'The account’s id.',
  task_id: 'The task’s id.',
  key_id: 'The key’s id: the 12 characters after `mg_`.',
  attempt_id: 'The attempt’s id.',
  channel_id: 'The channel’s id.',
  delivery_id: 'The callback’s id.',
  user_id: 'The user’s id.',
  model: 'Id or alias of a model.',
  name: 'Part of the file’s link.',
  target_id: 'The target’s id.',
  token: 'The token that the vendor got with the callback’s address.',
  script: 'Name of the script as the page has it; it changes with the script.',
};

const REQUEST_ID = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'Your own name for the request: up to 128 letters, digits and `_ . : -`.',
  schema: { type: 'string' },
};

export function describeParameters({ path, parameters = [] }: Operation): JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: IN_PATHS[name] ?? '',
    schema: { type: 'string', minLength: 1 },
  }));
  return [...inPath, ...parameters.map((parameter) => ({ ...parameter })), REQUEST_ID];
}
