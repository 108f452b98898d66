import { LANGUAGES } from '@mediagate/languages';
import type { Answer, Parameter, Refusal } from '../operation';

/** The parts that most entries share: who may ask, and against which limit a request counts. */

export const QUERY = { method: 'get', auth: 'key', bucket: 'query' } as const;
export const SUBMIT = { method: 'post', auth: 'key', bucket: 'submit' } as const;
export const OPEN = { method: 'get', auth: 'none' } as const;

/** Refusals by every operation that creates a task. */
export const SUBMISSION_REFUSALS: readonly Refusal[] = [402, 403, 404, 409, 422, 502];

export const IDEMPOTENCY: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'One of your own for each submission: the same key with the same request answers the first acknowledgement again, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

export const DRY_RUN: Parameter = {
  in: 'query',
  name: 'dry_run',
  description:
    '`true`: all is judged and priced as usual, and nothing is made, booked or stored; the answer is the price.',
  schema: { type: 'boolean', default: false },
};

export const PREFER: Parameter = {
  in: 'header',
  name: 'Prefer',
  description:
    '`wait=60`: if the task ends within so many seconds, 55 at most, the answer is its record, with `Preference-Applied: wait`. With `cancel-on-hangup` beside it the task is cancelled if its caller hangs up before work on it has begun; not under an `Idempotency-Key`. What of it cannot be met is named in `warnings`, and 400 with `Strict: true`.',
  schema: { type: 'string' },
};

export const PREFER_CANCEL: Parameter = {
  in: 'header',
  name: 'Prefer',
  description:
    '`cancel-on-hangup`: the task is cancelled if its caller hangs up before work on it has begun, and answers no repetition; not under an `Idempotency-Key`.',
  schema: { type: 'string' },
};

export const STRICT: Parameter = {
  in: 'header',
  name: 'Strict',
  description: '`true`: fields that would be ignored are refused with 400, each by its name.',
  schema: { type: 'boolean', default: false },
};

export const METADATA: Parameter = {
  in: 'header',
  name: 'X-Metadata',
  description:
    'What is `metadata` in the bodies of other submissions: an object of at most 16 texts as JSON, up to 8 KiB. The body is the vendor’s.',
  schema: { type: 'string' },
};

export const MAX_COST: Parameter = {
  in: 'header',
  name: 'Max-Cost',
  description:
    'What is `max_cost` in the bodies of other submissions, in currency units: 402 if the answer can cost more.',
  schema: { type: 'number', exclusiveMinimum: 0 },
};

export const LANGUAGE: Parameter = {
  in: 'query',
  name: 'language',
  description: `Language of \`error.message\`: one of ${LANGUAGES.join(', ')}. Others leave it as it is.`,
  schema: { type: 'string' },
};

/** For operations whose answer has versions; they also have the answer `UNCHANGED`, and the header `ETag` on the others. */
export const IF_NONE_MATCH: Parameter = {
  in: 'header',
  name: 'If-None-Match',
  description: 'The `ETag` of the answer that you have: 304, without a body, while it is still the same.',
  schema: { type: 'string' },
};

export const UNCHANGED: Answer = { description: 'You have it already, by `If-None-Match`.', headers: ['ETag'] };

export const LIMIT: Parameter = {
  in: 'query',
  name: 'limit',
  description: 'Entries of a page.',
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
};

export const CURSOR: Parameter = {
  in: 'query',
  name: 'cursor',
  description: '`next_cursor` of the page before.',
  schema: { type: 'string' },
};

export const EXCEL: Parameter = {
  in: 'query',
  name: 'excel',
  description: 'The table is written for Excel: with a byte order mark, and with ids of digits as texts.',
  schema: { type: 'boolean', default: false },
};

export const TIMEZONE: Parameter = {
  in: 'query',
  name: 'timezone',
  description: 'The zone of all days and months, those of the query included, by its IANA name as Asia/Shanghai.',
  schema: { type: 'string', default: 'UTC' },
};

export const time = (name: string, description: string): Parameter => ({
  in: 'query',
  name,
  description: `${description} Unix seconds, or a day of UTC as 2026-01-31.`,
  schema: { type: 'string' },
});
