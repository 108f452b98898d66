import { KEY_MODES } from '@mediagate/api-contract';
import {
  decimalToNano,
  FAMILIES,
  KEY_MAX_COUNT,
  KEY_MAX_MODELS,
  KEY_MAX_QUOTA,
  KEY_NAME_MAX_CHARACTERS,
  KEY_SCOPES,
  type Nano,
} from '@mediagate/contracts';
import type { KeySettings } from '@mediagate/database';
import type { NamedModels } from '../../operators';
import type { BodyFields } from './body-fields';

const COUNT = { min: 1, max: KEY_MAX_COUNT };
const MAX_EXPIRY_SECONDS = 253_402_300_799;

/** Reads the settings of a key from a body, except `manage`; null lifts a limit. */
export function readKeySettings(fields: BodyFields, models: NamedModels): KeySettings {
  const settings = {
    name: fields.text('name', { maxCharacters: KEY_NAME_MAX_CHARACTERS }),
    quotaNano: fields.orNull('quota', (field) => toNano(fields.number(field, { min: 0, max: KEY_MAX_QUOTA }))),
    families: readFamilies(fields),
    models: readModels(fields, models),
    submitPerMinute: fields.integer('submit_per_minute', COUNT),
    queryPerMinute: fields.integer('query_per_minute', COUNT),
    maxConcurrent: fields.orNull('max_concurrent', (field) => fields.integer(field, COUNT)),
    scope: fields.oneOf('scope', KEY_SCOPES),
    expiresAt: fields.orNull('expires_at', (field) => readTime(fields, field)),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Reads whether a key that is to be made is a test key. */
export function readIsTest(fields: BodyFields): boolean {
  return fields.oneOf('mode', KEY_MODES) === 'test';
}

function toNano(units: number | undefined): Nano | undefined {
  return units === undefined ? undefined : decimalToNano(units.toFixed(9));
}

function readFamilies(fields: BodyFields) {
  const find = (name: string) => FAMILIES.find((family) => family === name);
  return fields.list('families', find, 'must_be_one_of', { values: FAMILIES.join(', ') });
}

function readModels(fields: BodyFields, models: NamedModels) {
  const ids = fields.list('models', (name) => models.find(name)?.entry.id, 'must_be_model', { path: 'GET /models' });
  if (ids !== undefined && ids.length > KEY_MAX_MODELS) {
    fields.refuse('invalid_parameter', 'models', 'too_many_items', { limit: KEY_MAX_MODELS });
  }
  return ids;
}

function readTime(fields: BodyFields, field: string): Date | undefined {
  const now = Math.floor(Date.now() / 1000);
  const seconds = fields.integer(field, { min: now + 1, max: MAX_EXPIRY_SECONDS });
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}
