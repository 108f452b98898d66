import type { CatalogueEntry } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import type { ServedOperation } from '../operation-table';
import { SCHEMAS } from '../schemas/all';
import { ref } from '../schemas/build';
import { describeParameters } from './parameters';
import { bodySchemasOf, describeBody } from './request-body';
import { describeHeaders, describeResponses, errorResponses, errorSchemas } from './responses';

export interface DocumentOptions {
  entries: readonly CatalogueEntry[];
  /** Where callers reach the service: `https://gateway.example`. */
  publicBaseUrl: string;
}

const INFO = {
  title: 'mediagate',
  version: '1',
  summary: 'Images, videos, music, speech and text of many models behind one API.',
  description: [
    'Most submissions are asynchronous: they answer at once with the id of a task, which is read until it has ended, or whose record is posted to your `webhook`.',
    'What a task can cost at most is held when it is submitted; what it did cost is charged when it is completed, and a failed one costs nothing.',
    'An empty or blank string, or `null`, is a missing field; choices may be written in any letter case; fields that a model does not know are ignored and named in `warnings`.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const;

/** These operations as an OpenAPI 3.1 document, with the components that they use: an audience has a document of its own. */
export function buildDocument(operations: readonly ServedOperation[], options: DocumentOptions): JsonObject {
  const { entries, publicBaseUrl } = options;
  const areForCallers = operations.some(({ auth }) => auth === 'key');
  const described = {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: publicBaseUrl }],
    security: [{ [areForCallers ? 'key' : 'operator']: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: describePaths(operations, entries),
    ...(areForCallers ? { webhooks: { taskEnded: { post: TASK_ENDED } } } : {}),
  };
  const responses = errorResponses(operations);
  const all = { ...SCHEMAS, ...allBodySchemas(operations, entries), ...errorSchemas(operations) };
  const schemas = usedOf(all, [described, responses]);
  const headers = usedOf(describeHeaders(), [described, responses], 'headers');
  return { ...described, components: { schemas, responses, headers, securitySchemes: securitySchemes(operations) } };
}

/** The components to which these lead, in their order. */
function usedOf(components: JsonObject, from: unknown, kind = 'schemas'): JsonObject {
  const found = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(new RegExp(`"#/components/${kind}/([^"]+)"`, 'g'))) {
      if (found.has(name)) continue;
      found.add(name);
      follow(components[name]);
    }
  };
  follow(from);
  return Object.fromEntries(Object.entries(components).filter(([name]) => found.has(name)));
}

const SECURITY_SCHEMES: Readonly<Record<'key' | 'operator', JsonObject>> = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`Authorization: Bearer <API_KEY>`. `x-scope` of an operation is the least scope of the key: `own`, and a key of that scope finds and changes only what it, or a key that it made, has made; or `account`. With `x-manage` the key must have the right `manage`, too.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: '`Authorization: Bearer <OPERATOR_TOKEN>`, made by `npx mediagate operator create`',
  },
};

function securitySchemes(operations: readonly ServedOperation[]): JsonObject {
  const used = Object.entries(SECURITY_SCHEMES).filter(([name]) => operations.some(({ auth }) => auth === name));
  return { ...Object.fromEntries(used), ...keyHeaderSchemes(operations) };
}

function describePaths(operations: readonly ServedOperation[], entries: readonly CatalogueEntry[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation, entries) };
  }
  return paths;
}

function describeOperation(operation: ServedOperation, entries: readonly CatalogueEntry[]): JsonObject {
  const { id, tag, summary, description, body } = operation;
  const parameters = describeParameters(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: describeBody(body, entries) }),
    responses: describeResponses(operation),
    ...securityOf(operation),
    ...rightsOf(operation),
  };
}

function securityOf(operation: ServedOperation): JsonObject {
  if (operation.auth === 'none') return { security: [] };
  if (operation.auth === 'operator') return { security: [{ operator: [] }] };
  return operation.keyHeader === undefined ? {} : { security: [{ key: [] }, { [operation.keyHeader]: [] }] };
}

function rightsOf(operation: ServedOperation): JsonObject {
  if (operation.auth !== 'key') return {};
  return { 'x-scope': operation.scope, ...(operation.manages ? { 'x-manage': true } : {}) };
}

function keyHeaderSchemes(operations: readonly ServedOperation[]): JsonObject {
  const headers = operations.flatMap((operation) => (operation.auth === 'key' ? (operation.keyHeader ?? []) : []));
  return Object.fromEntries([...new Set(headers)].map((name) => [name, { type: 'apiKey', in: 'header', name }]));
}

function allBodySchemas(operations: readonly ServedOperation[], entries: readonly CatalogueEntry[]): JsonObject {
  const named = operations.flatMap(({ body }) => (body && 'models' in body ? bodySchemasOf(body, entries) : []));
  return Object.fromEntries(named);
}

/** The webhook that the gateway sends to callers' own servers. */
const TASK_ENDED: JsonObject = {
  operationId: 'taskEnded',
  summary: 'A task with a `webhook` has ended',
  description: [
    'The record is posted to `<webhook>/callback`, signed after Standard Webhooks.',
    'Answer with 2xx within 10 seconds; a timeout and 5xx are tried again after 10, 30 and 60 seconds. It may come twice: keep the `id` of those that you have seen.',
  ].join(' '),
  security: [],
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': { schema: ref('TaskRecord') } } },
  responses: { '2XX': { description: 'Received.' }, '4XX': { description: 'Refused; it is not sent again.' } },
};
