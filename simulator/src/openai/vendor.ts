import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { factQuestion, vendorRouter } from '../vendor-call/vendor-router';
import { createChat } from './chat/chat';
import { chatModelNames } from './chat/request';
import { createEdits } from './edits';
import { createGenerations } from './generations';
import { imageModelNames } from './models';
import { createModerations, MODERATION_MODELS } from './moderations';
import { SPEECH_MODELS } from './speech/request';
import { createSpeech } from './speech/speech';
import { contentBlocked, openaiWire } from './wire';

/** Images, verdicts, speech and chats, whose answers are waited for. */
export default function createOpenai({ clock, bringIn, audio }: VendorTools, around: CallSurroundings): Vendor {
  const { router, start, ask } = vendorRouter(openaiWire, around);
  start('/v1/images/generations', createGenerations({ clock }));
  start('/v1/images/edits', createEdits({ clock }));
  ask('post', '/v1/moderations', createModerations(bringIn));
  start('/v1/chat/completions', createChat(), { 'policy-submit': contentBlocked });
  ask('get', '/v1/models', modelList);
  start('/v1/audio/speech', createSpeech(audio), { 'policy-submit': contentBlocked });
  return { wire: openaiWire, around, router, stores: [] };
}

/** The shutdowns that the vendor has announced, by the beginning of a model's name. */
const SHUTDOWN_DATES: readonly [string, string][] = [
  ['tts-1', '2027-01-06'],
  ['gpt-4o-mini-tts', '2027-01-06'],
];

/** `GET /v1/models`. */
const modelList = factQuestion(() => ({
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
