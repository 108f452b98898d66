import type { Operation } from '../../operation';
import { json, listOf, object, ref, wrapped } from '../../schemas/build';
import { CHANGE, CHANGE_KEY, READ, REASON } from './access';

const set = {
  ...CHANGE,
  role: 'admin',
  parameters: [CHANGE_KEY],
  answers: {
    200: { description: 'The channel as it is now.', content: json(wrapped(ref('Channel'))) },
  },
  refusals: [404, 409],
} as const;
const reason = { body: { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'rotating keys' }) } };

/** Kept in the database over the file, and known to every process within 5 seconds. */
export const CHANNEL_OPERATIONS = {
  adminListChannels: {
    ...READ,
    path: '/admin/v1/channels',
    summary: 'List channels',
    description:
      'By id: those of the configuration file, and those that it has no more while they have jobs, attempts or an override.',
    parameters: [
      {
        in: 'query',
        name: 'minutes',
        description: 'How far back attempts count.',
        schema: { type: 'integer', minimum: 1, maximum: 1440, default: 60 },
      },
    ],
    answers: { 200: { description: 'The channels.', content: json(wrapped(listOf(ref('Channel')))) } },
  },
  adminDrainChannel: {
    ...set,
    ...reason,
    path: '/admin/v1/channels/{channel_id}/drain',
    summary: 'Give a channel no new tasks',
    description: 'What it has accepted is finished. Counts within 5 seconds, over restarts, until `reset`.',
  },
  adminDisableChannel: {
    ...set,
    ...reason,
    path: '/admin/v1/channels/{channel_id}/disable',
    summary: 'Take a channel out of use',
    description: 'As `drain`, for a channel that is not to come back.',
  },
  adminWeighChannel: {
    ...set,
    path: '/admin/v1/channels/{channel_id}/weigh',
    summary: 'Set a channel’s share',
    description: 'Among the channels of equal priority.',
    body: {
      content: json(object({ weight: { type: 'integer', minimum: 1, maximum: 1000 }, 'reason?': REASON }), {
        weight: 5,
        reason: 'cheaper this month',
      }),
    },
  },
  adminResetChannel: {
    ...set,
    ...reason,
    path: '/admin/v1/channels/{channel_id}/reset',
    summary: 'Take a channel back to what the file says',
  },
} satisfies Record<string, Operation>;
