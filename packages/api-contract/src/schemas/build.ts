import type { JsonObject } from '@mediagate/contracts';
import type { Content, JsonSchema } from '../operation';

/** Short forms for the schemas of answers. */

export const string = (description?: string): JsonSchema => described({ type: 'string' }, description);
export const integer = (description?: string): JsonSchema => described({ type: 'integer' }, description);
export const number = (description?: string): JsonSchema => described({ type: 'number' }, description);
export const boolean = (description?: string): JsonSchema => described({ type: 'boolean' }, description);
export const listOf = (items: JsonSchema, description?: string): JsonSchema =>
  described({ type: 'array', items }, description);

/** As this version of OpenAPI and as the one before it says it: generators of clients know one or the other. */
export const fileBytes = (description?: string): JsonSchema =>
  described({ type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }, description);

export const unixSeconds = (description: string): JsonSchema => integer(`${description}, in Unix seconds.`);

/** One of the values, for good. */
export const oneOf = (values: readonly string[], description?: string): JsonSchema =>
  described({ type: 'string', enum: [...values] }, description);

/** One of the words known today: callers must expect that more are added. */
export const anyWord = (values: readonly string[], description?: string): JsonSchema =>
  described({ type: 'string', 'x-extensible-enum': [...values] }, description);

/** Fields whose name ends in `?` may be absent. */
export function object(fields: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  const properties = Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name] as JsonSchema]));
  return described({ type: 'object', ...(required.length > 0 ? { required } : {}), properties }, description);
}

/** An object with whatever fields somebody else gave it. */
export const anyObject = (description?: string): JsonSchema =>
  described({ type: 'object', additionalProperties: true }, description);

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const json = (schema: JsonSchema, example?: JsonObject): Readonly<Record<string, Content>> => ({
  'application/json': example === undefined ? { schema } : { schema, example },
});

/** The wrapper of most answers. */
export const wrapped = (data: JsonSchema): JsonSchema => object({ code: { const: 200 }, data });

/** A page of a list: `next_cursor` as `cursor` asks for the next. */
const pageOf = (of: JsonSchema) => ({
  code: { const: 200 },
  data: listOf(of),
  next_cursor: {
    type: ['string', 'null'],
    description: 'Send it as `cursor` for the next page; null: this is the last.',
  },
  has_more: boolean(),
});

export const page = (of: JsonSchema): JsonSchema => object(pageOf(of));

/** A page of the ledger. */
export const ledgerPage = (of: JsonSchema): JsonSchema =>
  object({
    ...pageOf(of),
    complete_since: {
      type: ['number', 'null'],
      description: 'Unix seconds. Entries of tasks that ended before may be removed; null: none are.',
    },
  });

function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}

/** Server-sent events. Some tools judge the stream as a text and others each event, so the schema says nothing of the type. */
export function events(description: string, example?: string): Record<'text/event-stream', Content> {
  return { 'text/event-stream': { schema: { description }, ...(example === undefined ? {} : { example }) } };
}
