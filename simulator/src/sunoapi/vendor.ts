import { findTrackFile } from '../music/music-files';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { createSunoapiJobs } from './jobs';
import { sunoapiRoutes } from './routes';
import { sunoapiWire } from './wire';

/** Tracks, by jobs that are asked about. */
export default function createSunoapi(tools: VendorTools, around: CallSurroundings): Vendor {
  const { clock, audio: studio, fetchHosts } = tools;
  const jobs = createSunoapiJobs(tools.jobs);
  const router = sunoapiRoutes({ clock, studio, fetchHosts }, jobs, around);
  return {
    wire: sunoapiWire,
    around,
    router,
    stores: [jobs],
    findFile: (name) => findTrackFile(name, { jobs, studio }),
  };
}
