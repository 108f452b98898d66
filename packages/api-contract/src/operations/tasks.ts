import { DELIVERY_STATES, FAMILIES, TASK_STATUSES } from '@mediagate/contracts';
import type { Operation, Parameter } from '../operation';
import { events, json, listOf, object, page, ref, string, wrapped } from '../schemas/build';
import { CANCELLED_EXAMPLE, TASK_EXAMPLE } from '../schemas/task-record';
import { CURSOR, IF_NONE_MATCH, LANGUAGE, LIMIT, QUERY, time, UNCHANGED } from './access';

const INCLUDE: Parameter = {
  in: 'query',
  name: 'include',
  description: 'What is shown beside the record: any of `input`, `attempts` and `ledger`, with commas between them.',
  schema: { type: 'string' },
};

const tasks = { ...QUERY, tag: 'Tasks', scope: 'own' } as const;
const ids = { ...listOf(string()), minItems: 1, maxItems: 100 };

const CALLBACK_FILTERS = [...DELIVERY_STATES, 'failed'];

const filter = (name: string, description: string, schema: object = {}): Parameter => ({
  in: 'query',
  name,
  description,
  schema: { type: 'string', ...schema },
});

export const TASK_OPERATIONS = {
  listTasks: {
    ...tasks,
    path: '/v1/tasks',
    summary: 'List tasks',
    description:
      'Tasks that the key sees, the newest first; each filter narrows the list. With several filters, or one of a key of the scope `own`, a page may have fewer tasks than `limit`, or none, while `has_more` is true: go on with `next_cursor`.',
    parameters: [
      LIMIT,
      CURSOR,
      filter('status', 'Tasks of this status.', { enum: [...TASK_STATUSES] }),
      filter('family', 'Tasks of this family.', { enum: [...FAMILIES] }),
      filter('model', 'Tasks of this model, by id or alias.', { maxLength: 128 }),
      time('created_after', 'Tasks created then or later.'),
      time('created_before', 'Tasks created before then, or by the end of that day.'),
      filter('idempotency_key', 'The task that was submitted with this key in the last 24 hours.', { maxLength: 255 }),
      filter('parent_task_id', 'Tasks that work on the result of this one.'),
      filter('metadata.<name>', 'Tasks whose metadata has this text under the name; any number of names.', {
        maxLength: 512,
      }),
      filter(
        'callback',
        'Tasks whose callback stands so, as `callback.state` of their records; `failed`: `rejected`, `exhausted` or `dropped`.',
        { enum: CALLBACK_FILTERS },
      ),
      LANGUAGE,
      { ...INCLUDE, description: `${INCLUDE.description} \`limit\` is 20 at most then.` },
      IF_NONE_MATCH,
    ],
    answers: {
      200: {
        description: 'A page of tasks.',
        headers: ['ETag'],
        content: json(page(ref('ShownTaskRecord')), {
          code: 200,
          data: [TASK_EXAMPLE],
          next_cursor: null,
          has_more: false,
        }),
      },
      304: UNCHANGED,
    },
  },
  getTasks: {
    ...tasks,
    method: 'post',
    path: '/v1/tasks/batch',
    summary: 'Read several tasks',
    description: 'Up to 100 at once, answered in the order asked for; each is found or not on its own.',
    body: {
      content: json(
        {
          ...object({
            'task_ids?': { ...ids, description: 'Required, unless they stand in `ids`.' },
            'ids?': { ...ids, description: 'Another name of `task_ids`.' },
            'language?': string('Language of `error.message`.'),
          }),
          anyOf: [{ required: ['task_ids'] }, { required: ['ids'] }],
        },
        { task_ids: ['task_01m7y2sj24fztvyr284w6jthg6'] },
      ),
    },
    answers: {
      200: {
        description: 'The tasks.',
        content: json(wrapped(listOf({ anyOf: [ref('TaskRecord'), ref('MissingTask')] })), {
          code: 200,
          data: [TASK_EXAMPLE],
        }),
      },
    },
  },
  getTask: {
    ...tasks,
    path: '/v1/tasks/{id}',
    summary: 'Read a task',
    description:
      'Ask with `wait`, or every 2 to 5 seconds, until the task has ended, or use `webhook`. To a key that does not see it, it is 404.',
    parameters: [
      {
        in: 'query',
        name: 'wait',
        description:
          'Seconds to wait for the end of the task; after 55, however many were asked for, it is answered as it is.',
        schema: { type: 'integer', minimum: 0, default: 0 },
      },
      LANGUAGE,
      INCLUDE,
      IF_NONE_MATCH,
    ],
    answers: {
      200: {
        description: 'The task.',
        headers: ['ETag'],
        content: json(wrapped(ref('ShownTaskRecord')), { code: 200, data: TASK_EXAMPLE }),
      },
      304: UNCHANGED,
    },
    refusals: [404],
  },
  followTask: {
    ...tasks,
    path: '/v1/tasks/{id}/events',
    summary: 'Follow a task',
    description:
      'Server-sent events: `event: task`, `id:` a number that stands for the state, `data:` the record; now, and whenever the status or the progress changes. A comment comes every 15 seconds. The stream is closed after the record of the ended task, or when the service restarts: go on with `Last-Event-ID`.',
    parameters: [
      LANGUAGE,
      {
        in: 'header',
        name: 'Last-Event-ID',
        description: 'The last `id` that was received: that state is not sent again.',
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: {
        description: 'The events.',
        content: events(
          'The `data` of each event is a `TaskRecord`.',
          'event: task\nid: 20\ndata: {"id":"task_01m7y2sj24fztvyr284w6jthg6","status":"processing","progress":40}\n\n: still here\n\n',
        ),
      },
      204: { description: 'The task has ended, and `Last-Event-ID` is its last event.' },
    },
    refusals: [404],
  },
  getLineage: {
    ...tasks,
    path: '/v1/tasks/{id}/lineage',
    summary: 'Read a task’s ancestors and descendants',
    description: 'At most 100 tasks each way.',
    answers: { 200: { description: 'The tasks around it.', content: json(wrapped(ref('Lineage'))) } },
    refusals: [404],
  },
  cancelTask: {
    ...tasks,
    method: 'post',
    path: '/v1/tasks/{id}/cancel',
    summary: 'Cancel a task',
    description:
      'The task fails with the reason `cancelled`, and what was held for it is released. Work that a provider has begun may be past stopping: then it is 409, and the task ends as it would have. The answer may take 10 seconds. Cancelling again gives the same answer.',
    parameters: [LANGUAGE],
    answers: {
      200: {
        description: 'The task, which has failed.',
        content: json(wrapped(ref('CancelledTask')), { code: 200, data: CANCELLED_EXAMPLE }),
      },
    },
    refusals: [404, 409],
  },
  getMusicTask: {
    ...tasks,
    path: '/v1/music/tasks/{id}',
    summary: 'Read a music task',
    parameters: [LANGUAGE, IF_NONE_MATCH],
    answers: {
      200: { description: 'The task.', headers: ['ETag'], content: json(wrapped(ref('MusicTaskRecord'))) },
      304: UNCHANGED,
    },
    refusals: [404],
  },
} satisfies Record<string, Operation>;
