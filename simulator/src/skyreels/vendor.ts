import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { createSkyreelsJobs, skyreelsRoutes } from './routes';
import { skyreelsWire } from './wire';

/** Videos, by jobs that are asked about. */
export default function createSkyreels(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createSkyreelsJobs(tools.jobs);
  return { wire: skyreelsWire, around, router: skyreelsRoutes(tools, jobs, around), stores: [jobs] };
}
