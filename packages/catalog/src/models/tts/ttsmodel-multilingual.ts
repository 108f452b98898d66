import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { characterPricing } from '../../tts/pricing';

const VOICES = [
  'alice',
  'bill',
  'brian',
  'callum',
  'charlie',
  'chris',
  'daniel',
  'eric',
  'george',
  'jessica',
  'laura',
  'liam',
  'lily',
  'matilda',
  'river',
  'sarah',
  'will',
] as const;

export default defineModel({
  id: 'ttsmodel-multilingual',
  family: 'tts',
  operation: 'audio.speech',
  version: 1,
  synchronous: true,
  // An answer of sound has no place for a warning that they were ignored.
  unsupportedParameters: ['instructions'],
  input: fieldsOf(['input', 'voice'], {
    input: { type: 'string', maxLength: 10_000, description: 'What is to be said, in any of 29 languages.' },
    voice: { type: 'string', enum: VOICES },
    response_format: {
      type: 'string',
      enum: ['mp3', 'wav', 'opus', 'pcm'],
      default: 'wav',
      description: 'pcm is 24 kHz, 16 bits, little-endian, mono.',
    },
    speed: { type: 'number', minimum: 0.7, maximum: 1.2, default: 1, description: 'Times as fast.' },
    stream_format: {
      type: 'string',
      enum: ['audio'],
      description: 'The audio itself, as it is made; events are not offered.',
    },
  }),
  // The vendor's list of June 2026: 0.10 for 1,000 characters.
  prices: { per_million_characters: 100 },
  ...characterPricing,
  media: () => [],
  request: ({ input, voice, response_format: format, speed }) => ({ input, voice, format, speed }),
  deadlineMinutes: 20,
  resultLifetimeHours: 24,
  examples: [
    { input: 'The lighthouse keeper counts the ships.', voice: 'sarah' },
    { input: 'Der Leuchtturmwärter zählt die Schiffe.', voice: 'george', response_format: 'mp3', speed: 0.9 },
  ],
});
