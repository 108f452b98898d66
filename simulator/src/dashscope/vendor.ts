import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { createDashscopeJobs, dashscopeRoutes } from './routes';
import { dashscopeWire } from './wire';

/** Videos, by jobs that are asked about. */
export default function createDashscope(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createDashscopeJobs(tools.jobs);
  return { wire: dashscopeWire, around, router: dashscopeRoutes(tools, jobs, around), stores: [jobs] };
}
