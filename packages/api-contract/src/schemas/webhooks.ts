import { DELIVERY_STATES, ENDED_DELIVERY_STATES, MAX_REDELIVERED } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { anyWord, boolean, integer, json, listOf, object, oneOf, string, unixSeconds } from './build';

const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema['type'] as string, 'null'] });

const state = anyWord(
  DELIVERY_STATES,
  '`pending`: will be tried, or tried again; `delivered`: answered 2xx; `rejected`: answered 3xx or 4xx; `exhausted`: every attempt failed; `dropped`: nothing may be sent to this URL.',
);
const status = orNull(integer('HTTP status of the answer; null: there was none.'));
const error = orNull(string('What went wrong where there was no answer.'));
const nextAttempt = orNull(unixSeconds('When it is tried next; null: it is not, or the task has not ended'));

const moment = (description: string): JsonSchema => ({
  type: ['integer', 'string'],
  description: `${description}: Unix seconds, or a day of UTC.`,
});

/** Fields that choose the callbacks to send again. */
export const REDELIVERY_FIELDS = {
  'state?': oneOf(ENDED_DELIVERY_STATES, 'In this state; required without `task_ids`.'),
  'task_ids?': { ...listOf(string(), 'Only the callbacks of these tasks.'), maxItems: MAX_REDELIVERED },
  'created_after?': moment('Their tasks ended then or later'),
  'created_before?': moment('Their tasks ended before then, or by the end of that day'),
  'limit?': { type: 'integer', minimum: 1, maximum: MAX_REDELIVERED, default: MAX_REDELIVERED },
  'cursor?': string('`next_cursor` of the answer before.'),
} satisfies Record<string, JsonSchema>;

export const REDELIVERED = json(
  object({
    code: { const: 202 },
    data: object({
      redelivered: integer(
        'How many are due again. One answer looks at 5,000 callbacks, so that it may be none while `has_more` is true.',
      ),
      next_cursor: { type: ['string', 'null'], description: 'Send it as `cursor`; null: there are no others.' },
      has_more: boolean(),
    }),
  }),
);

export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Callback: object(
    {
      url: string('`webhook` of the submission.'),
      state,
      attempts: integer('Requests made so far.'),
      last_status: status,
      last_error: error,
      next_attempt_at: nextAttempt,
      refused_because: orNull(string('The rule that the URL breaks, where the callback is `dropped`.')),
    },
    'How the task’s callback stands.',
  ),
  Delivery: object({
    id: string(),
    task_id: string(),
    url: string('`webhook` of the submission.'),
    state,
    reason: orNull(string('Why it is not delivered: a status as `http_500`, or a word as `timeout`.')),
    created: unixSeconds('When the task ended'),
    next_attempt_at: nextAttempt,
    attempts: listOf(
      object({
        number: integer('Number of the attempt, from 1.'),
        started_at: unixSeconds('When it was sent'),
        ended_at: orNull(unixSeconds('When it ended; null: it is under way, or its outcome was lost')),
        status,
        error,
      }),
      'The newest 100, in order.',
    ),
  }),
};
