import { Router } from 'express';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { createGenerations } from './generations';
import { arkWire } from './wire';

/** Images, whose answers are waited for. */
export default function createArk(tools: VendorTools, around: CallSurroundings): Vendor {
  const router = Router();
  router.post('/api/v3/images/generations', serveVendorCall(arkWire, createGenerations(tools), around));
  return { wire: arkWire, around, router, stores: [] };
}
