import { addressesAreFiles, FILE_ADDRESS, MAX_URL_LENGTH } from '../../../addresses';
import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { musicOperation } from '../../../music/operation';
import { SOUND_LIMITS } from '../../../music/sound';

export default defineModel({
  ...musicOperation('upload'),
  route: { paths: ['/v1/music/generations/upload'], summary: 'Register a sound of your own as a track' },
  input: fieldsOf(['audio_url'], {
    audio_url: {
      type: 'string',
      maxLength: MAX_URL_LENGTH,
      description: `Your own sound, of at most 8 minutes: other operations then take it as a track. ${FILE_ADDRESS}`,
    },
  }),
  rules: [addressesAreFiles(({ audio_url }: { audio_url: string }) => [{ field: 'audio_url', url: audio_url }])],
  media: ({ audio_url }) => [
    {
      field: 'audio_url',
      role: 'audio',
      url: audio_url,
      ...SOUND_LIMITS,
      limits: { minSeconds: 1, maxSeconds: 480 },
    },
  ],
  callersPart: () => 'all',
  request: ({ audio_url }) => ({ operation: 'upload', audioUrl: audio_url }),
  examples: [{ audio_url: 'https://example.com/humming.mp3' }],
});
