import {
  KEY_FIELDS,
  KEY_MAX_COUNT,
  KEY_MAX_MODELS,
  KEY_MAX_QUOTA,
  KEY_MODES,
  KEY_NAME_MAX_CHARACTERS,
  NEW_KEY_FIELDS,
} from '@mediagate/api-contract';
import type { MadeKeySettings } from '@mediagate/billing';
import {
  decimalToNano,
  FAMILIES,
  type Failure,
  type Family,
  type FieldArguments,
  failureOf,
  type Json,
  type JsonObject,
  type MessageKey,
  type Nano,
  oneOfEachField,
  refusedBody,
} from '@mediagate/contracts';

/** How each setting is called in a body. */
export const SETTING_FIELDS = {
  name: 'name',
  quotaNano: 'quota',
  families: 'families',
  models: 'models',
  submitPerMinute: 'submit_per_minute',
  queryPerMinute: 'query_per_minute',
  maxConcurrent: 'max_concurrent',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof MadeKeySettings, string>;

const namesOf = (fields: object) => new Set(Object.keys(fields).map((name) => name.replace('?', '')));
const FIELDS = namesOf(KEY_FIELDS);
const NEW_FIELDS = namesOf(NEW_KEY_FIELDS);
const MAX_EXPIRY_SECONDS = 253_402_300_799;

/** By id or alias; undefined: the catalogue has no such model. */
export type FindModelId = (name: string) => string | undefined;

export interface NewKeyFields {
  settings: MadeKeySettings;
  isTest: boolean;
}

/** What a body says of a key that is to be made. @throws as `readKeySettings`. */
export function readNewKey(body: JsonObject, findModelId: FindModelId): NewKeyFields {
  const reader = new KeyFieldReader(body, { findModelId, known: NEW_FIELDS });
  const isTest = reader.mode() === 'test';
  return { settings: readSettings(body, reader), isTest };
}

/**
 * What a body says of a key; null lifts a limit.
 *
 * @throws GatewayError `invalid_request` naming every field that is wrong or unknown.
 */
export function readKeySettings(body: JsonObject, findModelId: FindModelId): MadeKeySettings {
  return readSettings(body, new KeyFieldReader(body, { findModelId, known: FIELDS }));
}

function readSettings(body: JsonObject, reader: KeyFieldReader): MadeKeySettings {
  const settings: { [Field in keyof MadeKeySettings]: MadeKeySettings[Field] | undefined } = {
    name: reader.name(),
    quotaNano: reader.quota(),
    families: reader.families(),
    models: reader.models(),
    submitPerMinute: reader.count('submit_per_minute'),
    queryPerMinute: reader.count('query_per_minute'),
    maxConcurrent: body['max_concurrent'] === null ? null : reader.count('max_concurrent'),
    expiresAt: reader.expiry(),
  };
  reader.end();
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as MadeKeySettings;
}

/** Undefined: the field is absent, or wrong. */
class KeyFieldReader {
  readonly #body: JsonObject;
  readonly #findModelId: FindModelId;
  readonly #known: ReadonlySet<string>;
  readonly #failures: Failure[] = [];

  constructor(body: JsonObject, { findModelId, known }: { findModelId: FindModelId; known: ReadonlySet<string> }) {
    this.#body = body;
    this.#findModelId = findModelId;
    this.#known = known;
  }

  mode(): string | undefined {
    const { mode } = this.#body;
    if (mode === undefined || KEY_MODES.some((known) => known === mode)) return mode as string | undefined;
    return this.#refuse('mode', 'must_be_one_of', { values: KEY_MODES.join(', ') });
  }

  name(): string | undefined {
    const { name } = this.#body;
    if (name === undefined) return undefined;
    if (typeof name !== 'string') return this.#refuse('name', 'must_be_string');
    if (name.length <= KEY_NAME_MAX_CHARACTERS) return name;
    return this.#refuse('name', 'too_many_characters', { limit: KEY_NAME_MAX_CHARACTERS });
  }

  quota(): Nano | null | undefined {
    const { quota } = this.#body;
    if (quota === undefined || quota === null) return quota;
    if (typeof quota !== 'number') return this.#refuse('quota', 'must_be_number');
    if (quota < 0 || quota > KEY_MAX_QUOTA) {
      return this.#refuse('quota', 'must_be_in_range', { min: 0, max: KEY_MAX_QUOTA });
    }
    return decimalToNano(quota.toFixed(9));
  }

  families(): readonly Family[] | undefined {
    return this.#list('families', (name) => FAMILIES.find((family) => family === name), FAMILIES.join(', '));
  }

  models(): readonly string[] | undefined {
    const ids = this.#list('models', this.#findModelId);
    if (ids === undefined || ids.length <= KEY_MAX_MODELS) return ids;
    return this.#refuse('models', 'too_many_items', { limit: KEY_MAX_MODELS });
  }

  count(field: string): number | undefined {
    const { [field]: value } = this.#body;
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value)) return this.#refuse(field, 'must_be_integer');
    if (value >= 1 && value <= KEY_MAX_COUNT) return value;
    return this.#refuse(field, 'must_be_in_range', { min: 1, max: KEY_MAX_COUNT });
  }

  expiry(): Date | null | undefined {
    const { expires_at: value } = this.#body;
    if (value === undefined || value === null) return value;
    if (typeof value !== 'number' || !Number.isInteger(value)) return this.#refuse('expires_at', 'must_be_integer');
    const now = Math.floor(Date.now() / 1000);
    if (value > now && value <= MAX_EXPIRY_SECONDS) return new Date(value * 1000);
    return this.#refuse('expires_at', 'must_be_in_range', { min: now + 1, max: MAX_EXPIRY_SECONDS });
  }

  end(): void {
    const unknown = Object.keys(this.#body).filter((name) => !this.#known.has(name));
    const [first, ...further] = [
      ...this.#failures,
      ...unknown.map((name) => failureOf('unsupported_parameter', name, ['unsupported_parameter'])),
    ];
    if (first) throw refusedBody('invalid_request', oneOfEachField([first, ...further]));
  }

  /** Empty where it is null; each item once. */
  #list<Item>(field: string, find: (name: string) => Item | undefined, choices?: string): readonly Item[] | undefined {
    const { [field]: value } = this.#body;
    if (value === undefined) return undefined;
    if (value === null) return [];
    if (!Array.isArray(value)) return this.#refuse(field, 'must_be_array');
    const items = value.map((name: Json, index) => {
      const item = typeof name === 'string' ? find(name) : undefined;
      if (item !== undefined) return item;
      const param = `${field}[${index}]`;
      return choices === undefined
        ? this.#refuse(param, 'must_be_model', { path: 'GET /models' })
        : this.#refuse(param, 'must_be_one_of', { values: choices });
    });
    return [...new Set(items.filter((item) => item !== undefined))];
  }

  #refuse<Key extends MessageKey>(param: string, ...about: FieldArguments<Key>): undefined {
    this.#failures.push(failureOf('invalid_parameter', param, about));
    return undefined;
  }
}
