import type { CatalogueEntry } from '@mediagate/catalog';
import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import type { ModelBody, OwnBody, RequestBody } from '../operation';
import { ref } from '../schemas/build';

/** The body as OpenAPI writes it. */
export function describeBody(body: RequestBody, entries: readonly CatalogueEntry[]): JsonObject {
  return {
    required: !('optional' in body && body.optional),
    content: 'content' in body ? ownContent(body) : modelContent(body, entries),
  } as JsonObject;
}

/** Schemas of the models' bodies, by the names under which `describeBody` refers to them. */
export function bodySchemasOf(body: ModelBody, entries: readonly CatalogueEntry[]): [name: string, JsonObject][] {
  return modelsOf(body, entries).map((entry) => {
    const name = bodyName(entry, body, entries);
    return [name, { title: name, ...withDefaultsInWords(schemaOf(entry, body)) }];
  });
}

function modelContent(body: ModelBody, entries: readonly CatalogueEntry[]): JsonObject {
  const models = modelsOf(body, entries);
  const refs = models.map((entry) => ref(bodyName(entry, body, entries)));
  const json = { schema: choice(refs, body), examples: examplesOf(models, body) };
  const { formFiles } = body;
  if (!formFiles) return { 'application/json': json };
  const form = bodySchemasOf(body, entries).map(([, schema]) => asForm(schema, formFiles));
  return { 'application/json': json, 'multipart/form-data': { schema: choice(form, body) } };
}

function ownContent({ content }: OwnBody): JsonObject {
  const parts = Object.entries(content).map(([type, part]) => [
    type,
    { ...part, schema: withDefaultsInWords(part.schema) },
  ]);
  return Object.fromEntries(parts);
}

/**
 * Generators of clients take a field that has a default for one that is always there, and demand it of callers. So descriptions say
 * the defaults of what may be left out.
 */
function withDefaultsInWords(schema: JsonObject): JsonObject {
  const { default: value, ...others } = schema;
  const described = value === undefined ? others : { ...others, description: sayDefault(others['description'], value) };
  const parts = Object.entries(described).map(([key, part]) => [key, partWithDefaultsInWords(key, part)]);
  return Object.fromEntries(parts);
}

function partWithDefaultsInWords(key: string, part: unknown): unknown {
  if (key === 'properties' && isJsonObject(part)) {
    return Object.fromEntries(Object.entries(part).map(([name, its]) => [name, inWords(its)]));
  }
  if (key === 'items') return inWords(part);
  return ['anyOf', 'oneOf', 'allOf'].includes(key) && Array.isArray(part) ? part.map(inWords) : part;
}

function inWords(schema: unknown): unknown {
  return isJsonObject(schema) ? withDefaultsInWords(schema) : schema;
}

function sayDefault(description: unknown, value: unknown): string {
  return [...(typeof description === 'string' ? [description] : []), `Default: \`${JSON.stringify(value)}\`.`].join(
    ' ',
  );
}

function modelsOf({ models }: ModelBody, entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  return entries.filter(({ operation }) => operation === models);
}

/** `imagegen-2`; `musicgen.extend` of a model with several operations; `imagegen-2.edit` where two routes differ. */
function bodyName(
  { id, operation }: CatalogueEntry,
  { variant }: ModelBody,
  entries: readonly CatalogueEntry[],
): string {
  const isOneOfMany = entries.some((other) => other.id === id && other.operation !== operation);
  const action = isOneOfMany ? operation.slice(operation.indexOf('.') + 1) : variant;
  return action === undefined ? id : `${id}.${action}`;
}

/** The field `model` tells them apart, where there is one. */
function choice(schemas: JsonObject[], { withoutFields = [] }: ModelBody): JsonObject {
  const [only, ...others] = schemas;
  if (only !== undefined && others.length === 0) return only;
  return withoutFields.includes('model') ? { anyOf: schemas } : { oneOf: schemas };
}

function examplesOf(models: readonly CatalogueEntry[], { withoutFields = [] }: ModelBody): JsonObject {
  const examples = models.flatMap(({ id, examples }) =>
    examples.map((value, index) => [`${id}-${index + 1}`, value] as const),
  );
  return Object.fromEntries(examples.map(([name, value]) => [name, { value: without(value, withoutFields) }]));
}

function schemaOf({ schema }: CatalogueEntry, { withoutFields: left = [], withFields = {} }: ModelBody): JsonObject {
  const own = withoutFields(schema, left);
  const fields = Object.entries(own['properties'] as Record<string, JsonObject>).map(([field, its]) => [
    field,
    numberByNumber(its),
  ]);
  return { ...own, properties: { ...Object.fromEntries(fields), ...withFields } };
}

/** Generators of clients make one type of an enumeration, and whole numbers and fractions are two types to some. */
function numberByNumber(field: JsonObject): JsonObject {
  const { type, enum: values, ...others } = field;
  if (type !== 'number' || !Array.isArray(values)) return field;
  return { ...others, anyOf: values.map((value) => ({ const: value })) };
}

function withoutFields(schema: JsonObject, fields: readonly string[]): JsonObject {
  const required = (schema['required'] as string[]).filter((field) => !fields.includes(field));
  return { ...schema, required, properties: without(schema['properties'] as JsonObject, fields) };
}

/** Files take the places of the fields that name them by their addresses. */
function asForm(schema: JsonObject, files: Readonly<Record<string, JsonObject>>): JsonObject {
  return { ...schema, properties: { ...(schema['properties'] as JsonObject), ...files } };
}

function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
