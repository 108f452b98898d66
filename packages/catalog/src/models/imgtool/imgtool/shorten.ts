import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { common, prompt } from '../../../imgtool/fields';
import { readPaidFlags } from '../../../imgtool/flags';
import { imgtoolOperation } from '../../../imgtool/operation';

export default defineModel({
  ...imgtoolOperation('shorten'),
  input: fieldsOf(['prompt'], { prompt, ...common }),
  read: readPaidFlags,
  media: () => [],
  request: ({ prompt, speed }) => ({ action: 'shorten', speed, prompt }),
  examples: [{ prompt: 'a very tall lighthouse that stands on a rock in the sea at dusk' }],
});
