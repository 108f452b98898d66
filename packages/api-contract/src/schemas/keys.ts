import {
  FAMILIES,
  type JsonObject,
  KEY_MAX_COUNT,
  KEY_MAX_MODELS,
  KEY_MAX_QUOTA,
  KEY_NAME_MAX_CHARACTERS,
  KEY_SCOPES,
} from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { anyWord, boolean, integer, listOf, number, object, oneOf, string, unixSeconds } from './build';

const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema['type'] as string, 'null'] });

const count = { type: 'integer', minimum: 1, maximum: KEY_MAX_COUNT };

/** Fields of a key that a request may set. Null lifts a limit; an absent field keeps its value, or on a new key has the default. */
export const KEY_FIELDS: Readonly<Record<string, JsonSchema>> = {
  'name?': { type: 'string', maxLength: KEY_NAME_MAX_CHARACTERS },
  'quota?': {
    type: ['number', 'null'],
    minimum: 0,
    maximum: KEY_MAX_QUOTA,
    description: 'The most that the key may spend in all, in currency units; null: no limit of its own.',
  },
  'families?': {
    type: ['array', 'null'],
    items: oneOf(FAMILIES),
    description: 'What it may use; null or empty: all that the key may use that makes it.',
  },
  'models?': {
    type: ['array', 'null'],
    items: { type: 'string' },
    maxItems: KEY_MAX_MODELS,
    description: 'Models by id or alias; null or empty: as for `families`.',
  },
  'submit_per_minute?': { ...count, description: 'Submissions a minute; 300 unless it says so.' },
  'query_per_minute?': { ...count, description: 'Other requests a minute; 3000 unless it says so.' },
  'max_concurrent?': {
    ...count,
    type: ['integer', 'null'],
    description: 'Tasks of one family that run at once; null: no limit of its own.',
  },
  'scope?': oneOf(
    KEY_SCOPES,
    'What it sees: `own`, what it made itself and what its own keys made, or `account`, all of the account. A new key: `account`; one that another key makes: `own`, and `account` only where its maker has that.',
  ),
  'expires_at?': { type: ['integer', 'null'], description: 'In Unix seconds, in the future; null: it does not end.' },
};

export const KEY_MODES = ['live', 'test'] as const;

export const NEW_KEY_FIELDS: Readonly<Record<string, JsonSchema>> = {
  ...KEY_FIELDS,
  'mode?': {
    ...oneOf(
      KEY_MODES,
      '`test`: its tasks are free and made by a simulator, for good; those of a test key always are.',
    ),
    default: 'live',
  },
};

export const KEY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ApiKey: object(
    {
      id: string('The 12 characters after `mg_`.'),
      'key?': string('The key itself: only in the answer that makes it.'),
      'account_id?': string('In answers to operators.'),
      name: string(),
      mode: oneOf(KEY_MODES, '`test`: its tasks are free and made by a simulator.'),
      last_four: string('The end of the key.'),
      quota: orNull(number('Currency units that it may spend in all; null: no limit.')),
      quota_used: number('Currency units that it, with the keys that it made, has spent and reserved.'),
      quota_left: orNull(
        number(
          'Currency units that are left of its quota, or of that of the key that made it, if these are fewer; null: no limit.',
        ),
      ),
      families: listOf(anyWord(FAMILIES), 'Empty: all.'),
      models: listOf(string(), 'Empty: all.'),
      submit_per_minute: integer(),
      query_per_minute: integer(),
      max_concurrent: orNull(integer('Tasks of one family that run at once; null: no limit.')),
      manage: boolean('It has the right `manage`.'),
      scope: anyWord(
        KEY_SCOPES,
        '`own`: it sees what it made itself and what its own keys made; `account`: all of the account.',
      ),
      made_by: orNull(string('Id of the key that made it; null: the operator did.')),
      created: unixSeconds('When it was made'),
      expires_at: orNull(unixSeconds('When it ends; null: it does not')),
      last_used_at: orNull(unixSeconds('When it was last used, give or take a minute; null: not yet')),
      revoked_at: orNull(unixSeconds('When it was revoked; null: it was not')),
    },
    'Includes the limits of the key that made it, where those are stricter.',
  ),
};

export const KEY_EXAMPLE: JsonObject = {
  id: '8h2k4m6n0pqr',
  name: 'website',
  mode: 'live',
  last_four: '9f3a',
  quota: 25,
  quota_used: 7.6,
  quota_left: 17.4,
  families: ['image'],
  models: [],
  submit_per_minute: 300,
  query_per_minute: 3000,
  max_concurrent: null,
  manage: false,
  scope: 'own',
  made_by: '3v5x7z9a1bcd',
  created: 1_790_000_000,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
};
