import { FAMILIES, TASK_STATUSES } from '@mediagate/contracts';
import type { Operation } from '../../operation';
import { boolean, json, object, oneOf, page, ref, wrapped } from '../../schemas/build';
import { CURSOR, LIMIT, time } from '../access';
import { AMOUNT, CHANGE, READ, REASON } from './access';

const filter = (name: string, description: string, schema: object = {}) =>
  ({ in: 'query', name, description, schema: { type: 'string', maxLength: 2048, ...schema } }) as const;

const change = { ...CHANGE, role: 'support', refusals: [404, 409] } as const;
const reason = { body: { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'ticket 4711' }) } };
const COST = {
  ...AMOUNT,
  exclusiveMinimum: 0,
  description: 'What it charges, in currency units, of `paid`; absent: what is known stays.',
};
const history = json(wrapped(ref('TaskHistory')));

export const SUPPORT_OPERATIONS = {
  adminSearchTasks: {
    ...READ,
    path: '/admin/v1/tasks',
    summary: 'Search tasks',
    description:
      'Tasks of all accounts, found by whatever a support case has, the newest first. A page may have fewer tasks than `limit`, or none, while `has_more` is true: go on with `next_cursor`.',
    parameters: [
      LIMIT,
      CURSOR,
      filter('account_id', 'Only for this account.'),
      filter('request_id', '`X-Request-Id` of the submission: the caller’s own, or the one that it was given.'),
      filter('id', 'A whole id, its beginning as `task_01m7…`, or any part of it.', { maxLength: 31 }),
      filter(
        'query',
        'Up to ten words, in any letter case, that all stand in what is known of it: model, reason and message of a failure, metadata, channels, the vendors’ ids of its jobs and what they said of them. Not in prompts.',
        { maxLength: 200 },
      ),
      filter('url', 'The URL of a file: of a result, or of one that a task was given.'),
      filter('metadata.<name>', 'Only tasks whose metadata has this text under the name; needs `account_id`.'),
      filter('status', 'Only with this status.', { enum: [...TASK_STATUSES] }),
      filter('family', 'Only of this family.', { enum: [...FAMILIES] }),
      filter('model', 'Only for the model with this id.', { maxLength: 128 }),
      time('created_after', 'Created then or later.'),
      time('created_before', 'Created before then, or by the end of that day.'),
    ],
    answers: { 200: { description: 'A page of tasks.', content: json(page(ref('FoundTask'))) } },
  },
  adminGetTask: {
    ...READ,
    path: '/admin/v1/tasks/{id}',
    summary: 'Read everything about a task',
    description:
      'Its money, attempts, callback, and everything that happened in the order of time; never its input, and what it made only by `POST /admin/v1/tasks/{id}/result`.',
    answers: { 200: { description: 'The task.', content: history } },
    refusals: [404],
  },
  adminShowResult: {
    ...change,
    ...reason,
    path: '/admin/v1/tasks/{id}/result',
    summary: 'Read the result of a task',
    description:
      'Its links expire within 15 minutes. The result belongs to the account, so the audit log records who looked, and why. Changes nothing.',
    answers: {
      200: {
        description: 'What it made; null: nothing that is kept.',
        content: json(
          wrapped(object({ id: { type: 'string' }, result: { anyOf: [ref('TaskResult'), { type: 'null' }] } })),
        ),
      },
    },
  },
  adminRetryTask: {
    ...change,
    ...reason,
    path: '/admin/v1/tasks/{id}/retry',
    summary: 'Retry an unfinished task now',
    description:
      'Failed steps of the task no longer count. A failed task is refunded and final: its caller must submit it again.',
    answers: { 200: { description: 'The task, which is due.', content: history } },
  },
  adminFailTask: {
    ...change,
    ...reason,
    path: '/admin/v1/tasks/{id}/fail',
    summary: 'Cancel an unfinished task and refund it',
    description: 'This also ends a task that a worker is processing. Its callback is sent.',
    answers: { 200: { description: 'The task, which has failed.', content: history } },
  },
  adminListQuarantine: {
    ...READ,
    path: '/admin/v1/attempts',
    summary: 'List attempts with an unknown outcome',
    description:
      'The newest first. Their tasks have ended; whether the vendor charges for them is for an operator to find out.',
    parameters: [
      LIMIT,
      CURSOR,
      { in: 'query', name: 'resolved', description: '`true`: also those that were resolved.', schema: boolean() },
      {
        in: 'query',
        name: 'test',
        description: '`true`: those of test keys, which nobody has to resolve, in place of the others.',
        schema: boolean(),
      },
    ],
    answers: { 200: { description: 'A page of attempts.', content: json(page(ref('QuarantinedAttempt'))) } },
  },
  adminResolveAttempt: {
    ...change,
    role: 'billing',
    path: '/admin/v1/attempts/{attempt_id}/resolve',
    summary: 'Record whether the vendor charges for an attempt',
    description: 'An attempt is resolved once. The account’s money stays as it is.',
    body: {
      content: json(object({ resolution: oneOf(['paid', 'not_paid']), 'cost?': COST, 'reason?': REASON }), {
        resolution: 'paid',
        cost: 0.042,
        reason: 'on the invoice of November',
      }),
    },
    answers: {
      200: {
        description: 'What was written down.',
        content: json(wrapped(object({ id: { type: 'string' }, resolution: oneOf(['paid', 'not_paid']) }))),
      },
    },
  },
} satisfies Record<string, Operation>;
