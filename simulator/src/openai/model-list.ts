import { factQuestion } from '../vendor-call/vendor-router';
import { chatModelNames } from './chat/request';
import { imageModelNames } from './models';
import { MODERATION_MODELS } from './moderations';
import { SPEECH_MODELS } from './speech/request';

/** The shutdowns that the vendor has announced, by the beginning of a model's name. */
const SHUTDOWN_DATES: readonly [string, string][] = [
  ['tts-1', '2027-01-06'],
  ['gpt-4o-mini-tts', '2027-01-06'],
];

/** `GET /v1/models`. */
export const modelList = factQuestion(() => ({
  status: 200,
  body: { object: 'list', data: names().map(describe) },
}));

function names(): string[] {
  return [...chatModelNames(), ...imageModelNames(), ...MODERATION_MODELS, ...SPEECH_MODELS];
}

function describe(id: string) {
  const [, shutdownDate = null] = SHUTDOWN_DATES.find(([name]) => id.startsWith(name)) ?? [];
  return { id, object: 'model', created: 1_760_000_000, owned_by: 'openai', shutdown_date: shutdownDate };
}
