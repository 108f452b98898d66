import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
import { createChat } from './chat/chat';
import { createEdits } from './edits';
import { createGenerations } from './generations';
import { modelList } from './model-list';
import { createModerations } from './moderations';
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
