import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { createMinimaxJobs, minimaxRoutes } from './routes';
import { minimaxWire } from './wire';

/** Videos, by jobs that are asked about. */
export default function createMinimax(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createMinimaxJobs(tools.jobs);
  return {
    wire: minimaxWire,
    around,
    router: minimaxRoutes({ ...tools, studio: tools.videos }, jobs, around),
    stores: [jobs],
  };
}
