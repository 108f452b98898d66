import { randomUUID } from 'node:crypto';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
import { createAnswer, createCancellation, createStatus } from './requests';
import { createSubmissions, type FalDetail } from './submissions';
import { falWire } from './wire';

const REQUEST = '/:owner/:name/requests/:id';

/** The queue, below `/fal` as the vendor has it below `queue.fal.run`. */
export default function createFal(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<FalDetail>(tools.jobs, { wire: 'fal', newId: randomUUID, idDays: 7, linkDays: 7 });
  const { router, start, ask } = vendorRouter(falWire, around);
  const asked = { jobs, assets: tools.assets };
  ask('get', `${REQUEST}/status`, createStatus(asked));
  ask('get', REQUEST, createAnswer(asked));
  ask('put', `${REQUEST}/cancel`, createCancellation(asked));
  start('/*endpoint', createSubmissions(tools, jobs));
  return { wire: falWire, around, router, stores: [jobs] };
}
