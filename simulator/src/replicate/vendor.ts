import { randomBytes } from 'node:crypto';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
import { account, createCancellation, createPredictions, createQuery, type PredictionDetail } from './predictions';
import { replicateWire } from './wire';

/** Predictions, below `/replicate/v1`. */
export default function createReplicate(tools: VendorTools, around: CallSurroundings): Vendor {
  const newId = () => randomBytes(13).toString('hex');
  // The id stays for good; what it made is removed.
  const jobs = createJobStore<PredictionDetail>(tools.jobs, {
    wire: 'replicate',
    newId,
    idDays: 365,
    linkDays: 1 / 24,
  });
  const asked = { jobs, assets: tools.assets };
  const { router, start, ask } = vendorRouter(replicateWire, around);
  start(['/v1/models/:owner/:name/predictions', '/v1/predictions'], createPredictions({ ...tools, ...asked }));
  ask('get', '/v1/predictions/:id', createQuery(asked));
  ask('post', '/v1/predictions/:id/cancel', createCancellation(asked));
  ask('get', '/v1/account', account);
  return { wire: replicateWire, around, router, stores: [jobs] };
}
