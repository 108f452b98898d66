import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const headers = { 'xi-api-key': keyOf('elevenlabs') };
const pathOf = (voice: unknown) => `/elevenlabs/v1/text-to-speech/${voice}/stream`;
const SARAH = 'EXAVITQu4vr4xnSDxMaL';

export const elevenlabs: Strictness = {
  name: 'elevenlabs',
  request: ({ voice, ...body }) => ({ path: pathOf(voice), headers, body }),
  good: { voice: SARAH, text: 'The gate is open.' },
  refusal: (status, code) => ({ status: Number(code), body: { detail: { status } } }),
  refuses: [
    ['an unknown voice', { voice: 'nobody' }, 'voice_not_found', '404'],
    ['an unknown model', { model_id: 'eleven_turbo_v9' }, 'model_not_found', '404'],
    ['an empty text', { text: ' ' }, 'empty_text', '400'],
    ['a text that is too long', { text: 'x'.repeat(10_001) }, 'text_too_long', '400'],
    ['too much speed', { voice_settings: { speed: 1.5 } }, 'invalid_voice_settings', '400'],
  ],
  requests: [
    [
      'a wrong key',
      { headers: { 'xi-api-key': 'sim-elevenlabs-other' } },
      { status: 401, body: { detail: { code: 'invalid_api_key' } } },
    ],
    [
      'a format that the schema does not know',
      { path: `${pathOf(SARAH)}?output_format=wav_24000` },
      { status: 422, body: { detail: [{ type: 'enum', loc: ['query', 'output_format'] }] } },
    ],
    ['no text', { body: {} }, { status: 422, body: { detail: [{ type: 'missing', loc: ['body', 'text'] }] } }],
  ],
};
