import type { Operation } from '../../operation';
import { json, listOf, ref, wrapped } from '../../schemas/build';
import { READ } from './access';

/** The operation that lists what needs attention. */
export const TROUBLE_OPERATIONS = {
  adminListTroubles: {
    ...READ,
    path: '/admin/v1/troubles',
    summary: 'List what needs attention',
    description:
      'By urgency; among equals by cost, then by accounts and work touched. It shows what the database and Redis know; a process that does not answer is known only to who asks it.',
    answers: { 200: { description: 'The troubles, the worst first.', content: json(wrapped(listOf(ref('Trouble')))) } },
  },
} satisfies Record<string, Operation>;
