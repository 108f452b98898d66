import type { Operation } from '../../operation';
import { json, ref, wrapped } from '../../schemas/build';
import { READ } from './access';

/** The operation that counts waiting and running tasks and callbacks. */
export const QUEUE_OPERATIONS = {
  adminListQueues: {
    ...READ,
    path: '/admin/v1/queues',
    summary: 'Read what is queued and what is running',
    description:
      'The queues by family, and that of callbacks. Tasks and callbacks are counted by their rows, where 10,000 stands for that many or more; `jobs` is what Redis has of them.',
    answers: { 200: { description: 'The queues.', content: json(wrapped(ref('Queues'))) } },
  },
} satisfies Record<string, Operation>;
