import type { Operation } from '../../operation';
import { json, ref, wrapped } from '../../schemas/build';
import { READ } from './access';

export const SETTING_OPERATIONS = {
  adminListSettings: {
    ...READ,
    path: '/admin/v1/settings',
    summary: 'Read the settings of the process that answers',
    description:
      'Its environment, the configuration file as it was read last, and each channel, with where each value comes from. Of a secret only whether it is set. Prices have a list of their own.',
    answers: { 200: { description: 'The settings.', content: json(wrapped(ref('Settings'))) } },
  },
} satisfies Record<string, Operation>;
