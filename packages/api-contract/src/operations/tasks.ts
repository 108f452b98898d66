import type { Operation } from '../operation';
import { json, listOf, object, ref, string, wrapped } from '../schemas/build';
import { CANCELLED_EXAMPLE, TASK_EXAMPLE } from '../schemas/task-record';
import { LANGUAGE, QUERY } from './access';

const tasks = { ...QUERY, tag: 'Tasks' } as const;
const ids = { ...listOf(string()), minItems: 1, maxItems: 100 };

export const TASK_OPERATIONS = {
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
      'Ask every 2 to 5 seconds until the task has ended, or use `webhook`. It can be read with every key of its account; to others it is 404.',
    parameters: [LANGUAGE],
    answers: {
      200: { description: 'The task.', content: json(wrapped(ref('TaskRecord')), { code: 200, data: TASK_EXAMPLE }) },
    },
    refusals: [404],
  },
  getLineage: {
    ...tasks,
    path: '/v1/tasks/{id}/lineage',
    summary: 'Where a task comes from, and what was made of it',
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
    parameters: [LANGUAGE],
    answers: { 200: { description: 'The task.', content: json(wrapped(ref('MusicTaskRecord'))) } },
    refusals: [404],
  },
} satisfies Record<string, Operation>;
