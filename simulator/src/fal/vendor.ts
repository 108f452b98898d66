import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createAnswer, createCancellation, createStatus } from './requests';
import { createSubmissions, type FalDetail } from './submissions';
import { falWire } from './wire';

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
const REQUEST = '/:owner/:name/requests/:id';

/** The queue, below `/fal` as the vendor has it below `queue.fal.run`. */
export default function createFal(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<FalDetail>({
    ...tools.jobs,
    wire: 'fal',
    newId: () => randomUUID(),
    idLifetimeMs: WEEK_MS,
    linkLifetimeMs: WEEK_MS,
  });
  const router = Router();
  const asked = { jobs, assets: tools.assets, shelf: tools.shelf };
  router.get(`${REQUEST}/status`, serveQuestion(falWire, createStatus(asked), around));
  router.get(REQUEST, serveQuestion(falWire, createAnswer(asked), around));
  router.put(`${REQUEST}/cancel`, serveQuestion(falWire, createCancellation(asked), around));
  router.post('/*endpoint', serveVendorCall(falWire, createSubmissions(tools, jobs), around));
  return { wire: falWire, around, router, stores: [jobs] };
}
