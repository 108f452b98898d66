import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import {
  account,
  createCancellation,
  createPredictions,
  createQuery,
  HOUR_MS,
  type PredictionDetail,
} from './predictions';
import { replicateWire } from './wire';

/** Predictions, below `/replicate/v1`. */
export default function createReplicate(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<PredictionDetail>({
    ...tools.jobs,
    wire: 'replicate',
    newId: () => randomBytes(13).toString('hex'),
    // The id stays for good; what it made is removed.
    idLifetimeMs: 365 * 24 * HOUR_MS,
    linkLifetimeMs: HOUR_MS,
  });
  const asked = { jobs, assets: tools.assets, shelf: tools.shelf };
  const predictions = serveVendorCall(replicateWire, createPredictions({ ...tools, ...asked }), around);
  const router = Router();
  router.post('/v1/models/:owner/:name/predictions', predictions);
  router.post('/v1/predictions', predictions);
  router.get('/v1/predictions/:id', serveQuestion(replicateWire, createQuery(asked), around));
  router.post('/v1/predictions/:id/cancel', serveQuestion(replicateWire, createCancellation(asked), around));
  router.get('/v1/account', serveQuestion(replicateWire, account, around));
  return { wire: replicateWire, around, router, stores: [jobs] };
}
