import type { JsonSchema } from '../operation';
import { anyWord, integer, listOf, object, string, unixSeconds } from './build';

const STATES = ['pending', 'delivered', 'rejected', 'exhausted', 'dropped'];
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema['type'] as string, 'null'] });

const state = anyWord(
  STATES,
  '`pending`: will be tried, or tried again; `delivered`: answered 2xx; `rejected`: answered 3xx or 4xx; `exhausted`: every attempt failed; `dropped`: nothing may be sent to this URL.',
);
const status = orNull(integer('HTTP status of the answer; null: there was none.'));
const error = orNull(string('What went wrong where there was no answer.'));
const nextAttempt = orNull(unixSeconds('When it is tried next; null: it is not, or the task has not ended'));

export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Callback: object(
    {
      url: string('`webhook` of the submission.'),
      state,
      attempts: integer('Requests made so far.'),
      last_status: status,
      last_error: error,
      next_attempt_at: nextAttempt,
      refused_because: orNull(string('Which rule the URL breaks, when `dropped`.')),
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
        number: integer('From 1.'),
        started_at: unixSeconds('When it was sent'),
        ended_at: orNull(unixSeconds('When it ended; null: it is under way, or its outcome was lost')),
        status,
        error,
      }),
      'The newest 100, in order.',
    ),
  }),
};
