import type { Operation } from '../../operation';
import { anyObject, json, listOf, object, ref, string, wrapped } from '../../schemas/build';
import { CHANGE, READ, REASON } from './access';

const set = {
  ...CHANGE,
  role: 'admin',
  answers: {
    200: { description: 'The channel as it is now.', content: json(wrapped(ref('Channel'))) },
  },
  refusals: [404, 409],
} as const;
const reason = { body: { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'rotating keys' }) } };

const EFFECTIVE_AT = {
  type: 'integer',
  description:
    'In Unix seconds; by default now, and where `models`, `costs` or `credit_cost` is among the settings at least 10 seconds ahead, so that every process knows it in time.',
} as const;
const settings = anyObject(
  'Fields as an entry under `channels` of the configuration file has them; a secret is a reference, as there. Null or `file`: as the file says.',
);
const changed = { 'effective_at?': EFFECTIVE_AT, 'reason?': REASON };

/** Kept in the database over the file, and known to every process within 2 seconds. */
export const CHANNEL_OPERATIONS = {
  adminListChannels: {
    ...READ,
    path: '/admin/v1/channels',
    summary: 'List channels',
    description:
      'By id: those of the configuration file, those that operators have added, and those that neither has any more while they have jobs or attempts.',
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
  adminAddChannel: {
    ...set,
    path: '/admin/v1/channels',
    summary: 'Add a channel that is not in the file',
    description: 'The channel takes tasks from `effective_at` on, by default ten seconds ahead.',
    body: {
      content: json(object({ id: string('Your own name of it.'), settings, ...changed }), {
        id: 'images-second',
        settings: {
          protocol: 'openai-images',
          base_url: 'https://vendor.example/v1',
          api_key: `\${secret:images-second}`,
          models: { 'imagegen-2': 'gpt-image-2' },
          max_concurrency: 50,
        },
      }),
    },
    answers: {
      201: {
        description: 'The channel as it is now.',
        content: json(object({ code: { const: 201 }, data: ref('Channel') })),
      },
    },
    refusals: [409],
  },
  adminGetChannel: {
    ...READ,
    path: '/admin/v1/channels/{channel_id}',
    summary: 'Read a channel',
    description: 'Includes a summary of the attempts of the last hour.',
    answers: { 200: { description: 'The channel.', content: json(wrapped(ref('Channel'))) } },
    refusals: [404],
  },
  adminGetChannelHistory: {
    ...READ,
    path: '/admin/v1/channels/{channel_id}/history',
    summary: 'Read a channel’s history',
    description:
      'How its attempts ended and how long they took, in 48 parts of the time and by model. Each part has its newest 1,000 attempts, from the newest 10,000 of all channels. A removed channel has a history as long as any of its attempts are kept.',
    parameters: [
      {
        in: 'query',
        name: 'minutes',
        description: 'How far back.',
        schema: { type: 'integer', minimum: 48, maximum: 10_080, default: 1440 },
      },
      { in: 'query', name: 'model', description: 'Only for this model.', schema: { type: 'string', maxLength: 128 } },
    ],
    answers: { 200: { description: 'Its history.', content: json(wrapped(ref('ChannelHistory'))) } },
    refusals: [404],
  },
  adminProbeChannel: {
    ...CHANGE,
    ...reason,
    role: 'support',
    path: '/admin/v1/channels/{channel_id}/probe',
    summary: 'Check whether a channel’s vendor answers and accepts the key',
    description:
      'Calls the vendor free of charge, with the channel’s key as the answering process has it, within some 10 seconds. Changes nothing; the audit log records who asked, and the answer.',
    answers: { 200: { description: 'What was seen.', content: json(wrapped(ref('ProbedChannel'))) } },
    refusals: [404, 409],
  },
  adminUpdateChannel: {
    ...set,
    method: 'patch',
    path: '/admin/v1/channels/{channel_id}',
    summary: 'Override fields of a channel',
    description:
      'Each override applies until it is removed. Settings that would be faulty in the file are refused, with every fault named. Attempts in progress end as they began.',
    body: {
      content: json(object({ settings, ...changed }), {
        settings: { max_concurrency: 80, base_url: 'https://eu.vendor.example/v1', weight: 'file' },
        reason: 'moving to the other region',
      }),
    },
  },
  adminRemoveChannel: {
    ...set,
    ...reason,
    path: '/admin/v1/channels/{channel_id}/remove',
    summary: 'Remove a channel that is not in the file',
    description:
      'The channel is removed permanently, within 2 seconds. Its settings are deleted, and models that only it served are no longer offered. Jobs that it has accepted are finished as long as its secret exists.',
  },
  adminDrainChannel: {
    ...set,
    ...reason,
    path: '/admin/v1/channels/{channel_id}/drain',
    summary: 'Stop new tasks on a channel and finish those in progress',
    description:
      'Jobs that it has accepted are finished. Applies within 2 seconds, and across restarts, until `reset`.',
  },
  adminDisableChannel: {
    ...set,
    ...reason,
    path: '/admin/v1/channels/{channel_id}/disable',
    summary: 'Disable a channel',
    description: 'Works like `drain`, for a channel that will not come back.',
  },
  adminWeighChannel: {
    ...set,
    path: '/admin/v1/channels/{channel_id}/weigh',
    summary: 'Set the weight of a channel',
    description: 'Channels of equal priority share tasks by weight.',
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
    summary: 'Remove all overrides of a channel',
    description:
      'Removes all settings of the channel, also those for later. For a channel that is not in the file it resets state and weight.',
  },
} satisfies Record<string, Operation>;
