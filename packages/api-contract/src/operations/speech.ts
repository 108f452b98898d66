import type { Content, Operation } from '../operation';
import { fileBytes, json, ref } from '../schemas/build';
import { DRY_RUN, IDEMPOTENCY, STRICT, SUBMISSION_REFUSALS, SUBMIT } from './access';

const AUDIO_TYPES = ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/aac', 'audio/flac', 'audio/pcm'];
const audio: Content = { schema: fileBytes() };

export const SPEECH_OPERATIONS = {
  createSpeech: {
    ...SUBMIT,
    tag: 'Speech',
    scope: 'own',
    family: 'tts',
    path: '/v1/audio/speech',
    summary: 'Speak a text',
    description:
      'The answer is the audio itself, sent on as the model makes it. If it breaks off, so does the connection, and nothing is charged.',
    parameters: [IDEMPOTENCY, STRICT, DRY_RUN],
    body: { models: 'audio.speech', withoutFields: ['expires_in'] },
    answers: {
      200: {
        description: 'The audio, in the format asked for.',
        content: { ...Object.fromEntries(AUDIO_TYPES.map((type) => [type, audio])), ...json(ref('EstimateAnswer')) },
        headers: ['X-Task-Id', 'AI-Disclosure'],
      },
    },
    refusals: SUBMISSION_REFUSALS,
  },
} satisfies Record<string, Operation>;
