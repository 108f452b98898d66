import { Router } from 'express';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { countTokens } from './count-tokens';
import { createGenerateContent } from './generate-content';
import { modelQuestion } from './models';
import { geminiWire } from './wire';

/** Texts and images, whose answers are waited for. */
export default function createGemini(_tools: VendorTools, around: CallSurroundings): Vendor {
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
