import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { joinField } from './document';
import { type Env, isSecretSet } from './references';
import { isSecret } from './schema-parts';
import { settingsSchema } from './settings-schema';

/** One setting of the file as an operator sees it. */
export interface ListedSetting {
  /** As the file names it: `webhooks.timeout_seconds`. */
  name: string;
  about: string;
  /** As it is written, references to variables unresolved; null: there is none, or it is a secret. */
  value: Json;
  secret: boolean;
  /** Of a secret: whether the environment of this process has it. */
  is_set: boolean;
  origin: 'default' | 'file' | 'database';
}

const {
  channels: CHANNELS = {},
  prices: _prices,
  ...SECTIONS
} = fieldsOf(settingsSchema({ protocols: new Set(), models: new Set() }));
const CHANNEL = fieldsOf(CHANNELS['items'] as JsonObject);

/** The file's sections beside channels and prices, with their defaults. */
export function listSections(written: JsonObject, env: Env): ListedSetting[] {
  return listFields(SECTIONS, written, { env, path: '' });
}

/** A channel of the file. What operators have `set` over it counts before the file. */
export function listChannelFields(source: JsonObject, { set, env }: { set: JsonObject; env: Env }): ListedSetting[] {
  const { id: _id, ...fields } = CHANNEL;
  return listFields(fields, source, { env, path: '' }).map((field) => {
    const value = set[field.name];
    return value === undefined ? field : { ...field, value, is_set: true, origin: 'database' };
  });
}

function listFields(
  fields: Record<string, JsonObject>,
  written: JsonObject,
  { env, path }: { env: Env; path: string },
): ListedSetting[] {
  return Object.entries(fields).flatMap(([key, schema]) => {
    const [name, given] = [joinField(path, key), written[key] ?? undefined];
    if (isSection(schema)) {
      const inner = isJsonObject(given) ? given : {};
      return listFields(fieldsOf(schema), inner, { env, path: name });
    }
    return [listField(name, schema, { given, env })];
  });
}

function listField(
  name: string,
  schema: JsonObject,
  { given, env }: { given: Json | undefined; env: Env },
): ListedSetting {
  const secret = isSecret(schema);
  const value = given ?? schema['default'] ?? null;
  return {
    name,
    about: String(schema['description'] ?? ''),
    value: secret ? null : value,
    secret,
    is_set: secret ? isSecretSet(given, env) : value !== null,
    origin: given === undefined ? 'default' : 'file',
  };
}

function fieldsOf(schema: JsonObject): Record<string, JsonObject> {
  return schema['properties'] as Record<string, JsonObject>;
}

/** A map whose names are known; `models` and `options` are values. */
function isSection({ properties, additionalProperties }: JsonObject): boolean {
  return properties !== undefined && additionalProperties === false;
}
