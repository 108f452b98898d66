import { findTrackFile } from '../music/music-files';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { createTtapiJobs } from './jobs';
import { ttapiRoutes } from './routes';
import { ttapiWire } from './wire';

/** Tracks, by jobs that are asked about. */
export default function createTtapi(tools: VendorTools, around: CallSurroundings): Vendor {
  const { clock, audio: studio, fetchHosts } = tools;
  const jobs = createTtapiJobs(tools.jobs);
  const router = ttapiRoutes({ clock, studio, fetchHosts }, jobs, around);
  return { wire: ttapiWire, around, router, stores: [jobs], findFile: (name) => findTrackFile(name, { jobs, studio }) };
}
