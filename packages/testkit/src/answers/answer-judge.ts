import { buildDocument, listOperations } from '@mediagate/api-contract';
import type { CatalogueEntry } from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';

/** An answer as it went out. */
export interface SeenAnswer {
  method: string;
  /** With its query. */
  url: string;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  /** Absent where it was not JSON. */
  text?: string;
}

/** Says what is wrong with an answer by its operation's entry; undefined: nothing. */
export type AnswerJudge = (answer: SeenAnswer) => string | undefined;

const DOCUMENT = 'openapi';

/**
 * Judges answers by the document, read more strictly than callers should: no field, word, status, content type or header but those
 * that the operation's entry names.
 */
export function createAnswerJudge(entries: readonly CatalogueEntry[], legacyPrefix: string): AnswerJudge {
  const operations = listOperations(entries, { legacyPrefix });
  const document = closed(buildDocument(operations, { entries, publicBaseUrl: 'http://gateway.test' })) as JsonObject;
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, formats: { 'date-time': ISO_TIME } });
  ajv.addSchema(document, DOCUMENT);
  const places = operations.map(({ method, path }) => ({ method, path, pattern: patternOf(path) }));

  return (answer) => {
    const path = decoded(answer.url.split('?')[0] ?? '');
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const place = places.find((each) => each.method === method && each.pattern.test(path));
    const fault = place ? judge(answer, responsesAt(document, place), ajv) : judgeUnmatched(answer);
    return fault === undefined ? undefined : `${answer.method} ${path} answered ${answer.status}: ${fault}`;
  };
}

/** Some paths of tests cannot be decoded: they stay as they are. */
function decoded(path: string): string {
  try {
    return decodeURI(path.replaceAll(/%3a/gi, ':'));
  } catch {
    return path;
  }
}

interface DescribedAnswer {
  /** Where it stands in the document. */
  pointer: string;
  response: JsonObject;
}

function judge(
  answer: SeenAnswer,
  find: (status: number) => DescribedAnswer | undefined,
  ajv: Ajv,
): string | undefined {
  const found = find(answer.status);
  if (!found) return 'its entry in packages/api-contract has no such status';
  const { pointer, response } = found;
  const headers = (response['headers'] ?? {}) as Record<string, { $ref: string }>;
  const missing = Object.keys(headers).filter(
    (name) => REQUIRED.has(name) && answer.headers[name.toLowerCase()] === undefined,
  );
  if (missing.length > 0) return `the headers ${missing.join(', ')} are missing`;
  if (answer.method === 'HEAD') return undefined;
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] as string;
  const content = response['content'] as JsonObject | undefined;
  if (content === undefined) return answer.text ? 'its entry says that there is no body' : undefined;
  const documented = Object.keys(content).find((each) => patternOfType(each).test(type));
  if (documented === undefined) return `its entry has no content type ${type}`;
  if (answer.text === undefined) return undefined;
  return judgeBody(JSON.parse(answer.text), validatorAt(`${pointer}/content/${escaped(documented)}/schema`, ajv));
}

/** As `Date.toISOString` writes it. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const REQUIRED = new Set(['X-Request-Id', 'ETag', 'Content-Range']);

function judgeBody(body: unknown, validate: ValidateFunction): string | undefined {
  if (validate(body)) return undefined;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return `its body is not what its entry describes: ${faults.slice(0, 4).join('; ')}`;
}

/** Judges an answer of no operation: to another method of a known path, or to no path of ours. */
function judgeUnmatched({ method, status }: SeenAnswer): string | undefined {
  if (method === 'OPTIONS' && status === 204) return undefined;
  return [400, 404, 405, 429, 500, 503].includes(status) ? undefined : 'no operation has that method and path';
}

function responsesAt(document: JsonObject, { method, path }: { method: string; path: string }) {
  const pointer = `/paths/${escaped(path)}/${method}/responses`;
  const responses = at(document, pointer) as JsonObject;
  return (status: number): DescribedAnswer | undefined => {
    const response = responses[status] as JsonObject | undefined;
    const target = response?.['$ref'];
    if (response === undefined) return undefined;
    if (typeof target !== 'string') return { pointer: `${pointer}/${status}`, response };
    return { pointer: target.slice(1), response: at(document, target.slice(1)) as JsonObject };
  };
}

const validators = new Map<string, ValidateFunction>();

/** Compiled once a file of tests. */
function validatorAt(pointer: string, ajv: Ajv): ValidateFunction {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer)}` });
  validators.set(pointer, validate);
  return validate;
}

function at(document: JsonObject, pointer: string): Json | undefined {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<Json | undefined>((value, step) => (isJsonObject(value) ? value[step] : undefined), document);
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

function patternOfType(type: string): RegExp {
  return new RegExp(`^${type.replace('*', '.+').replaceAll('/', '\\/')}$`);
}

/** Callers must expect more fields and words than the document has; tests must not. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [name, closed(value)]);
  const { properties, additionalProperties, type, 'x-extensible-enum': words } = schema;
  return {
    ...Object.fromEntries(entries),
    ...(type === 'object' && isJsonObject(properties) && additionalProperties === undefined
      ? { additionalProperties: false }
      : {}),
    ...(words === undefined ? {} : { enum: words }),
  };
}
