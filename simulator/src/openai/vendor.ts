import { Router } from 'express';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { chatWire, createChat } from './chat/chat';
import { createEdits } from './edits';
import { createGenerations } from './generations';
import { modelList } from './model-list';
import { createModerations } from './moderations';
import { createSpeech } from './speech/speech';
import { speechWire } from './speech/wire';
import { openaiWire } from './wire';

/** Images, verdicts, speech and chats, whose answers are waited for. */
export default function createOpenai({ clock, bringIn, audio }: VendorTools, around: CallSurroundings): Vendor {
  const router = Router();
  router.post('/v1/images/generations', serveVendorCall(openaiWire, createGenerations({ clock }), around));
  router.post('/v1/images/edits', serveVendorCall(openaiWire, createEdits({ clock, bringIn }), around));
  router.post('/v1/moderations', serveQuestion(openaiWire, createModerations(bringIn), around));
  router.post('/v1/chat/completions', serveVendorCall(chatWire, createChat(), around));
  router.get('/v1/models', serveQuestion(openaiWire, modelList, around));
  router.post('/v1/audio/speech', serveVendorCall(speechWire, createSpeech(audio), around));
  return { wire: openaiWire, around, router, stores: [] };
}
