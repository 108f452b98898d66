import { Router } from 'express';
import { createGenerations as createArkGenerations } from './ark/generations';
import { arkWire } from './ark/wire';
import type { AssetStore } from './assets/asset-store';
import type { Clock } from './clock';
import { countTokens } from './gemini/count-tokens';
import { createGenerateContent } from './gemini/generate-content';
import { modelQuestion } from './gemini/models';
import { geminiWire } from './gemini/wire';
import type { PictureSource } from './media/picture-source';
import type { SpeechStudio } from './media/speech/speech-studio';
import { createEdits } from './openai/edits';
import { createGenerations as createOpenaiGenerations } from './openai/generations';
import { createModerations } from './openai/moderations';
import { createSpeech } from './openai/speech/speech';
import { speechWire } from './openai/speech/wire';
import { openaiWire } from './openai/wire';
import type { Vendor } from './vendor';
import type { CallSurroundings } from './vendor-call/exchange';
import { serveVendorCall } from './vendor-call/serve';
import { serveQuestion } from './vendor-call/serve-question';

export interface WaitedTools {
  clock: Clock;
  assets: AssetStore;
  bringIn: PictureSource;
  speech: SpeechStudio;
}

/** The vendors whose answers are waited for. */
export function createWaitedVendors(tools: WaitedTools, surroundings: () => CallSurroundings): Vendor[] {
  return [openai(tools, surroundings()), gemini(surroundings()), ark(tools, surroundings())];
}

function openai({ clock, bringIn, speech }: WaitedTools, around: CallSurroundings): Vendor {
  const router = Router();
  router.post('/v1/images/generations', serveVendorCall(openaiWire, createOpenaiGenerations({ clock }), around));
  router.post('/v1/images/edits', serveVendorCall(openaiWire, createEdits({ clock, bringIn }), around));
  router.post('/v1/moderations', serveQuestion(openaiWire, createModerations(bringIn), around));
  router.post('/v1/audio/speech', serveVendorCall(speechWire, createSpeech(speech), around));
  return { wire: openaiWire, around, router, stores: [] };
}

function gemini(around: CallSurroundings): Vendor {
  const router = Router();
  for (const version of ['v1', 'v1beta']) {
    const model = `/${version}/models/:model`;
    for (const method of ['generateContent', 'streamGenerateContent'] as const) {
      router.post(`${model}\\:${method}`, serveVendorCall(geminiWire, createGenerateContent(method), around));
    }
    router.post(`${model}\\:countTokens`, serveQuestion(geminiWire, countTokens, around));
    router.get([`/${version}/models`, model], serveQuestion(geminiWire, modelQuestion, around));
  }
  return { wire: geminiWire, around, router, stores: [] };
}

function ark(tools: WaitedTools, around: CallSurroundings): Vendor {
  const router = Router();
  router.post('/api/v3/images/generations', serveVendorCall(arkWire, createArkGenerations(tools), around));
  return { wire: arkWire, around, router, stores: [] };
}
