import { FAULT_TABLE, type Json, type JsonObject } from '@mediagate/contracts';
import type { ValidateFunction } from 'ajv';
import type { OptionFault } from '../contract';
import { compileShape, PLACE, shapeFault } from '../templates/template-schema';
import { type Description, FILE_WORDS, STATES } from './description';

const MAX_WORDS = 100;

const PATH = {
  type: 'string',
  pattern: '^/(?!/)[^\\s#\\\\]*$',
  not: { pattern: '\\.\\.' },
  maxLength: 500,
  errorMessage: 'must be a path below base_url, as /jobs/{id}',
};
const NAME = {
  type: 'string',
  pattern: '^[A-Za-z][\\w.-]{0,99}$',
  errorMessage: 'must be a name of letters, digits, dots, dashes and underscores',
};
/** Headers that belong to the connection, or are said by `auth` and the body. */
const OWN_HEADERS = [
  'authorization',
  'host',
  'connection',
  'content-type',
  'content-length',
  'accept-encoding',
  'transfer-encoding',
];
const HEADER_NAME = {
  ...NAME,
  not: {
    pattern: `^(?:${OWN_HEADERS.join('|').replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)})$`,
  },
  errorMessage: 'must be the name of a header, and none that `auth`, the body or the connection says',
};
const HEADER_VALUE = { type: 'string', pattern: '^[\\x20-\\x7e]{0,500}$', errorMessage: 'must be printable ASCII' };
const WORDS = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_WORDS,
  items: { type: ['string', 'integer'], minLength: 1, maxLength: 200 },
  errorMessage: 'must be a list of words',
};

function map(properties: JsonObject, required: string[] = [], more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false, ...more };
}

function names(propertyNames: JsonObject, values: JsonObject): JsonObject {
  return { type: 'object', propertyNames, additionalProperties: values, maxProperties: MAX_WORDS };
}

const ONE_SPOT = { minProperties: 1, maxProperties: 1, errorMessage: 'must be one of at, header, query' };
const SPOT = map({ at: PLACE, header: HEADER_NAME, query: NAME }, [], ONE_SPOT);

const AUTH: JsonObject = {
  type: ['string', 'object'],
  allOf: [
    { if: { not: { type: 'string' } }, else: { enum: ['bearer', 'basic', 'none'] } },
    {
      if: { type: 'string' },
      else: map({ header: NAME, prefix: HEADER_VALUE, query: NAME }, [], {
        anyOf: [
          { required: ['header'], not: { required: ['query'] } },
          { required: ['query'], not: { anyOf: [{ required: ['header'] }, { required: ['prefix'] }] } },
        ],
        errorMessage: 'must be bearer, basic, none, { header } with or without a prefix, or { query }',
      }),
    },
  ],
  errorMessage: 'must be bearer, basic, none, { header } with or without a prefix, or { query }',
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
  start: map({ path: PATH, id: PLACE, reference: SPOT, callback: SPOT }),
  status: map(
    {
      path: PATH,
      at: PLACE,
      words: { ...names({ type: 'string', maxLength: 200 }, { enum: [...STATES] }), minProperties: 1 },
      progress: map({ at: PLACE, of: { type: 'number', exclusiveMinimum: 0 } }, ['at']),
    },
    ['path', 'at', 'words'],
  ),
  result: map({ path: PATH, from: names(NAME, PLACE), files: { enum: [...FILE_WORDS] } }),
  errors: map({
    code: PLACE,
    message: PLACE,
    field: PLACE,
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
  cost: PLACE,
  request_id_header: NAME,
});

let validate: ValidateFunction | undefined;

/** The fault in an operator's `http_job`, and its place, as `status.words.done`; undefined: none. */
export function descriptionFault(value: Json): OptionFault | undefined {
  validate ??= compileShape(SCHEMA);
  return shapeFault(validate, value) ?? senseFaults(value as JsonObject as Description).next().value;
}

const OF_START = ['endpoint', 'model'];
const OF_JOB = [...OF_START, 'id'];

/** Faults of a description that fits the schema and cannot be meant. */
function* senseFaults(description: Description): Generator<OptionFault> {
  yield* partFaults(description);
  yield* fileFaults(description);
  const { start = {}, status, result = {}, cancel, probe } = description;
  yield* pathFaults(start.path, 'start.path', OF_START);
  yield* pathFaults(probe?.path, 'probe.path', ['model']);
  yield* jobPathFaults(status?.path, 'status.path');
  yield* jobPathFaults(cancel?.path, 'cancel.path');
  const from = Object.keys(result.from ?? {});
  yield* pathFaults(result.path, 'result.path', [...OF_JOB, ...from]);
  const unused = from.find((name) => !result.path?.includes(`{${name}}`));
  if (unused !== undefined)
    yield { field: `result.from.${unused}`, problem: `is not used: \`result.path\` has no {${unused}}` };
}

/** Parts that need one another. */
function* partFaults({ start = {}, status, result = {}, cancel }: Description): Generator<OptionFault> {
  if (start.id !== undefined && status === undefined)
    yield {
      field: 'status',
      problem: 'is missing: a start that is answered by an id needs a way to ask about the job',
    };
  if (start.id === undefined && status !== undefined)
    yield { field: 'start.id', problem: 'is missing: say where a start’s answer has the id of the job' };
  if (start.id === undefined && cancel !== undefined)
    yield { field: 'cancel', problem: 'needs `start.id` and `status`: only a job can be cancelled' };
  if (start.id === undefined && result.path !== undefined)
    yield { field: 'result.path', problem: 'needs `start.id`: without a job the answer to the start holds the result' };
  if (status !== undefined && !Object.values(status.words).includes('succeeded'))
    yield { field: 'status.words', problem: 'has no word for succeeded' };
}

/** Ways to the files that cannot be gone. */
function* fileFaults({ auth, start = {}, result = {} }: Description): Generator<OptionFault> {
  const { path, files } = result;
  const isOfJob = start.id !== undefined;
  if (files === 'body' && isOfJob && path === undefined)
    yield { field: 'result.path', problem: 'is missing: say where the file of a job is' };
  const needsHeader = files === 'keyed_links' || (files === 'body' && isOfJob);
  if (needsHeader && typeof auth === 'object' && 'query' in auth)
    yield { field: 'result.files', problem: 'needs a key in a header: files are fetched with headers alone' };
}

function* jobPathFaults(path: string | undefined, field: string): Generator<OptionFault> {
  yield* pathFaults(path, field, OF_JOB);
  if (path?.includes('{id}') === false) yield { field, problem: 'has no {id}: every job would be the same one' };
}

function* pathFaults(path = '', field: string, known: readonly string[]): Generator<OptionFault> {
  const unknown = [...path.matchAll(/\{([^{}]*)\}/g)]
    .map(([, name = '']) => name)
    .find((name) => !known.includes(name));
  if (unknown !== undefined)
    yield { field, problem: `{${unknown}} is not known here: use ${known.map((name) => `{${name}}`).join(', ')}` };
}
