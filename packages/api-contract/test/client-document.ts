import type { JsonObject } from '@mediagate/contracts';
import type { ServedOperation } from '../src';
import { document, operations } from './shipped-document';

/** Parts of the API that `packages/client` has methods for. Texts, speech and OpenAI's routes have clients of their own. */
const TAGS: ReadonlySet<string> = new Set([
  'Tasks',
  'Prices',
  'Files',
  'Balance',
  'Callbacks',
  'Notices',
  'Keys',
  'Models',
]);
const SUBMITTED: ReadonlySet<string> = new Set(['Images', 'Videos', 'Music', 'Image tool']);

type Schemas = Record<string, JsonObject>;

/**
 * Everything that the client sends and gets, as schemas of a document of their own: `Submissions` by path, and by operation
 * `Queries`, `Bodies` and `Answers`.
 */
export function clientDocument(): JsonObject {
  const submissions = operations.filter(({ tag, method }) => SUBMITTED.has(tag) && method === 'post');
  return documentOf(
    submissions,
    operations.filter(({ tag }) => TAGS.has(tag)),
  );
}

/** The same of what the console's page asks for: it builds its forms of submissions from their schemas, and serves operators too. */
export function pageDocument(): JsonObject {
  return documentOf(
    [],
    operations.filter(({ tag, auth }) => TAGS.has(tag) || auth === 'operator'),
  );
}

function documentOf(submissions: readonly ServedOperation[], called: readonly ServedOperation[]): JsonObject {
  const own = {
    Submissions: byName(submissions, ({ path }) => path, bodyOf),
    Queries: byName(called, ({ id }) => id, queryOf),
    Bodies: byName(called, ({ id }) => id, bodyOf),
    Answers: byName(called, ({ id }) => id, answerOf),
  };
  const schemas = { ...own, ...reachable(own) };
  return { openapi: '3.1.0', info: { title: 'client', version: '1' }, paths: {}, components: { schemas } };
}

function byName(
  from: readonly ServedOperation[],
  nameOf: (operation: ServedOperation) => string,
  schemaOf: (described: JsonObject) => JsonObject | undefined,
): JsonObject {
  const named = from.flatMap((operation) => {
    const schema = schemaOf(described(operation));
    return schema === undefined ? [] : [[nameOf(operation), schema] as const];
  });
  return { type: 'object', required: named.map(([name]) => name), properties: Object.fromEntries(named) };
}

function described({ path, method }: ServedOperation): JsonObject {
  return at(document, 'paths', path, method) as JsonObject;
}

function bodyOf(operation: JsonObject): JsonObject | undefined {
  return at(operation, 'requestBody', 'content', 'application/json', 'schema');
}

function answerOf({ responses }: JsonObject): JsonObject | undefined {
  const statuses = Object.keys(responses as JsonObject).filter((status) => status.startsWith('2'));
  return statuses.map((status) => at(responses, status, 'content', 'application/json', 'schema')).find(Boolean);
}

function queryOf({ parameters = [] }: JsonObject): JsonObject | undefined {
  const query = (parameters as JsonObject[]).filter(({ in: place }) => place === 'query');
  if (query.length === 0) return undefined;
  const properties = query.map(({ name, description, schema }) => [name, { ...(schema as JsonObject), description }]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The document's schemas to which these lead. */
function reachable(from: unknown, found: Schemas = {}): Schemas {
  const refs = JSON.stringify(from).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  for (const [, name = ''] of refs) {
    if (name in found) continue;
    found[name] = at(document, 'components', 'schemas', name) as JsonObject;
    reachable(found[name], found);
  }
  return found;
}

function at(json: unknown, ...path: string[]): JsonObject | undefined {
  return path.reduce<JsonObject | undefined>(
    (inner, name) => inner?.[name] as JsonObject | undefined,
    json as JsonObject,
  );
}
