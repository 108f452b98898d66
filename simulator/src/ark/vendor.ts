import { Router } from 'express';
import type { Vendor, VendorTools } from '../vendor';
import type { Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createGenerations } from './generations';
import { arkWire } from './wire';

/** The list of video tasks, of which there are none here. */
const videoTasks: Question<undefined> = {
  operation: 'question',
  find: () => undefined,
  about: () => ({ model: '', prompt: '' }),
  answer: () => ({ status: 200, body: { items: [], total: 0 } }),
};

/** Images, whose answers are waited for. */
export default function createArk(tools: VendorTools, around: CallSurroundings): Vendor {
  const router = Router();
  router.post('/api/v3/images/generations', serveVendorCall(arkWire, createGenerations(tools), around));
  router.get('/api/v3/contents/generations/tasks', serveQuestion(arkWire, videoTasks, around));
  return { wire: arkWire, around, router, stores: [] };
}
