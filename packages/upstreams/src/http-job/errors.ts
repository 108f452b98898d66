import type { Fault, Json, JsonObject } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import { type ErrorDialect, type ErrorRule, judgeError, type VendorError } from '../error-dialect';
import type { Confidential } from '../fault-detail';
import { decimalText, present, text } from '../json-guards';
import { valueAt } from '../templates/request-view';
import { type Description, descriptionOf, type ErrorWords, type Places, type RuleWords } from './description';

/** The vendor's way of saying no to a start, or to a question, by the words of its description. */
export function dialectOf(
  { errors = {}, request_id_header: header }: Description,
  when: 'start' | 'status',
): ErrorDialect {
  const { rules = [], fields = { prompt: 'prompt' } } = errors;
  return present<ErrorDialect>({
    read: (body, status) => {
      const error = readError(body as Json, errors);
      return status < 300 && isNone(error, errors) ? undefined : error;
    },
    rules: rules.filter(({ only = when }) => only === when).map(ruleOf),
    fields,
    own: [],
    requestIdHeader: header?.toLowerCase(),
  });
}

/** A question's dialect: an answer that says the job's state is about the job, whatever else it says. */
export function questionDialect(description: Description): ErrorDialect {
  const dialect = dialectOf(description, 'status');
  return {
    ...dialect,
    read: (body, status) =>
      status < 300 && stateWord(body as Json, description) !== undefined ? undefined : dialect.read(body, status),
  };
}

/**
 * The fault in an answer that says that the job has failed; without an error of the vendor's its state's word is judged. Only a rule
 * says that the vendor has made nothing of it.
 */
export function failureOf(body: JsonObject, word: string, { endpoint, callersWords }: CallContext): Fault {
  const description = descriptionOf(endpoint);
  const { errors = {}, cost } = description;
  const read = readError(body, errors);
  const error = read === undefined || saysNone(read, errors.none) ? { code: word } : { code: word, ...read };
  const dialect: ErrorDialect = { ...dialectOf(description, 'status'), statuses: { 200: 'generation_failed' } };
  const secrets = present<Confidential>({ apiKey: endpoint.apiKey, prompt: callersWords?.() });
  const fault = judgeError(dialect, 200, error, { ...secrets, retryAfterMs: undefined });
  const credits = cost === undefined ? undefined : decimalText(valueAt(body, cost));
  return present<Fault>({ ...fault, credits });
}

/** The vendor's word for the job's state; undefined: the answer does not say. */
export function stateWord(body: Json, { status }: Description): string | undefined {
  return status === undefined ? undefined : wordAt(body, status.at);
}

function readError(body: Json, { code, message, field }: ErrorWords): VendorError | undefined {
  const error = present<VendorError>({
    code: wordAt(body, code),
    message: wordAt(body, message),
    param: wordAt(body, field),
  });
  return Object.keys(error).length === 0 ? undefined : error;
}

/** Whether what stands at the places of an error is none, in an answer that has succeeded. */
function isNone(error: VendorError | undefined, { none }: ErrorWords): boolean {
  return none === undefined || error?.code === undefined || saysNone(error, none);
}

function saysNone({ code }: VendorError, none: ErrorWords['none'] = []): boolean {
  return none.some((word) => String(word) === code);
}

/** A text, a number or a truth value as a word. */
function wordAt(body: Json, places: Places = []): string | undefined {
  const words = [places].flat().map((pointer) => wordOf(valueAt(body, pointer)));
  return words.find((word) => word !== undefined);
}

function wordOf(value: Json | undefined): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : text(value);
}

function ruleOf({ status, code, message, fault, of }: RuleWords): ErrorRule {
  return present<ErrorRule>({
    status,
    code: code && new RegExp(`^(?:${code.map(codePattern).join('|')})$`),
    message: message && new RegExp(message.map((word) => literal(String(word))).join('|'), 'i'),
    fault,
    ofModel: of === 'model' ? true : undefined,
  });
}

/** Words alone become expressions, so that none can take long: `[^]*` stands at the end of a branch, or nowhere. */
function codePattern(word: string | number): string {
  const written = String(word);
  return written.endsWith('*') ? `${literal(written.slice(0, -1))}[^]*` : literal(written);
}

function literal(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
