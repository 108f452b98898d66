import { STATUS_CODES } from 'node:http';
import type { JsonObject } from '@mediagate/contracts';
import type { Answer, ErrorShape, Operation } from '../operation';
import { SCHEMAS } from '../schemas/all';
import { ref } from '../schemas/build';
import { ERROR_MEANINGS, errorBodySchema } from '../schemas/error-bodies';
import { HEADERS } from '../schemas/headers';
import { errorStatusesOf } from '../statuses';
import { exampleOf } from './example';

const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Every answer of the operation, by status. */
export function describeResponses(operation: Operation): JsonObject {
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    describeAnswer(answer, operation),
  ]);
  const errors = errorStatusesOf(operation).map((status) => [
    status,
    { $ref: `#/components/responses/${errorName(dialectsOf(operation), status)}` },
  ]);
  return Object.fromEntries([...answers, ...errors]);
}

/** The errors to which the operations refer. */
export function errorResponses(operations: readonly Operation[]): JsonObject {
  const named = operations.flatMap((operation) =>
    errorStatusesOf(operation).map((status) => {
      const dialects = dialectsOf(operation);
      return [errorName(dialects, status), errorResponse(dialects, status)];
    }),
  );
  return Object.fromEntries(named);
}

/** Bodies of errors, by the names under which the responses refer to them: generators of clients make one type of each. */
export function errorSchemas(operations: readonly Operation[]): JsonObject {
  const named = operations.flatMap((operation) =>
    errorStatusesOf(operation).flatMap((status) =>
      dialectsOf(operation).map((dialect) => [bodyName(dialect, status), errorBodySchema(dialect, status)]),
    ),
  );
  return Object.fromEntries(named);
}

function describeAnswer({ description, content, headers = [] }: Answer, { auth }: Operation): JsonObject {
  return {
    description,
    headers: headerRefs(['X-Request-Id', ...(auth === 'none' ? [] : RATE_LIMIT), ...headers]),
    ...(content === undefined ? {} : { content: withExample(content) }),
  };
}

/** An answer in JSON that has no example of its own gets one of its schema. */
function withExample(content: NonNullable<Answer['content']>): JsonObject {
  const parts = Object.entries(content).map(([type, part]) => {
    const needsOne = type === 'application/json' && part.example === undefined;
    return [type, needsOne ? { ...part, example: exampleOf(part.schema, SCHEMAS) } : { ...part }];
  });
  return Object.fromEntries(parts);
}

function errorResponse(dialects: readonly ErrorShape[], status: number): JsonObject {
  const schemas = dialects.map((dialect) => ref(bodyName(dialect, status)));
  const [schema, ...others] = schemas;
  const { [status]: meaning = '' } = ERROR_MEANINGS;
  return {
    description: `${STATUS_CODES[status]}: ${meaning}.`,
    headers: headerRefs(['X-Request-Id', ...(EXTRA_HEADERS[status] ?? [])]),
    content: { 'application/json': { schema: others.length === 0 && schema ? schema : { anyOf: schemas } } },
  };
}

const EXTRA_HEADERS: Readonly<Record<number, readonly string[]>> = {
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function headerRefs(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function describeHeaders(): JsonObject {
  return { ...HEADERS } as unknown as JsonObject;
}

function dialectsOf({ errors = 'standard', otherErrors = [] }: Operation): ErrorShape[] {
  return [errors, ...otherErrors];
}

function errorName(dialects: readonly ErrorShape[], status: number): string {
  return `${dialects.join('-')}-${status}`;
}

/** `Error404`, `ImgtoolError404`. */
function bodyName(dialect: ErrorShape, status: number): string {
  const word = dialect === 'standard' ? '' : `${dialect.charAt(0).toUpperCase()}${dialect.slice(1)}`;
  return `${word}Error${status}`;
}
