import {
  EARLY_STATUSES,
  ERROR_TABLE,
  type ErrorCode,
  openAiCode,
  openAiType,
  REASONS,
  type Reason,
} from '@mediagate/contracts';
import type { ErrorShape, JsonSchema } from '../operation';
import { anyWord, listOf, number, object, oneOf, string, unixSeconds } from './build';

type Entry = (typeof ERROR_TABLE)[keyof typeof ERROR_TABLE];
const ENTRIES: readonly Entry[] = Object.values(ERROR_TABLE);

/** When an answer has the status, for readers. */
export const ERROR_MEANINGS: Readonly<Record<number, string>> = {
  400: 'a parameter is missing, of the wrong type, out of range or in conflict; the message names it',
  401: 'no key, more than one, or one that is wrong, revoked or expired',
  402: "the account's balance or the key's quota is too small for the most the task can cost",
  403: 'the key may not use this family or model, or not manage this; or a link whose signature is wrong',
  404: 'no such endpoint, task, model or file',
  405: 'another method is needed; `Allow` says which',
  408: 'the body came too slowly, or not at all',
  409: 'an `Idempotency-Key` came before with another request, or with one whose answer is not kept (speech, text); or what is asked for cannot be done now, as `reason` says',
  410: 'a link that has expired',
  413: 'the body or a file is too large',
  415: 'not the content type the route takes',
  416: 'a range beyond the end of the file',
  422: 'parameters that exclude each other, where the specification says so',
  429: 'too many requests, uploads or redeliveries, or no slot of the key came free for a text or a speech; wait for `Retry-After` seconds',
  500: 'a fault of the service',
  502: 'the review that `nsfw_check` asks for could not be had; or the model of a speech or text failed. Nothing is charged',
  503: 'the service, or every upstream of a speech or text, cannot take work now; `Retry-After` says when to try again. Nothing is charged',
  504: 'the task has not ended in the time that its caller can wait; it goes on, and `X-Task-Id` names it',
};

const BODIES: Record<ErrorShape, (status: number) => JsonSchema> = {
  standard: (status) =>
    object({
      error: object({
        code: { const: status },
        message,
        type: oneOf(typesOf(status)),
        ...blame(status),
        ...more(status),
      }),
    }),
  imgtool: (status) =>
    object({ error: object({ message, type: oneOf(imgtoolTypesOf(status)), ...blame(status), ...more(status) }) }),
  native: (status) =>
    object({
      error: object({
        code: { const: status },
        message,
        status: oneOf(unique(entriesOf(status).map(({ textStatus }) => textStatus))),
        ...blame(status),
        ...more(status),
      }),
    }),
  openai: (status) =>
    object({
      error: object({
        message,
        type: oneOf(unique(codesOf(status).map(openAiType))),
        code: anyWord(unique(reasonsOf(status).map((reason) => openAiCode(reason as Reason)))),
        reason: blame(status)['reason'] as JsonSchema,
        param: { ...string('Path of the field at fault.'), type: ['string', 'null'] },
        'task_id?': string('Id of the task that was waited for.'),
        ...more(status),
      }),
    }),
  legacy: (status) =>
    object({
      code: {
        type: 'integer',
        enum: [3, 4, 9, 24],
        description:
          '4: the request is wrong; 3: there is no such task; 24: a review refused the prompt; 9: anything else.',
      },
      description: string('For people; may be reworded.'),
      failReason: string('The same.'),
      result: { type: 'null' },
      properties: object({ ...blame(status), ...more(status) }),
    }),
};

const message = string('For people; may be reworded.');

/** Schema of an error answer with the status. */
export function errorBodySchema(dialect: ErrorShape, status: number): JsonSchema {
  return BODIES[dialect](status);
}

export function reasonsOf(status: number): readonly string[] {
  const before = EARLY_STATUSES[status];
  return before === undefined ? unique(entriesOf(status).flatMap(({ reasons }) => reasons)) : [before];
}

/** The fields by which callers' programs decide what to do. */
function blame(status: number): Record<string, JsonSchema> {
  return {
    reason: anyWord(reasonsOf(status), 'Never changes its meaning; new ones may come.'),
    'param?': string('Path of the field at fault: `image_urls[0]`.'),
  };
}

/** Fields for all faults of a body, for the amounts or the time behind a refusal, and for the id to quote. */
function more(status: number): Record<string, JsonSchema> {
  return {
    ...figuresOf(status),
    request_id: string('Id of the request, as in `X-Request-Id`; quote it when you ask for help.'),
  };
}

function figuresOf(status: number): Record<string, JsonSchema> {
  if (status === 400 || status === 422)
    return { 'errors?': listOf(fault, 'Every fault of the body; the first is that of `message`.') };
  if (status === 409)
    return { 'previous_valid_until?': unixSeconds('Time until which the previous secret of callbacks is valid') };
  if (status === 402) return { 'required?': amount, 'available?': amount, 'held?': amount };
  return {};
}

const fault = object({ param: string(), reason: anyWord(Object.keys(REASONS)), message });
const amount = number('Currency units.');

export function typesOf(status: number): string[] {
  return unique(entriesOf(status).map(({ type }) => type));
}

function imgtoolTypesOf(status: number): string[] {
  return status === 500 ? ['internal_error'] : typesOf(status);
}

function entriesOf(status: number): Entry[] {
  return ENTRIES.filter(({ httpStatus }) => httpStatus === (status in EARLY_STATUSES ? 400 : status));
}

function codesOf(status: number): ErrorCode[] {
  const entries = entriesOf(status);
  return (Object.keys(ERROR_TABLE) as ErrorCode[]).filter((code) => entries.includes(ERROR_TABLE[code]));
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)];
}
