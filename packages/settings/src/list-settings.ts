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

/** The file's sections beside channels and prices, with their defaults. What operators have `set` counts before the file. */
export function listSections(written: JsonObject, { set, env }: { set: JsonObject; env: Env }): ListedSetting[] {
  return listFields(SECTIONS, written, { set, env, path: '' });
}

/** A channel. What operators have `set` over it counts before the file. */
export function listChannelFields(source: JsonObject, { set, env }: { set: JsonObject; env: Env }): ListedSetting[] {
  const { id: _id, ...fields } = CHANNEL;
  return listFields(fields, source, { set, env, path: '' });
}

interface Listing {
  /** In place of what is written. */
  set: JsonObject;
  env: Env;
  path: string;
}

function listFields(
  fields: Record<string, JsonObject>,
  written: JsonObject,
  { set, env, path }: Listing,
): ListedSetting[] {
  return Object.entries(fields).flatMap(([key, schema]) => {
    const name = joinField(path, key);
    const [ofOperators, ofFile] = [set[key] ?? undefined, written[key] ?? undefined];
    if (isSection(schema)) {
      return listFields(fieldsOf(schema), mapOf(ofFile), { set: mapOf(ofOperators), env, path: name });
    }
    const origin = ofOperators !== undefined ? 'database' : ofFile !== undefined ? 'file' : 'default';
    return [listField(name, schema, { given: ofOperators ?? ofFile, origin, env })];
  });
}

function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

interface Given {
  given: Json | undefined;
  origin: ListedSetting['origin'];
  env: Env;
}

function listField(name: string, schema: JsonObject, { given, origin, env }: Given): ListedSetting {
  const secret = isSecret(schema);
  const value = given ?? schema['default'] ?? null;
  return {
    name,
    about: String(schema['description'] ?? ''),
    value: secret ? null : value,
    secret,
    is_set: secret ? isSecretSet(given, { env }) : value !== null,
    origin,
  };
}

function fieldsOf(schema: JsonObject): Record<string, JsonObject> {
  return schema['properties'] as Record<string, JsonObject>;
}

/** A map whose names are known; `models` and `options` are values. */
function isSection({ properties, additionalProperties }: JsonObject): boolean {
  return properties !== undefined && additionalProperties === false;
}
