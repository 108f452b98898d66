import type { Operation } from '../../operation';
import { json, ref, wrapped } from '../../schemas/build';
import { READ } from './access';

export const SETTING_OPERATIONS = {
  adminListSettings: {
    ...READ,
    path: '/admin/v1/settings',
    summary: 'Read the settings of the process that answers',
    description:
      'The environment of the process, the configuration file as it was last read, and each channel, with the origin of each value. A secret only shows whether it is set. Prices have a list of their own.',
    answers: { 200: { description: 'The settings.', content: json(wrapped(ref('Settings'))) } },
  },
} satisfies Record<string, Operation>;
