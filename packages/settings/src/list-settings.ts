import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { joinField } from './document';
import { isSecretSet, type SecretSources } from './references';
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
  /** There is a value; for a secret: this process has it. */
  is_set: boolean;
  origin: 'default' | 'file' | 'database';
}

const {
  channels: CHANNELS = {},
  models: _models,
  prices: _prices,
  ...SECTIONS
} = fieldsOf(settingsSchema({ protocols: new Set(), models: new Set() }));
const CHANNEL = fieldsOf(CHANNELS['items'] as JsonObject);

interface ListOptions {
  /** By operators. */
  set: JsonObject;
  secrets: SecretSources;
}

/** The file's sections beside channels and prices, with their defaults. What operators have `set` counts before the file. */
export function listSections(written: JsonObject, { set, secrets }: ListOptions): ListedSetting[] {
  return listFields(SECTIONS, written, { set, secrets, path: '' });
}

/** A channel. What operators have `set` over it counts before the file. */
export function listChannelFields(source: JsonObject, { set, secrets }: ListOptions): ListedSetting[] {
  const { id: _id, ...fields } = CHANNEL;
  return listFields(fields, source, { set, secrets, path: '' });
}

interface Listing {
  /** In place of what is written. */
  set: JsonObject;
  secrets: SecretSources;
  path: string;
}

function listFields(
  fields: Record<string, JsonObject>,
  written: JsonObject,
  { set, secrets, path }: Listing,
): ListedSetting[] {
  return Object.entries(fields).flatMap(([key, schema]) => {
    const name = joinField(path, key);
    const [ofOperators, ofFile] = [set[key] ?? undefined, written[key] ?? undefined];
    if (isSection(schema)) {
      return listFields(fieldsOf(schema), mapOf(ofFile), { set: mapOf(ofOperators), secrets, path: name });
    }
    const origin = ofOperators !== undefined ? 'database' : ofFile !== undefined ? 'file' : 'default';
    return [listField(name, schema, { given: ofOperators ?? ofFile, origin, secrets })];
  });
}

function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

interface Given {
  given: Json | undefined;
  origin: ListedSetting['origin'];
  secrets: SecretSources;
}

function listField(name: string, schema: JsonObject, { given, origin, secrets }: Given): ListedSetting {
  const secret = isSecret(schema);
  const value = given ?? schema['default'] ?? null;
  return {
    name,
    about: String(schema['description'] ?? ''),
    value: secret ? null : value,
    secret,
    is_set: secret ? isSecretSet(given, secrets) : value !== null,
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
