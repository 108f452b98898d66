import { defineModel } from '../../../define-model';
import { given } from '../../../given';
import { audioFormat, instrumental, songwriting, version } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { songwritingRequest, writtenTrack } from '../../../music/songwriting';

export default defineModel({
  ...musicOperation('create', { versioned: true }),
  route: { paths: ['/v1/music/generations'], summary: 'Make a track' },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      version: version('v5.5'),
      ...songwriting,
      instrumental,
      audio_format: audioFormat,
      duration: { type: 'integer', minimum: 10, maximum: 360, description: 'Seconds wanted.' },
    },
  },
  ...writtenTrack,
  media: () => [],
  request: (input) => ({
    operation: 'create',
    version: input.version,
    ...songwritingRequest(input),
    instrumental: input.instrumental,
    audioFormat: input.audio_format,
    ...given({ seconds: input.duration }),
  }),
  examples: [
    { gpt_description: 'A slow waltz about the harbour at night' },
    {
      prompt: '[Verse]\nThe tide goes out',
      title: 'Harbour',
      tags: 'waltz, accordion',
      vocal_gender: 'f',
      version: 'v5',
    },
    { tags: 'ambient, piano', instrumental: true, audio_format: 'wav', duration: 60 },
  ],
});
