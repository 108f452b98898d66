import { SPEECH_FORMATS } from '@mediagate/contracts';
import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { characterPricing } from '../../tts/pricing';

const VOICES = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'onyx',
  'nova',
  'sage',
  'shimmer',
  'verse',
  'marin',
  'cedar',
] as const;

export default defineModel({
  id: 'ttsmodel-mini',
  family: 'tts',
  operation: 'audio.speech',
  version: 1,
  synchronous: true,
  input: fieldsOf(['input', 'voice'], {
    input: { type: 'string', maxLength: 4096, description: 'What is to be said.' },
    voice: { type: 'string', enum: VOICES },
    response_format: {
      type: 'string',
      enum: SPEECH_FORMATS,
      default: 'wav',
      description: 'pcm is 24 kHz, 16 bits, little-endian, mono.',
    },
    speed: { type: 'number', minimum: 0.25, maximum: 4, default: 1, description: 'Times as fast.' },
    instructions: { type: 'string', maxLength: 4096, description: 'How it is to be said.' },
    stream_format: {
      type: 'string',
      enum: ['audio'],
      description: 'The audio itself, as it is made; events are not offered.',
    },
  }),
  prices: { per_million_characters: 15 },
  ...characterPricing,
  media: () => [],
  request: ({ input, voice, response_format: format, speed, instructions }) => ({
    input,
    voice,
    format,
    speed,
    ...(instructions !== undefined && { instructions }),
  }),
  deadlineMinutes: 20,
  resultLifetimeHours: 24,
  examples: [
    { input: 'The lighthouse keeper counts the ships.', voice: 'coral' },
    { input: 'Land ahoy.', voice: 'alloy', response_format: 'pcm' },
    {
      input: 'The lighthouse keeper counts the ships.',
      voice: 'onyx',
      response_format: 'mp3',
      speed: 1.25,
      instructions: 'Slowly, like a bedtime story.',
    },
  ],
});
