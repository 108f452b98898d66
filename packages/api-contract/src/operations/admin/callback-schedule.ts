import type { Operation } from '../../operation';
import { anyObject, json, object, ref, wrapped } from '../../schemas/build';
import { CHANGE, READ, REASON } from './access';

const ADMIN = { ...CHANGE, role: 'admin' } as const;

/** When callbacks are tried again, over the configuration file. */
export const SCHEDULE_OPERATIONS = {
  adminGetCallbackSchedule: {
    ...READ,
    path: '/admin/v1/callback-schedule',
    summary: 'Read the retry schedule of callbacks',
    answers: { 200: { description: 'The schedule.', content: json(wrapped(ref('CallbackSchedule'))) } },
  },
  adminUpdateCallbackSchedule: {
    ...ADMIN,
    method: 'patch',
    path: '/admin/v1/callback-schedule',
    summary: 'Override the retry schedule of callbacks',
    description: 'Applies within 2 seconds, also to callbacks in progress.',
    body: {
      content: json(
        object({
          settings: anyObject(
            '`retry_delays_seconds` and `timeout_seconds` as under `webhooks` of the configuration file. Null or `file`: as the file says.',
          ),
          'effective_at?': { type: 'integer', description: 'In Unix seconds; by default now.' },
          'reason?': REASON,
        }),
        { settings: { retry_delays_seconds: [10, 30, 60, 3600] } },
      ),
    },
    answers: { 200: { description: 'The schedule as it is now.', content: json(wrapped(ref('CallbackSchedule'))) } },
  },
} satisfies Record<string, Operation>;
