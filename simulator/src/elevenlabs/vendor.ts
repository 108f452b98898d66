import { Router } from 'express';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { modelList, subscription } from './account';
import { createMusic, createSoundEffects, promptRefused } from './sounds';
import { createSpeech } from './speech';
import { elevenlabsWire } from './wire';

const musicWire = { ...elevenlabsWire, words: { ...elevenlabsWire.words, 'policy-submit': promptRefused } };

/** Speech, tracks and sounds, whose answers are waited for. */
export default function createElevenlabs({ audio }: VendorTools, around: CallSurroundings): Vendor {
  const router = Router();
  router.post('/v1/text-to-speech/:voice/stream', serveVendorCall(elevenlabsWire, createSpeech(audio), around));
  router.post('/v1/music', serveVendorCall(musicWire, createMusic(audio), around));
  router.post('/v1/sound-generation', serveVendorCall(elevenlabsWire, createSoundEffects(audio), around));
  router.get('/v1/models', serveQuestion(elevenlabsWire, modelList, around));
  router.get('/v1/user/subscription', serveQuestion(elevenlabsWire, subscription, around));
  return { wire: elevenlabsWire, around, router, stores: [] };
}
