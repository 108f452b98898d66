import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { findSpelling, isSent } from './spellings';

/** The part of JSON Schema that is looked at here; Ajv reads the rest. */
export interface ObjectSchema {
  properties: Record<string, JsonObject>;
  /** True: fields that it does not name are kept as they are, and are not unknown. */
  additionalProperties?: boolean;
}

/** Canonical spelling of strings, by path without indexes: `size`, `image_with_roles[].role`. */
export type Spellings = Readonly<Record<string, (text: string) => string>>;

export interface KnownFields {
  input: JsonObject;
  /** Paths of the fields that the schema does not have, `multi_prompt[0].style`; at most `MAX_UNKNOWN_NAMED`. */
  unknown: string[];
  unknownCount: number;
  /** Fields of objects within the body that the schema spells otherwise: `mid_frame_images[0].timeStamp` is `time_stamp`. */
  misspelt: { field: string; other: string }[];
}

interface Place {
  /** As callers write it, `image_with_roles[0].role`. */
  shown: string;
  /** The same for every item of a list, `image_with_roles[].role`. */
  path: string;
}

/** Unknown fields named in warnings, and misspelt ones in refusals; a body may hold thousands. */
export const MAX_UNKNOWN_NAMED = 20;
/** Characters of an unknown field's name that a warning repeats. */
const MAX_NAME_LENGTH = 64;

/**
 * The body in the schema's own terms, at every depth: known fields only, where the schema is not open to others; blank
 * strings as missing, choices in their canonical letter case. What has the wrong type stays as it is, for Ajv to refuse.
 *
 * @param notInput fields at the top that are known and belong to no model.
 */
export function pickKnown(
  body: JsonObject,
  schema: ObjectSchema,
  { canonical, notInput }: { canonical: Spellings; notInput: ReadonlySet<string> },
): KnownFields {
  const found: KnownFields = { input: {}, unknown: [], unknownCount: 0, misspelt: [] };
  found.input = pickObject(body, schema, { shown: '', path: '' });
  return found;

  function pickObject(object: JsonObject, schema: ObjectSchema, place: Place): JsonObject {
    if (schema.additionalProperties === true) return pickOpen(object, schema, place);
    const { properties } = schema;
    const picked: JsonObject = {};
    for (const field of Object.keys(object)) {
      if (Object.hasOwn(properties, field) || (place.path === '' && notInput.has(field))) continue;
      noteUnknown(found, member(place, beginning(field)).shown);
      if (place.path !== '' && isSent(object, field)) noteMisspelt(found, { field, place, properties });
    }
    for (const [field, property] of Object.entries(properties)) {
      if (!Object.hasOwn(object, field)) continue;
      const value = object[field] as Json;
      if (!isMissing(value, property, place)) picked[field] = pick(value, property, member(place, field));
    }
    return picked;
  }

  /** By the object's own fields: of many that may be there it has few. */
  function pickOpen(object: JsonObject, { properties }: ObjectSchema, place: Place): JsonObject {
    const picked: JsonObject = {};
    for (const field of Object.keys(object)) {
      const value = object[field] as Json;
      const property = Object.hasOwn(properties, field) ? properties[field] : undefined;
      // An assignment to `__proto__` would give the copy another prototype.
      if (field === '__proto__' || (property && isMissing(value, property, place))) continue;
      picked[field] = property ? pick(value, property, member(place, field)) : value;
    }
    return picked;
  }

  function pick(value: Json, schema: JsonObject, place: Place): Json {
    if (typeof value === 'string') return spell(value, schema, canonical[place.path]);
    const { items, properties } = schema;
    if (Array.isArray(value) && isJsonObject(items)) {
      return value.map((item, index) =>
        pick(item, items, { shown: `${place.shown}[${index}]`, path: `${place.path}[]` }),
      );
    }
    if (!isJsonObject(value) || !isJsonObject(properties)) return value;
    return pickObject(value, schema as JsonObject & ObjectSchema, place);
  }
}

function noteUnknown(found: KnownFields, shown: string): void {
  found.unknownCount += 1;
  if (found.unknown.length < MAX_UNKNOWN_NAMED) found.unknown.push(shown);
}

function noteMisspelt(
  { misspelt }: KnownFields,
  { field, place, properties }: { field: string; place: Place } & Pick<ObjectSchema, 'properties'>,
): void {
  const other = findSpelling(properties, field);
  if (other === undefined || misspelt.length >= MAX_UNKNOWN_NAMED) return;
  misspelt.push({ field: member(place, field).shown, other });
}

function member({ shown, path }: Place, field: string): Place {
  return path === '' ? { shown: field, path: field } : { shown: `${shown}.${field}`, path: `${path}.${field}` };
}

/**
 * A string may be blank where its schema says so, `minLength: 0`. Within objects `null` is a field that is not set; at the top, whoever
 * read the body has dealt with it.
 */
function isMissing(value: Json, property: JsonObject, { path }: Place): boolean {
  if (typeof value === 'string' && property['minLength'] !== 0)
    return value.trim() === '' && [property['type']].flat().includes('string');
  return value === null && path !== '';
}

function spell(text: string, schema: JsonObject, canonical: ((text: string) => string) | undefined): string {
  if (canonical) return canonical(text);
  const choices = schema['enum'];
  if (!Array.isArray(choices)) return text;
  const wanted = text.trim().toLowerCase();
  const choice = choices.find((known) => typeof known === 'string' && known.toLowerCase() === wanted);
  return typeof choice === 'string' ? choice : text;
}

/** Cut between characters: half of a surrogate pair could not be stored. */
export function beginning(name: string): string {
  return Array.from(name).slice(0, MAX_NAME_LENGTH).join('');
}
