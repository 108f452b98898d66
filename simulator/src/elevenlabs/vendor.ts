import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
import { modelList, subscription } from './account';
import { createMusic, createSoundEffects, promptRefused } from './sounds';
import { createSpeech } from './speech';
import { elevenlabsWire } from './wire';

/** Speech, tracks and sounds, whose answers are waited for. */
export default function createElevenlabs({ audio }: VendorTools, around: CallSurroundings): Vendor {
  const { router, start, ask } = vendorRouter(elevenlabsWire, around);
  start('/v1/text-to-speech/:voice/stream', createSpeech(audio));
  start('/v1/music', createMusic(audio), { 'policy-submit': promptRefused });
  start('/v1/sound-generation', createSoundEffects(audio));
  ask('get', '/v1/models', modelList);
  ask('get', '/v1/user/subscription', subscription);
  return { wire: elevenlabsWire, around, router, stores: [] };
}
