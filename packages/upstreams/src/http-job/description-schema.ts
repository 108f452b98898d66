import { FAULT_TABLE, type Json, type JsonObject } from '@mediagate/contracts';
import type { ValidateFunction } from 'ajv';
import type { OptionFault } from '../contract';
import { compileShape, PLACE, shapeFault } from '../templates/template-schema';
import { type Description, FILE_WORDS, STATES } from './description';
import { senseFaults } from './description-sense';

const MAX_WORDS = 100;

/** A pointer to one value, into an answer or a body. */
const POINT = {
  ...PLACE,
  not: { pattern: '/[*](?:/|$)' },
  errorMessage: 'must be a JSON pointer without *, as /job/id',
};

/** One such pointer, or several, of which the first that has a value counts. */
const POINTS = {
  type: ['string', 'array'],
  allOf: [
    { if: { not: { type: 'string' } }, else: POINT },
    { if: { type: 'string' }, else: { minItems: 1, maxItems: 10, items: POINT } },
  ],
};

const PATH = {
  type: 'string',
  pattern: '^/(?!/)[^\\s#\\\\]*$',
  not: { pattern: '\\.\\.|%2[eE]' },
  maxLength: 500,
  errorMessage: 'must be a path below base_url, as /jobs/{id}',
};
const NAME = {
  type: 'string',
  pattern: '^[A-Za-z][\\w.-]{0,99}$',
  errorMessage: 'must be a name of letters, digits, dots, dashes and underscores',
};
/** Headers of the body and of the connection. */
const OWN_HEADERS = ['host', 'connection', 'content-type', 'content-length', 'accept-encoding', 'transfer-encoding'];
const KEY_HEADER = headerBut(OWN_HEADERS);
const HEADER_NAME = headerBut([...OWN_HEADERS, 'authorization']);
const HEADER_VALUE = { type: 'string', pattern: '^[\\x20-\\x7e]{0,500}$', errorMessage: 'must be printable ASCII' };
const WORDS = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_WORDS,
  items: { type: ['string', 'integer'], minLength: 1, maxLength: 200 },
  errorMessage: 'must be a list of words',
};

function headerBut(others: readonly string[]): JsonObject {
  const anyCase = others.join('|').replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return {
    ...NAME,
    not: { pattern: `^(?:${anyCase})$` },
    errorMessage: 'must be the name of a header, and none that `auth`, the body or the connection says',
  };
}

function map(properties: JsonObject, required: string[] = [], more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false, ...more };
}

function names(propertyNames: JsonObject, values: JsonObject): JsonObject {
  return { type: 'object', propertyNames, additionalProperties: values, maxProperties: MAX_WORDS };
}

const ONE_SPOT = { minProperties: 1, maxProperties: 1, errorMessage: 'must be one of at, header, query' };
const SPOT = map({ at: POINT, header: HEADER_NAME, query: NAME }, [], ONE_SPOT);

const AUTH_MESSAGE =
  'must be bearer, basic, none, { header: name } with or without a prefix, { query: name }, { aws4: … }, or { hmac: … }';

const AWS_NAME = {
  type: 'string',
  pattern: '^[A-Za-z0-9-]{1,50}$',
  errorMessage: 'must be a name of letters, digits and dashes, as us-east-1',
};
const AWS4 = map({ region: AWS_NAME, service: AWS_NAME }, ['region', 'service']);
const HMAC = map(
  {
    sign: { type: 'string', minLength: 1, maxLength: 1_000 },
    algorithm: { enum: ['sha256', 'sha512'] },
    encoding: { enum: ['hex', 'base64'] },
    headers: names(KEY_HEADER, HEADER_VALUE),
  },
  ['sign', 'headers'],
);

const AUTH: JsonObject = {
  type: ['string', 'object'],
  allOf: [
    { if: { not: { type: 'string' } }, else: { enum: ['bearer', 'basic', 'none'], errorMessage: AUTH_MESSAGE } },
    {
      if: { type: 'string' },
      else: map({ header: KEY_HEADER, prefix: HEADER_VALUE, query: NAME, aws4: AWS4, hmac: HMAC }, [], {
        anyOf: [
          { required: ['header', 'prefix'], maxProperties: 2 },
          ...['header', 'query', 'aws4', 'hmac'].map((way) => ({ required: [way], maxProperties: 1 })),
        ],
        errorMessage: AUTH_MESSAGE,
      }),
    },
  ],
  errorMessage: AUTH_MESSAGE,
};

const RULE = map(
  {
    status: { type: 'integer', minimum: 200, maximum: 599 },
    code: WORDS,
    message: WORDS,
    fault: { enum: Object.keys(FAULT_TABLE).filter((code) => code !== 'cannot_carry') },
    only: { enum: ['start', 'status'] },
    of: { enum: ['model'] },
  },
  ['fault'],
  {
    anyOf: ['status', 'code', 'message'].map((word) => ({ required: [word] })),
    errorMessage: 'must have status, code or message',
  },
);

const SCHEMA: JsonObject = map({
  auth: AUTH,
  headers: names(HEADER_NAME, HEADER_VALUE),
  start: map({ path: PATH, id: POINT, reference: SPOT, callback: SPOT }),
  status: map(
    {
      path: PATH,
      at: POINT,
      words: { ...names({ type: 'string', maxLength: 200 }, { enum: [...STATES] }), minProperties: 1 },
      progress: map({ at: POINT, of: { type: 'number', exclusiveMinimum: 0 } }, ['at']),
    },
    ['path', 'at', 'words'],
  ),
  result: map({ path: PATH, from: names(NAME, POINT), files: { enum: [...FILE_WORDS] } }),
  errors: map({
    code: POINTS,
    message: POINTS,
    field: POINTS,
    none: WORDS,
    fields: names({ type: 'string', maxLength: 200 }, NAME),
    rules: { type: 'array', maxItems: MAX_WORDS, items: RULE },
  }),
  cancel: map(
    {
      path: PATH,
      method: { enum: ['POST', 'PUT', 'DELETE'] },
      while: { type: 'array', minItems: 1, items: { enum: ['submitted', 'running'] } },
    },
    ['path'],
  ),
  probe: map({ path: PATH, asks: { enum: ['nothing'] } }, ['path']),
  cost: POINT,
  request_id_header: NAME,
});

let validate: ValidateFunction | undefined;

/** The fault in an operator's `http_job`, and its place, as `status.words.done`; undefined: none. */
export function descriptionFault(value: Json): OptionFault | undefined {
  validate ??= compileShape(SCHEMA);
  return shapeFault(validate, value) ?? senseFaults(value as JsonObject as Description).next().value;
}
