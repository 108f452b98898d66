import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { given } from '../../../given';
import { text } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';

export default defineModel({
  ...musicOperation('lyrics'),
  route: { paths: ['/v1/music/generations/lyrics'], summary: 'Write lyrics' },
  input: fieldsOf(['prompt'], {
    prompt: text(3000, 'What the lyrics are about.'),
    // Whatever it is, it is passed on: the vendor has more than the two that are known.
    lyrics_model: text(64, 'classic or remi.'),
  }),
  media: () => [],
  request: (input) => ({ operation: 'lyrics', prompt: input.prompt, ...given({ lyricsModel: input.lyrics_model }) }),
  examples: [{ prompt: 'A ferry that never leaves', lyrics_model: 'remi' }],
});
